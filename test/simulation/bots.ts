import type { UsherEvent } from '../../src/domain/event.ts';
import { compileBots } from '../../src/language/compile-bots.ts';
import { defineRule, z, type PluginDefinition } from '../../src/plugin/index.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import autoTranscode from '../../plugins/auto-transcode/index.ts';
import censorshipKill from '../../plugins/censorship-kill/index.ts';
import pipComposition from '../../plugins/pip-composition/index.ts';
import { SLUR } from './cast.ts';

/** What the witness hears, and counts in its lane's state. */
export const WITNESSED = [
  'message.posted',
  'member.joined',
  'member.left',
  'stream.started',
  'stream.ended',
] as const;
export const WITNESS_COUNT = 'heard';
const FOR_EVER_MS = 365 * 24 * 3_600_000;

const HOUSE = `
version: 1
bot: house
as: {screenName: House, role: Moderator}
clients: cooperating
in: {rooms: ["*"], channels: ["*"]}
defaults:
  mode: enforce
  except: {role: [Moderator]}
lists:
  slurs: {terms: [${SLUR}], match: word}
strikes:
  chat:
    per: member
    ladder:
      - {at: 1, do: [{reply: "{{member.name}}: strike {{strikes}}"}]}
      - {at: 3, do: [{reply: "{{member.name}}: strike {{strikes}}"}, {mute: 2h}]}
      - {at: 5, do: [{censor: {reason: censored, watch: 2h}}, {ban: 2h}]}
rules:
  - id: slurs
    when: message
    if: {text: {list: slurs}}
    then: [hide, {strike: {ladder: chat, points: 1, reason: that word is not welcome here}}]
  - id: help
    when: {command: "!help"}
    then: [{reply: "{{member.name}}: be kind."}]
    except: {}
  - id: censored-stays-censored
    use: censorship-kill
    with: {watch: 2h}
    except: {}
    grants: [stream.terminate]
  - id: witness
    use: witness
    except: {}
    grants: [log.write]
`;

const PRODUCER = `
version: 1
bot: producer
in: {rooms: ["*"], channels: ["*"]}
defaults: {mode: enforce}
rules:
  - id: hls-for-live
    use: auto-transcode
    with: {type: HLS, quality: hd}
    grants: [transcoding.start, transcoding.stop]
  - id: pip
    use: pip-composition
    with: {publishers: 2, startAfter: 1s, stopAfter: 5s}
    grants: [composition.start, composition.update, composition.stop]
`;

/** The strikes from which on a member's messages are hidden whatever they say, and its streams are ended. */
export const MUTED_FROM = 3;
export const CENSORED_FROM = 5;

/** The bots in force, compiled as a user's are. `hear` is told of each event that a rule hears, in that moment. */
export function simulatedBots(hear: (event: UsherEvent) => void): readonly Bot[] {
  const witness = defineRule({
    name: 'witness',
    hears: [...WITNESSED],
    mayDo: ['log.write'],
    options: z.strictObject({}),
    decide(event, { remember }) {
      hear(event);
      const before = remember.get(WITNESS_COUNT);
      remember.set(WITNESS_COUNT, (typeof before === 'number' ? before : 0) + 1, { forMs: FOR_EVER_MS });
      return [];
    },
  });
  const plugins: readonly PluginDefinition[] = [autoTranscode, censorshipKill, pipComposition, witness];
  const compiled = compileBots({
    files: [
      { path: 'bots/house.yaml', text: HOUSE },
      { path: 'bots/producer.yaml', text: PRODUCER },
    ],
    env: {},
    plugins: new Map(plugins.map((plugin) => [plugin.name, plugin])),
    readFile: (path) => {
      throw new Error(`The simulation has no file ${path}.`);
    },
  });
  if ('findings' in compiled) throw new Error(compiled.findings.join('\n'));
  return compiled.bots;
}
