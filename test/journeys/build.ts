import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Journeys run the built program: built anew, so that they never pass on yesterday's. */
export default function build(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  rmSync(`${root}dist`, { recursive: true, force: true });
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
}
