import { ConfigurationError } from '../errors.ts';
import { loadScenario, playScenario, startSandbox } from '../sandbox/index.ts';
import { stopSignal } from './stop-signal.ts';
import { whyNotStarted } from './why-not-started.ts';

export interface SandboxCommand {
  readonly port: number;
  readonly host: string;
  readonly seed: string;
  readonly scenario?: string;
  readonly applicationId: string;
  readonly secret: string;
  readonly unsafeBind: boolean;
  readonly logLimit?: number;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Runs the platform emulator until SIGINT or SIGTERM. */
export async function sandbox(command: SandboxCommand): Promise<number> {
  const { host, unsafeBind, port, seed, applicationId, secret, scenario, logLimit } = command;
  if (!LOOPBACK.test(host) && !unsafeBind) {
    process.stderr.write(
      `the sandbox has no real protection, so it listens on this machine only; --unsafe-bind lets ${host} in\n`,
    );
    return 1;
  }
  try {
    const show = scenario === undefined ? undefined : await loadScenario(scenario);
    const running = await startSandbox({
      port,
      host,
      seed,
      applicationId,
      secret,
      ...(logLimit !== undefined && { logLimit }),
    });
    process.stdout.write(
      `sandbox is ready at ${running.baseUrl} (application ${applicationId}, control API below /__sandbox/)\n`,
    );
    const played = show && playScenario(running, show);
    await stopSignal();
    played?.stop();
    await running.close();
    return 0;
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigurationError ? '' : 'the sandbox did not start: '}${whyNotStarted(error)}\n`,
    );
    return 1;
  }
}
