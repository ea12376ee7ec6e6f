import { defineRule, duration, hideMessage, strikeMember, z } from 'usher/plugin';
import { compileMatcher, type Matcher } from 'usher/text';

const options = z.strictObject({
  /** Terms that are hidden however they are disguised, and words that are innocent although they hold one. */
  words: z.array(z.string().min(1)).default([]),
  allow: z.array(z.string().min(1)).default([]),
  /** A message of at least `minLetters` letters of which more than `over` are capitals is shouting. */
  caps: z
    .strictObject({ over: z.number().min(0).max(1).default(0.7), minLetters: z.int().min(1).default(20) })
    .prefault({}),
  /** The same text so often within so long is a repeat. */
  repeats: z
    .strictObject({ count: z.int().min(2).default(3), within: duration().prefault('60s') })
    .prefault({}),
  /** The ladder of the bot on which a hit counts; without one, messages are only hidden. */
  ladder: z.string().min(1).optional(),
});
type Options = z.infer<typeof options>;

/** Options are one object for as long as a bot is loaded: its matcher is built once. */
const matchers = new WeakMap<Options, Matcher>();
function matcherOf(of: Options): Matcher {
  const known = matchers.get(of);
  if (known !== undefined) return known;
  const built = compileMatcher({ lists: { words: { terms: of.words, allow: of.allow } } });
  matchers.set(of, built);
  return built;
}

function shouts(text: string, { over, minLetters }: Options['caps']): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return letters >= minLetters && capitals / letters > over;
}

/** Hides unwanted words, shouting and repeats, and gives a strike for each. */
export default defineRule({
  name: 'auto-moderation',
  hears: ['message.posted'],
  mayDo: ['message.hide', 'member.strike'],
  options,
  decide(event, { options: chosen, remember, now }) {
    if (!event.mimeType.startsWith('text/')) return [];
    const reason = finding();
    if (reason === undefined) return [];
    const { ladder } = chosen;
    return [
      hideMessage(event, { because: [event] }),
      ...(ladder === undefined
        ? []
        : [strikeMember(event.author, { ladder, points: 1, reason, because: [event] })]),
    ];

    function finding(): string | undefined {
      if (chosen.words.length > 0 && matcherOf(chosen).scan(event.text).hits('words').length > 0) {
        return 'that word is not welcome here';
      }
      if (shouts(event.text, chosen.caps)) return 'please do not shout';
      return repeats() ? 'please do not repeat yourself' : undefined;
    }

    function repeats(): boolean {
      const { count, within } = chosen.repeats;
      const key = `${event.author.key} ${event.text.trim().toLowerCase()}`;
      const before = remember.get(key);
      const times = (Array.isArray(before) ? before : []).filter(
        (at): at is number => typeof at === 'number' && at > now - within,
      );
      remember.set(key, [...times, now].slice(-count), { forMs: within });
      return times.length + 1 >= count;
    }
  },
});
