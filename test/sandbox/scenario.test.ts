import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { Step } from '../../src/sandbox/index.ts';
import { loadScenario, parseScenario, playScenario } from '../../src/sandbox/index.ts';
import type { Loose } from './harness.ts';
import { enc, stage } from './harness.ts';

const FILE = fileURLToPath(new URL('fixtures/show.yaml', import.meta.url));

const findings = (text: string): readonly string[] => {
  try {
    parseScenario(text, 'show.yaml');
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings;
    throw error;
  }
};

describe('playing a scenario', () => {
  test('each step happens at its time, in each round', async () => {
    const { sandbox } = await stage();
    const begun = sandbox.clock.now();
    const played: [number, Step['verb'], number][] = [];
    const show = playScenario(sandbox, await loadScenario(FILE), {
      onStep: ({ step, round, error }) => {
        expect(error).toBeUndefined();
        played.push([(sandbox.clock.now() - begun) / 1_000, step.verb, round]);
      },
    });
    await sandbox.advance(60_000);
    await show.done;
    const first = played.filter(([, , round]) => round === 1).map(([at, verb]) => `${at} ${verb}`);
    expect(first).toEqual([
      '1 publish',
      '3 join',
      '3 say',
      '4 say',
      '4.2 setState',
      '5 say',
      '5.2 setState',
      '6 say',
      '6.2 setState',
      '10 publish',
      '10 playlist',
      '11 fault',
      '11 end',
      '12 end',
      '12 leave',
    ]);
    const second = played.filter(([, , round]) => round === 2).map(([at, verb]) => `${at - 17} ${verb}`);
    expect(second.map((line) => line.replace(/(\.\d)\d+/, '$1').replace('.1', '.2'))).toEqual(first);
  });

  test('the platform shows what happened', async () => {
    const { sandbox, call, receive } = await stage();
    const { bodies } = await receive();
    const show = playScenario(sandbox, await loadScenario(FILE), { rounds: 1 });
    await sandbox.advance(8_000);
    const roomId = sandbox.findPlace({ roomAlias: 'main' })!;
    expect((await call('GET', '/rooms?type=TownHall')).json.rooms).toMatchObject([{ name: 'Main stage' }]);
    expect(sandbox.members({ roomId })).toMatchObject([
      { screenName: 'Ann', role: 'Presenter', streams: [{}] },
      { screenName: 'bob', state: 'HandRaised' },
    ]);
    const { messages } = (await call('GET', `/room/${enc(roomId)}/messages`)).json;
    expect(messages.map((message: Loose) => message.message)).toEqual([
      'hello',
      'spam 1',
      'spam 2',
      'spam 3',
    ]);
    await sandbox.advance(60_000);
    await show.done;
    expect((await call('GET', '/channels')).http).toBe(503);
    expect(
      bodies()
        .map((body) => [body.what, body.data.reason ?? body.data.tags?.at(-1)])
        .filter(([what]) => what !== 'live'),
    ).toEqual([
      ['started', 'show'],
      ['started', 'channelAlias:tv'],
      ['ended', 'censored'],
      ['ended', ''],
    ]);
    expect(bodies().some((body) => body.what === 'live' && body.data.uri.endsWith('.mpd'))).toBe(true);
  });

  test('whoever was killed comes back with the same session; who is gone is told, and the show goes on', async () => {
    const { sandbox, call } = await stage();
    const errors: (string | undefined)[] = [];
    playScenario(
      sandbox,
      parseScenario(
        'version: 1\nrooms: [{alias: r}]\nmembers: {a: {room: r}}\nsteps: [{publish: a}, {after: 5s, say: a, text: back}, {leave: a}, {leave: a}, {say: a, text: again}]',
        'x',
      ),
      { onStep: ({ error }) => errors.push(error) },
    );
    await sandbox.advance(1);
    const roomId = sandbox.findPlace({ roomAlias: 'r' })!;
    const [before] = sandbox.members({ roomId });
    await call('PUT', `/room/${enc(roomId)}/kill`, {});
    expect(sandbox.members({ roomId })).toEqual([]);
    await sandbox.advance(6_000);
    expect(sandbox.members({ roomId })[0]?.sessionId).toBe(before?.sessionId);
    expect(errors.map((error) => error !== undefined)).toEqual([false, false, false, true, false]);
  });

  test('stops when told, and loops for ever otherwise', async () => {
    const { sandbox } = await stage();
    let steps = 0;
    const show = playScenario(
      sandbox,
      parseScenario(
        'version: 1\nrooms: [{alias: r}]\nmembers: {a: {room: r}}\nsteps: [{say: a, text: x}]\nloop: {after: 1s}',
        'x',
      ),
      { onStep: () => steps++ },
    );
    await sandbox.advance(99_500);
    expect(steps).toBe(100);
    show.stop();
    await show.done;
    await sandbox.advance(10_000);
    expect(steps).toBe(100);
  });

  test('a sandbox can start with one, and tells its steps', async () => {
    const seen: string[] = [];
    const { sandbox } = await stage({
      scenario: FILE,
      observe: (activity) => void (activity.kind === 'step' && seen.push(activity.step.verb)),
    });
    await sandbox.advance(3_000);
    expect(seen).toEqual(['publish', 'join', 'say']);
    await expect(stage({ scenario: '/no/such.yaml' })).rejects.toThrow(ConfigurationError);
  });

  test('existing rooms are used as they are', async () => {
    const { sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'main' });
    playScenario(sandbox, await loadScenario(FILE), { rounds: 1 }).stop();
    expect(sandbox.members({ roomId })).toMatchObject([{ screenName: 'Ann' }]);
  });
});

