import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isAllowed, isAllowedInTools, licencesPage, lockedPackages } from './licences.ts';

const page = fileURLToPath(new URL('../../docs/licences.md', import.meta.url));

describe('the licences of all packages', () => {
  const packages = lockedPackages();
  const shipped = packages.filter((one) => one.shipped);
  const tools = packages.filter((one) => !one.shipped);

  test('ask for a notice and no more', () => {
    expect(shipped.length).toBeGreaterThan(50);
    expect(shipped.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
    expect(tools.length).toBeGreaterThan(50);
    expect(tools.filter(({ licence }) => !isAllowedInTools(licence))).toEqual([]);
  });

  test('are what each package says of itself', () => {
    expect(shipped.filter(({ said }) => said !== undefined).length).toBeGreaterThan(50);
    expect(packages.filter(({ licence, said }) => said !== undefined && said !== licence)).toEqual([]);
  });

  test('stand in docs/licences.md (write it anew with UPDATE_DOCS=1)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, licencesPage(packages));
    expect(readFileSync(page, 'utf8')).toBe(licencesPage(packages));
  });

  test('and every dependency has its line in docs/dependencies.md', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
    ) as { dependencies: object; devDependencies: object }; // our own
    const told = readFileSync(fileURLToPath(new URL('../../docs/dependencies.md', import.meta.url)), 'utf8');
    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    expect(names.filter((name) => !name.startsWith('@types/') && !told.includes(name))).toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['LGPL-2.1', false],
    ['MPL-2.0', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['UNLICENSED', false],
    ['', false],
  ])('%s: %s', (licence, allowed) => expect(isAllowed(licence)).toBe(allowed));
});
