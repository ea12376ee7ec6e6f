/** Variables of this name are usher's: what `${…}` in configuration and bots stands for. */
const OURS = /^USHER_/;

/**
 * The environment as it was, with usher's own variables taken out of the process: what reads the environment later
 * (plugins, child processes, diagnostic reports) finds no secret there.
 */
export function takeEnvironment(
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string | undefined>> {
  const taken = { ...environment };
  for (const name of Object.keys(environment)) if (OURS.test(name)) delete environment[name];
  return taken;
}
