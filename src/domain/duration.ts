const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `500ms 10s 5m 2h 30d` (one number, one unit); undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  return match && unit ? Math.round(Number(match[1]) * unit) : undefined;
}

/** The shortest exact spelling of a duration, e.g. `90000` → `90s`, `600000` → `10m`. */
export function formatDuration(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((name) => ms > 0 && ms % (UNITS[name] ?? 1) === 0);
  return unit ? `${ms / (UNITS[unit] ?? 1)}${unit}` : `${ms}ms`;
}
