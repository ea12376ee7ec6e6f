import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { ConfigurationError, describeError } from '../errors.ts';
import { checkShape } from '../language/check-shape.ts';
import { Findings } from '../language/finding.ts';
import { readYaml } from '../language/read-yaml.ts';
import { configurationSchema, type ConfigurationFile } from './configuration-schema.ts';

const EXPECTED = {
  what: 'the configuration',
  keys: 'platform, console, webhooks',
  least: '"platform:" and "console:", as in config/usher.yaml',
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The checked configuration with its paths made absolute. */
export interface Configuration extends ConfigurationFile {
  readonly file: string;
}

/** Reads and checks a configuration file; throws `ConfigurationError` with every finding as `file:line:col path: message`. */
export async function loadConfiguration(
  file: string,
  environment: Environment = process.env,
): Promise<Configuration> {
  const shown = relative(process.cwd(), resolve(file)) || file;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError([
      `${shown}:1:1 cannot be read: ${describeError(error)} - name the file with --config, or start from config/usher.yaml`,
    ]);
  });
  return parseConfiguration(text, { file: resolve(file), shown, environment });
}

/** As `loadConfiguration`, from text. `shown` is how messages name the file. */
export function parseConfiguration(
  text: string,
  {
    file,
    shown,
    environment,
  }: { readonly file: string; readonly shown: string; readonly environment: Environment },
): Configuration {
  const findings = new Findings();
  const root = readYaml(shown, text, environment, findings, EXPECTED);
  if (root === undefined) throw new ConfigurationError(findings.errors());
  const checked = checkShape(configurationSchema, root, findings);
  if (checked === undefined || findings.failed)
    throw new ConfigurationError(onePerPosition(findings.errors()));
  const folder = dirname(file);
  const { data, bots, plugins, ...rest } = checked;
  return {
    ...rest,
    file,
    data: resolve(data),
    bots: resolve(folder, bots),
    plugins: resolve(folder, plugins),
  };
}

/** An unset variable makes its value wrong as well: the first finding at a position says why. */
const onePerPosition = (findings: readonly string[]): readonly string[] =>
  [
    ...new Map(
      findings.toReversed().map((line) => [line.slice(0, line.indexOf(' ')), line] as const),
    ).values(),
  ].toReversed();
