const VARIABLE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces `${NAME}` from `env`; `$${NAME}` stays as `${NAME}`. `missing` names what `env` does not have. */
export function fillEnvironment(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): {
  readonly text: string;
  readonly missing: readonly string[];
  /** What was filled in, by its name. */
  readonly used: ReadonlyMap<string, string>;
} {
  const missing: string[] = [];
  const used = new Map<string, string>();
  if (!text.includes('${')) return { text, missing, used };
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) missing.push(name);
    else used.set(name, value);
    return value ?? '';
  });
  return { text: filled, missing, used };
}