describe('a scenario file that is wrong', () => {
  test('the fixture is right', async () => {
    expect(findings(await readFile(FILE, 'utf8'))).toEqual([]);
  });

  test.each([
    ['YAML', 'version: 1\nsteps: [', /^show\.yaml:\d+:\d+ /],
    ['a key twice', 'version: 1\nversion: 1', /^show\.yaml:2:1 /],
    ['no version', 'steps: []', /version/],
    [
      'an unknown verb',
      'version: 1\nmembers: {}\nsteps:\n  - {after: 1s, sya: ann}',
      /^show\.yaml:4:5 steps\.0: a step has one of join/,
    ],
    [
      'an unknown key',
      'version: 1\nmembers: {a: {room: r}}\nrooms: [{alias: r}]\nsteps:\n  - {say: a, txet: x}',
      /^show\.yaml:5:14 steps\.0\.txet: /m,
    ],
    [
      'a bad duration',
      'version: 1\nmembers: {a: {room: r}}\nrooms: [{alias: r}]\nsteps:\n  - {leave: a, after: soon}',
      /^show\.yaml:5:16 steps\.0\.after: "soon" is no duration/,
    ],
    [
      'a step within a repeat',
      'version: 1\nmembers: {}\nsteps:\n  - repeat: 2\n    steps:\n      - {say: nobody, text: x}',
      /^show\.yaml:6:10 steps\.0\.steps\.0\.say: nobody in members is called "nobody"/,
    ],
    [
      'a fault',
      'version: 1\nmembers: {}\nsteps:\n  - {fault: {operation: nothing}}',
      /^show\.yaml:4:14 steps\.0\.fault\.operation: neither/,
    ],
    [
      'a member of no room',
      'version: 1\nmembers:\n  a: {room: x}\nsteps: [{leave: a}]',
      /^show\.yaml:3:7 members\.a\.room: no room "x" here/,
    ],
    [
      'a member of two places',
      'version: 1\nmembers:\n  a: {}\nsteps: [{leave: a}]',
      /^show\.yaml:3:3 members\.a: give either room or channel/,
    ],
    [
      'a stream that nobody publishes',
      'version: 1\nmembers: {}\nsteps:\n  - {end: a}',
      /^show\.yaml:4:6 steps\.0\.end: no step before this publishes "a"/,
    ],
    ['an empty file', '', /^show\.yaml:1:1 scenario: /],
  ])('%s', (_name, text, finding) => {
    expect(findings(text).join('\n')).toMatch(finding);
  });

  test('everything is told at once', () => {
    const text =
      'version: 2\nrooms: [{alias: r, colour: x}]\nmembers: {a: {room: r, role: King}}\nsteps: [{after: x, say: a}]';
    expect(findings(text).length).toBeGreaterThanOrEqual(4);
  });

  test('a file that is not there', async () => {
    await expect(loadScenario('/no/such/show.yaml')).rejects.toThrow('/no/such/show.yaml:1:1 cannot be read');
  });
});
