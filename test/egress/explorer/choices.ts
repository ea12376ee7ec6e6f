/** What one history decides on its way: by name, for people who read which history went wrong. */
export interface Choices {
  pick<T>(name: string, options: readonly T[]): T;
}

/**
 * Runs a history for every way of choosing, depth first: each run replays the choices of the one before but for the last
 * that had an option left. A run must depend on its choices alone. Gives how many there were.
 */
export async function everyHistory(
  run: (choices: Choices, told: () => string) => Promise<void>,
): Promise<number> {
  const path: { at: number; readonly of: number }[] = [];
  for (let count = 1; ; count += 1) {
    let depth = 0;
    const told: string[] = [];
    const choices: Choices = {
      pick(name, options) {
        const step = path[depth] ?? { at: 0, of: options.length };
        if (step.of !== options.length) throw new Error(`History ${count} went another way at "${name}".`);
        path[depth] = step;
        depth += 1;
        const option = options[step.at];
        if (option === undefined) throw new Error(`"${name}" offers nothing.`);
        told.push(`${name}: ${String(option)}`);
        return option;
      },
    };
    await run(choices, () => told.join(', '));
    path.length = depth;
    while (path.length > 0 && lastIsSpent(path)) path.pop();
    const last = path.at(-1);
    if (!last) return count;
    last.at += 1;
  }
}

const lastIsSpent = (path: readonly { readonly at: number; readonly of: number }[]): boolean => {
  const last = path.at(-1);
  return last !== undefined && last.at + 1 >= last.of;
};
