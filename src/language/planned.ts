const later = (...names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, 'it is planned for a later version']));

/** Words that the language will have: they are refused by their name, and not taken for a slip of the pen. */
export const PLANNED = {
  trigger: later('track.changed', 'review.resolved', 'source.degraded'),
  condition: later('links', 'mentions', 'same', 'permit', 'mime', 'stream', 'time', 'score'),
  /** Keys of a word that is there. */
  options: new Map([
    ['text', later('caps', 'symbols', 'emoji', 'length', 'lines', 'zalgo')],
    ['member', later('firstSeen', 'list')],
  ]),
  action: later(
    'warn',
    'unhide',
    'redact',
    'permit',
    'kill',
    'lockdown',
    'slowMode',
    'fork',
    'evict',
    'deleteArchive',
    'review',
    'undo',
  ),
  keeper: later('publishers', 'slowMode'),
  key: later('tests', 'atMost', 'brake', 'policy'),
} as const;
