import { DEFAULT_HEADER_PREFIX } from '../platform/index.ts';
import { httpOrigin } from '../platform/http-origin.ts';
import type { AddressInfo } from 'node:net';
import { SandboxClock } from './clock.ts';
import { controlAnswer } from './control/control-answer.ts';
import { switchSettings } from './decisions.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { faultRule } from './faults/rules.ts';
import { answerRequest } from './http/answer.ts';
import { RequestLog } from './http/request-log.ts';
import { createRouter } from './http/router.ts';
import { createWireServer } from './http/server.ts';
import { Ids } from './ids.ts';
import { isLoopback } from './notifications/loopback.ts';
import { Notifier } from './notifications/notifier.ts';
import type { Platform } from './platform-state.ts';
import { seededRandom } from './random.ts';
import { loadScenario } from './scenario/load-scenario.ts';
import { playScenario } from './scenario/play-scenario.ts';
import { createVerbs } from './verbs.ts';
import { emptyWorld } from './world/world.ts';

import type { Sandbox, SandboxOptions } from './sandbox.ts';

const VIRTUAL_START = Date.UTC(2026, 0, 1, 12);
const PLAYLIST_DELAY_MS = 2_000;
const LOG_LIMIT = 10_000;

/** Starts the emulator and resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    applicationId = 'demo',
    secret = 'sandbox-secret',
    seed = 'usher',
    pathPrefix = '/svc',
    videoPrefix = '/video',
    clock: mode = 'real',
    logLimit = LOG_LIMIT,
  } = options;
  const { observe = () => {} } = options;
  const scenario =
    typeof options.scenario === 'string' ? await loadScenario(options.scenario) : options.scenario;
  const clock = new SandboxClock(mode, options.startAt ?? (mode === 'virtual' ? VIRTUAL_START : Date.now()));
  const switches = switchSettings(options.switches);
  const log = new RequestLog(logLimit);
  let baseUrl = '';

  const compose = () => {
    const random = seededRandom(seed);
    const faults = new FaultPlan(seededRandom(`${seed}/faults`), () => clock.now());
    const notifier = new Notifier(
      {
        secret,
        headerPrefix: options.headerPrefix ?? DEFAULT_HEADER_PREFIX,
        allowTarget: (host) =>
          isLoopback(host) ||
          (options.allowTargets ?? []).some((allowed) => allowed === '*' || allowed === host),
        logLimit,
        observe: (delivery) => observe({ kind: 'delivery', delivery }),
      },
      clock,
      switches,
      faults,
      () => platform.callback,
    );
    const world = emptyWorld({
      applicationId,
      secret,
      clock,
      ids: new Ids(clock, random),
      switches,
      playlistDelayMs: options.playlistDelayMs ?? PLAYLIST_DELAY_MS,
      videoBase: () => baseUrl + videoPrefix,
      notify: (notice) => notifier.notify(notice),
    });
    const platform: Platform = { world, callback: undefined };
    return { faults, notifier, platform, verbs: createVerbs(world) };
  };
  let now = compose();

  const route = createRouter({ svc: pathPrefix, video: videoPrefix });
  const server = createWireServer((request) =>
    request.path.startsWith('/__sandbox/')
      ? controlAnswer(sandbox, request)
      : answerRequest(
          { ...now, log, route, observe: (record) => observe({ kind: 'request', request: record }) },
          request,
        ),
  );
  const { host = '127.0.0.1', port = 0 } = options;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // a TCP server that listens has an address with a port
  const { port: actual } = server.address() as AddressInfo;
  baseUrl = httpOrigin(host, actual);

  const sandbox: Sandbox = {
    baseUrl,
    applicationId,
    secret,
    clock,
    createRoom: (input) => now.verbs.createRoom(input),
    createChannel: (input) => now.verbs.createChannel(input),
    join: (input) => now.verbs.join(input),
    leave: (input) => now.verbs.leave(input),
    setState: (input) => now.verbs.setState(input),
    publish: (input) => now.verbs.publish(input),
    end: (input) => now.verbs.end(input),
    say: (input) => now.verbs.say(input),
    makePlaylistReady: (input) => now.verbs.makePlaylistReady(input),
    findPlace: (choice) => now.verbs.findPlace(choice),
    members: (choice) => now.verbs.members(choice),
    newSession: () => now.verbs.newSession(),
    failNext: (rule) => now.faults.add(faultRule.parse(rule)),
    clearFaults: (id) => now.faults.clear(id),
    faults: () => now.faults.list(),
    setSwitches: (chosen) => Object.assign(switches, switchSettings({ ...switches, ...chosen })),
    switches: () => ({ ...switches }),
    advance: (ms) => clock.advance(ms),
    requests: () => log.all(),
    deliveries: () => now.notifier.deliveries(),
    settled: () => now.notifier.settled(),
    reset() {
      now.notifier.close();
      clock.clear();
      log.clear();
      Object.assign(switches, switchSettings(options.switches));
      now = compose();
    },
    close: () =>
      new Promise<void>((resolve) => {
        show?.stop();
        now.notifier.close();
        clock.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const show =
    scenario && playScenario(sandbox, scenario, { onStep: (played) => observe({ kind: 'step', ...played }) });
  return sandbox;
}
