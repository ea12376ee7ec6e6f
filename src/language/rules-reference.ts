import { USUAL_BUDGET } from '../plugin/bot.ts';
import { GUARANTEES } from '../domain/action.ts';
import type { Guarantee } from '../domain/action.ts';
import { formatDuration } from '../domain/duration.ts';
import { GIFT_NAMES } from './gift.ts';
import { KEEPER_PAGES } from './keeper-pages.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { PLANNED } from './planned.ts';
import { ACTIONS, CONDITIONS, TRIGGERS } from './vocabulary.ts';
import type { ActionWord, TriggerWord, Word } from './word.ts';

/** `docs/rules.md`: made from the tables that the compiler reads, so that it cannot say anything else. */
export function renderRulesReference(): string {
  return `${[
    INTRODUCTION,
    words(
      'Edge rules: `when`',
      'One event a rule. The word stands alone or is the key of a map with its options.',
      [...TRIGGERS.values()],
      ({ gives }: TriggerWord) =>
        gives.length === 0 ? '' : `It gives ${gives.map((gift) => GIFT_NAMES[gift]).join(', ')}.`,
    ),
    words('Conditions: `if`', CONDITIONS_INTRODUCTION, [...CONDITIONS.values()]),
    words('Actions: `then`', ACTIONS_INTRODUCTION, [...ACTIONS.values()], promise),
    placeholders(),
    keepers(),
    REST,
    planned(),
  ].join('\n\n')}\n`;
}

function words<W extends Word>(
  title: string,
  introduction: string,
  all: readonly W[],
  more: (word: W) => string = () => '',
): string {
  const pages = all.map((word) =>
    [
      `### \`${word.name}\``,
      [word.summary, more(word)].filter((text) => text !== '').join(' '),
      yaml(word.example),
    ].join('\n\n'),
  );
  return [`## ${title}`, introduction, ...pages].join('\n\n');
}

const yaml = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\``;

const STRENGTH: readonly Guarantee[] = ['advisory', 'emulated', 'exact'];

const promise = ({ does }: ActionWord): string => {
  const weakest = STRENGTH.find((guarantee) => does.some((type) => GUARANTEES[type] === guarantee));
  return `Guarantee: ${weakest ?? 'exact'}. Grant: ${does.map((type) => `\`${type}\``).join(', ')}.`;
};

const placeholders = (): string =>
  [
    '## Placeholders',
    "Texts may hold these names between `{{` and `}}`; any other is refused. What people wrote never comes out of a bot's mouth unseen: `{{match}}` and `{{message.text}}` are refused in `reply` and `announce`, and names and arguments that hit one of the bot's lists are filled as `…` there. A text is cut at the limit of a message, between two characters.",
    [
      '| placeholder | is |',
      '|---|---|',
      ...[...PLACEHOLDERS.values()].map(({ name, says }) => `| \`{{${name}}}\` | ${says} |`),
    ].join('\n'),
  ].join('\n\n');

const keepers = (): string =>
  [
    '## Level rules: `keep`',
    'A desired state, kept true through restarts and lost, late, doubled and reordered notifications. `while` asks the place alone: `publishing` (anybody has a live stream), `publishers`, `room`, and `all`, `any`, `not` around them. A keeper of a plugin is named after `keep` too, with its options under `with`.',
    ...KEEPER_PAGES.map(({ name, summary, example, guarantee }) =>
      [`### \`${name}\``, `${summary} Guarantee: ${guarantee}.`, yaml(example.join('\n'))].join('\n\n'),
    ),
  ].join('\n\n');

const planned = (): string => {
  const line = (title: string, names: Iterable<string>): string =>
    `- ${title}: ${[...names].map((name) => `\`${name}\``).join(', ')}`;
  return [
    '## Not there yet',
    'These words are planned and refused by their name until then:',
    [
      line('`when`', PLANNED.trigger.keys()),
      line('`if`', PLANNED.condition.keys()),
      ...[...PLANNED.options].map(([word, names]) => line(`\`if\`, inside \`${word}\``, names.keys())),
      line('`then`', PLANNED.action.keys()),
      line('`keep`', PLANNED.keeper.keys()),
      line('keys', PLANNED.key.keys()),
      '- modes: `review`',
    ].join('\n'),
  ].join('\n\n');
};

