import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/daemon/log.ts';
import { HOSTILE_TEXTS, UNSAFE } from './hostile-texts.ts';

const logged = (
  write: (log: ReturnType<typeof createLog>) => void,
  options: Parameters<typeof createLog>[0] = {},
): string => {
  let text = '';
  write(createLog({ destination: { write: (line) => void (text += line) }, ...options }));
  return text;
};

describe('a log for machines', () => {
  const hostile = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));

  test('is one line of JSON an entry that means what was said, whatever was said', () => {
    fc.assert(
      fc.property(hostile, hostile, (reason, message) => {
        const text = logged((log) => log.warn({ reason, list: [reason] }, message.replaceAll('%', '')));
        expect(text.endsWith('\n')).toBe(true);
        expect(text.slice(0, -1)).not.toMatch(UNSAFE);
        expect(JSON.parse(text)).toMatchObject({ reason, list: [reason] });
      }),
    );
  });
});

describe('a log for people', () => {
  test.each(HOSTILE_TEXTS.map((text) => [text]))('shows %j on one line, without commands', (text) => {
    const shown = logged((log) => log.warn(text), { pretty: true });
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown.slice(0, -1)).not.toMatch(UNSAFE);
    const fields = logged((log) => log.warn({ reason: text, err: new Error(text) }, 'said'), {
      pretty: true,
    });
    expect(fields.replaceAll('\n', '')).not.toMatch(UNSAFE);
    for (const line of fields.trim().split('\n').slice(1)) expect(line).toMatch(/^ {4}/);
  });

  test('keeps the lines of a stack', () => {
    const shown = logged((log) => log.error({ err: new Error('broken') }, 'it broke'), { pretty: true });
    expect(shown.split('\n').filter((line) => /^ +at /.test(line)).length).toBeGreaterThan(2);
  });
});

describe('an entry', () => {
  test('of any size is cut', () => {
    const text = logged((log) =>
      log.warn({ reason: 'r'.repeat(1_000_000), deep: { list: ['x'.repeat(50_000)] } }, 'm'.repeat(90_000)),
    );
    expect(text.length).toBeLessThan(50_000);
    expect(text).toContain('(1000000 characters)');
  });

  test('holds no credentials: neither by name, nor in an address or header, nor by value', () => {
    const secrets: string[] = [];
    const error = Object.assign(
      new Error('answered <html>canary-1</html> to Authorization: Basic Y2FuYXJ5'),
      {
        code: 'E',
        request: { headers: { authorization: 'canary-2' } },
        cause: new Error('Bearer canary-3'),
      },
    );
    const log = (line: ReturnType<typeof createLog>): void => {
      line.error({ err: error }, 'failed with canary-1');
      line.warn(
        {
          streamKey: 'canary-4',
          deep: { member: { streamToken: 'canary-5' } },
          uri: 'pcast://h/s?streamToken=canary-6',
        },
        'at https://u:canary-7@host/?token=canary-8',
      );
      line.fatal(error);
    };
    expect(logged(log)).toContain('canary-1');
    secrets.push('canary-1');
    const text = logged(log, { secrets });
    expect(text).not.toMatch(/canary|Y2FuYXJ5/);
    expect(text).toContain('"code":"E"');
    expect(logged(log, { secrets, pretty: true })).not.toMatch(/canary|Y2FuYXJ5/);
  });
});
