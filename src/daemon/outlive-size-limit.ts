/**
 * A file at its size limit (`ulimit -f`) raises SIGXFSZ before its write fails. Node ignores that signal only until a
 * dependency (signal-exit, of write-file-atomic) has listened to it and gone; from then on it ends the process. While
 * somebody listens, the write fails as on a full disk and the store tells it. The answer stops listening.
 */
export function outliveSizeLimit(): () => void {
  const live = (): void => {};
  process.on('SIGXFSZ', live);
  return () => void process.off('SIGXFSZ', live);
}
