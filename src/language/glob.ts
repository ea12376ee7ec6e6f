/** Matches a whole text by `*` (anything, nothing too) and `?` (one character); never backtracks beyond the last `*`. */
export function compileGlob(glob: string): (text: string) => boolean {
  if (/^\**$/.test(glob) && glob !== '') return () => true;
  if (!/[*?]/.test(glob)) return (text) => text === glob;
  const pattern = Array.from(glob);
  return (text) => {
    const letters = Array.from(text);
    let at = 0;
    let star = -1;
    let resume = 0;
    for (let i = 0; i < letters.length;) {
      const want = pattern[at];
      if (want !== '*' && want !== undefined && (want === '?' || want === letters[i])) {
        at += 1;
        i += 1;
      } else if (want === '*') {
        star = at;
        resume = i;
        at += 1;
      } else if (star >= 0) {
        at = star + 1;
        resume += 1;
        i = resume;
      } else return false;
    }
    while (pattern[at] === '*') at += 1;
    return at === pattern.length;
  };
}

/** True when any of the globs matches; no globs match nothing. */
export function anyGlob(globs: readonly string[]): (text: string) => boolean {
  const compiled = globs.map(compileGlob);
  return (text) => compiled.some((matches) => matches(text));
}
