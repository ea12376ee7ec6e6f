/** How `load-plugins.ts` names what it loads: a hash of the code, in a folder `plugins`. */
const FRAME = /[^\s(]*[\\/]plugins[\\/][0-9a-f]{16}\.mjs:\d+:\d+/;

/**
 * Where in a plugin's code something came from that nobody caught, a timer or a promise of its own: `file:line:col`.
 * Undefined for usher's own, which throws and rejects with errors only: whatever else there is, an author threw.
 */
export function strayOfPlugin(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return 'unknown: what was thrown is no error';
  if ('code' in thrown && thrown.code === 'ERR_UNHANDLED_REJECTION')
    return 'unknown: a promise was rejected with what is no error';
  return FRAME.exec(thrown.stack ?? '')?.[0];
}
