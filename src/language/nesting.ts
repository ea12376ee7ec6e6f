import { Lexer } from 'yaml';

/** Marks that the next lexeme is a scalar's text, whatever it looks like. */
const SCALAR = '\u001f';

/**
 * Whether a YAML text nests deeper than `most`, found by its lexemes alone: the parser recurses, and on a text made for
 * it V8 ends the process instead of throwing.
 */
export function nestsDeeperThan(text: string, most: number): boolean {
  let flow = 0;
  let block = 0;
  let before = '\n';
  for (const lexeme of new Lexer().lex(text)) {
    const isText = before === SCALAR;
    const startsLine = before.endsWith('\n');
    before = lexeme;
    if (isText) continue;
    if (lexeme === '[' || lexeme === '{') flow += 1;
    else if (lexeme === ']' || lexeme === '}') flow -= 1;
    else if (lexeme.endsWith('\n')) block = 0;
    else if (startsLine && /^ +$/.test(lexeme)) block += lexeme.length / 2;
    else if (lexeme === '-' || lexeme === '?') block += 1;
    if (flow > most || block > most) return true;
  }
  return false;
}