const INTRODUCTION = `<!-- Made from src/language by renderRulesReference(): change the words there. -->

# The rule language

A bot is one YAML file. An **edge** rule reacts to one event (\`when / if / then\`), a **level** rule keeps a state true
(\`keep / while\`), and a plugin brings a whole rule (\`use / with\`). There is no expression language: every word is typed and
checked at load, and all findings come at once as \`file:line:col path: message\`.

\`\`\`yaml
version: 1
bot: house
as: {screenName: House, role: Moderator}    # sender of its messages; the bot's name and Moderator if not given
in: {rooms: ["*"], types: [MultiPartyChat, TownHall], channels: ["*"]}
clients: cooperating                         # your clients honour the hide marker: no warning about advisory actions
defaults:
  mode: shadow                               # off | shadow | enforce
  except: {role: [Moderator]}
lists:
  slurs: {file: ../config/lists/slurs.txt, match: word, fold: [case, marks, invisible, confusables, leet, repeats, spacing]}
  scams: {terms: [evil.example], match: domain}
strikes:
  chat:
    per: member
    decay: {points: 1, every: 6h}
    ladder:
      - {at: 1, do: [{reply: "{{member.name}}: {{reason}} (strike {{strikes}})"}]}
      - {at: 3, do: [{mute: 10m}]}
      - {at: 5, do: [censor, {ban: 24h}, {notify: mods}]}
notify:
  mods: {webhook: "\${MODS_WEBHOOK}"}
rules:
  - id: slurs
    when: message
    if: {text: {list: slurs}}
    then: [hide, {strike: {ladder: chat, reason: that word is not welcome here}}]
\`\`\`

## Around the rules

- **Durations** are \`500ms 10s 5m 2h 30d\`. **Globs** have \`*\` and \`?\`. \`\${NAME}\` is filled from the environment, \`$\${NAME}\` stays.
- **\`in\`** says where: \`rooms\` and \`channels\` are globs on alias, name or id, \`types\` are room types, \`tags: {any, all, none}\` are globs on the
  tags of the message or stream. Naming rooms or types alone leaves channels out, and the other way round. A rule's \`in\` narrows the bot's.
- **\`except\`** passes over members by \`role\`, \`state\` or \`name\`; any of them is enough. Only the member list counts, never what a message
  says of its sender. A rule's \`except\` replaces that of \`defaults\`; \`except: {}\` excepts nobody.
- **\`mode\`**: \`off\` is checked and not loaded; \`shadow\` (if nothing is said) decides and shows, with strikes and cooldowns of its own; \`enforce\` performs.
- **\`cooldown\`**: \`30s\` (per room), or \`{for: 30s, per: member}\` with \`member\`, \`room\` or \`rule\`.
- **\`budget\`**: how many actions a rule may decide in one place, \`{perEvent: ${USUAL_BUDGET.perEvent}, perMinute: ${USUAL_BUDGET.perMinute}}\` if nothing is said, here or in \`defaults\`.
  What is over it is refused, with the reason in its outcome, a line in the log once a minute, and a count (\`usher_actions_over_budget_total\`).
- **\`stop: true\`** ends the evaluation of the bot's later rules for an event on which this one acted.
- **\`note\`** is the rule's purpose in a line; it is the \`{{reason}}\` where no strike gives one.
- **Lists**: words under \`terms\` or one a line in a \`file\` (\`#\` begins a comment; the path counts from the bot file and stays below the folder that holds the bots). \`match\` is \`word\` (if not given),
  \`prefix\`, \`suffix\`, \`substring\` or \`domain\`; \`fold\` says which disguises are seen through, all if not given; \`allow\` shields innocent words, each
  only what it covers.
- **Strikes**: points per member and place. The highest step that the points reach is taken at each strike; \`decay\` takes points away again.
- YAML anchors and aliases work; merge keys (\`<<\`), custom tags and duplicate keys are refused.`;

const CONDITIONS_INTRODUCTION = `A tree of \`all\`, \`any\` and \`not\`; a map or a list of several conditions is \`all\`. Order does not matter: cheap
conditions are asked first, and those that count (\`rate\`, and words of plugins) see the events for which the others beside them hold. A plugin's
condition is a word like these, with its options as its value.`;

const ACTIONS_INTRODUCTION = `A list; a word stands alone or is the one key of a map. **exact**: the platform does it. **emulated**: several calls, with
races. **advisory**: it needs clients that honour it. A word that needs what the event does not give is refused at load.`;

const REST = `## Plugin rules: \`use\`

\`\`\`yaml
- id: newcomer-flood
  use: flood-guard
  with: {posts: 8}
  mode: enforce
  grants: [message.hide, member.mute]
\`\`\`

\`use\` names a rule or keeper of a plugin, \`with\` has its options, checked by the plugin's own schema. In \`enforce\` all that the plugin may do has to
be granted, by \`grants\` in the rule or in \`defaults\`; the finding prints the line to add. In \`shadow\` nothing is performed and no grant is needed.

## Numbers

A rate counts up to 1000 events. A reason has at most 200 characters. A notice or log line is cut at 4096 bytes, a message at the platform's limit of
1024. \`every\` is at least ${formatDuration(1_000)}.`;
