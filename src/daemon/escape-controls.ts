/** Not escaped by `JSON.stringify`, and yet a command to some terminal, or a trick on the eye. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** The same JSON, safe to show: control characters beyond ASCII, direction marks and other format characters by number. */
export const escapeControls = (json: string): string => json.replaceAll(CONTROLS, escaped);

/**
 * JSON whose texts mean what `json` says of them: escapes become visible (`\n` is read as a backslash and an n), so that
 * whoever unpacks and prints it prints one line without commands. The lines of a stack stay lines.
 */
export const showEscapes = (json: string): string =>
  escapeControls(json).replaceAll(
    /\\\\|\\"|\\\/|\\n(?= {4}at )|\\(u[\da-f]{4}|[bfnrt])/gi,
    (whole, code: string | undefined) => (code === undefined ? whole : `\\\\${code}`),
  );
