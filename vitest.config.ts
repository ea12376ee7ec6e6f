import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const door = (name: string) => fileURLToPath(new URL(`./src/${name}/index.ts`, import.meta.url));
const alias = Object.fromEntries(
  ['platform', 'plugin', 'text', 'testing', 'sandbox'].map((name) => [`usher/${name}`, door(name)]),
);

/** `units` share one context (pure code, fast); `journeys` start whole processes and want the built program. */
export default defineConfig({
  resolve: { alias },
  test: {
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts', 'plugins/**/*.test.ts'],
          exclude: ['test/journeys/**', 'test/drills/**'],
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts', 'test/drills/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 60_000,
          // A shared machine may stand still for seconds: what fails twice is broken. A retry shows in the report.
          retry: process.env.CI ? 1 : 0,
          globalSetup: ['test/journeys/build.ts'],
        },
      },
    ],
  },
});
