import { describe, expect, test } from 'vitest';
import { parseConfiguration, type Configuration } from '../../src/daemon/configuration.ts';
import { ConfigurationError } from '../../src/errors.ts';

const parse = (text: string, environment: Record<string, string> = {}): Configuration =>
  parseConfiguration(text, { file: '/etc/usher/usher.yaml', shown: 'usher.yaml', environment });

const findings = (text: string, environment: Record<string, string> = {}): readonly string[] => {
  try {
    parse(text, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings;
    throw error;
  }
  return [];
};

const LEAST = `platform: {baseUrl: "http://127.0.0.1:8090", applicationId: demo, secret: s3cr3t-canary}
console: {token: t0ken-canary}
`;

describe('the configuration', () => {
  test('has a default for all that can have one', () => {
    expect(parse(LEAST)).toMatchObject({
      platform: { pathPrefix: '/svc', headerPrefix: 'X-Service', allowInsecure: false },
      webhooks: {
        host: '127.0.0.1',
        port: 8081,
        path: '/webhooks/platform',
        register: true,
        secrets: [],
        maxAge: 1_800_000,
      },
      polling: {
        budget: 20,
        rooms: { every: 15_000 },
        members: { min: 2_000, max: 30_000 },
        messages: { min: 1_000, max: 15_000 },
      },
      egress: { deadline: 10_000, grace: 30_000, onDoubt: 'retry' },
      console: { host: '127.0.0.1', port: 8082 },
    });
  });

  test('finds bots and plugins beside its file, data beside the process', () => {
    const { bots, plugins, data } = parse(LEAST);
    expect({ bots, plugins, data }).toEqual({
      bots: '/etc/bots',
      plugins: '/etc/plugins',
      data: `${process.cwd()}/data`,
    });
  });

  test('fills texts from the environment', () => {
    expect(
      parse(LEAST.replace('s3cr3t-canary', '"${USHER_SECRET}"'), { USHER_SECRET: 'abc' }).platform.secret,
    ).toBe('abc');
  });

  test('an empty file and a list are told what a configuration is', () => {
    expect(findings('')).toEqual([expect.stringMatching(/^usher\.yaml:1:1 the file is empty.*"platform:"/)]);
    expect(findings('- a')).toEqual([
      expect.stringMatching(/^usher\.yaml:1:1 the configuration is a map \(platform/),
    ]);
  });

  test('tells all that is wrong at once, each with its position', () => {
    expect(
      findings(`platform:
  baseUrl: ftp://x
  applicationid: demo
  secret: \${NOT_SET}
webhooks: {port: 70000, maxAge: soon}
polling: {budget: fast, members: {min: 40s, max: 30s}}
console: {token: ""}
dta: ./data
`),
    ).toEqual([
      expect.stringMatching(/^usher\.yaml:2:3 platform\.applicationId: missing/),
      'usher.yaml:2:12 platform.baseUrl: "ftp://x" is no http or https address, like https://api.example.com',
      'usher.yaml:3:3 platform.applicationid: unknown key "applicationid" - did you mean "applicationId"?',
      'usher.yaml:4:11 platform.secret: the environment variable NOT_SET is not set',
      'usher.yaml:5:18 webhooks.port: must be at most 65535',
      expect.stringMatching(/^usher\.yaml:5:33 webhooks\.maxAge: "soon" is no duration/),
      expect.stringMatching(/^usher\.yaml:6:19 polling\.budget: "fast" is no rate/),
      'usher.yaml:6:34 polling.members: min is longer than max',
      'usher.yaml:7:18 console.token: is empty: set the secret that the platform gave you',
      'usher.yaml:8:1 dta: unknown key "dta" - did you mean "data"?',
    ]);
  });

  test.each(['""', 'changeme', 'change-me', 'your-secret', '<secret>', '"***"'])(
    'refuses the secret %s without telling it',
    (value) => {
      const found = findings(LEAST.replace('s3cr3t-canary', value));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^usher\.yaml:1:75 platform\.secret: is (empty|a sample value)/);
    },
  );

  test('never repeats a secret in a finding', () => {
    expect(findings(`${LEAST}nonsense: true\n`).join('\n')).not.toMatch(/canary/);
    expect(findings(LEAST.replace('token: t0ken-canary', 'token: [t0ken-canary]')).join('\n')).not.toMatch(
      /canary/,
    );
  });

  test('is a map', () => {
    expect(findings('- a\n')).toHaveLength(1);
    expect(findings('')).toHaveLength(1);
    expect(findings('a: [')[0]).toMatch(/^usher\.yaml:1:\d+ /);
  });
});
