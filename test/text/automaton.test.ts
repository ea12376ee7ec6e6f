import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildAutomaton } from '../../src/text/automaton.ts';

const word = fc.string({
  unit: fc.constantFrom('\u0001', '\u0002', '\u0003', '\u0300'),
  minLength: 1,
  maxLength: 6,
});

test('it finds what looking at every place finds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('\u0001', '\u0002', '\u0003', '\u0004', '\u0300'), maxLength: 60 }),
      (patterns, text) => {
        const { step, start, ending, pattern, suffix } = buildAutomaton(patterns);
        const found: string[] = [];
        let state = start;
        for (let i = 0; i < text.length; i += 1) {
          state = step(state, text.charCodeAt(i));
          for (let at = ending[state]!; at !== 0; at = suffix[at]!)
            found.push(`${patterns[pattern[at]!]}@${i + 1}`);
        }
        const expected = patterns.flatMap((one) =>
          Array.from({ length: text.length + 1 }, (_, i) => i)
            .filter((end) => end >= one.length && text.slice(end - one.length, end) === one)
            .map((end) => `${one}@${end}`),
        );
        expect(found.sort()).toEqual(expected.sort());
      },
    ),
  );
});
