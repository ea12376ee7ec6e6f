/** What an attacker writes into a name, a message, an id or a reason. */
export const HOSTILE_TEXTS: readonly string[] = [
  'two\nlines',
  '\r\n{"level":60,"msg":"a forged line"}',
  '\u001b[2J\u001b[31mred',
  '\u001b]0;a title\u0007',
  '\u001b]8;;https://evil.example\u001b\\a link\u001b]8;;\u001b\\',
  '\u009b31mone byte of it',
  '\u202egnirts a\u202c',
  '\u2066isolated\u2069',
  'zero\u200bwidth\ufeff',
  '\u2028separator\u2029',
  'back\b\bspace\u007f',
  'nul\0',
  '\u{e0001}\u{e0041}tags',
  'lone \ud83d half',
  '"},{"a":"',
  '\\u001b[31m as text',
  'C:\\new\\table',
];

/** No control character, and nothing that turns or hides text. */
export const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
