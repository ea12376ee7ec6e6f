/** The bot of the drills: each of its rules leaves something that can be counted. */
export const BOT = `version: 1
bot: drill
as: {screenName: Usher, role: Moderator}
clients: cooperating
in: {rooms: ["*"]}
defaults: {mode: enforce, except: {role: [Moderator]}}
lists: {slurs: {terms: [grobnik]}}
strikes: {chat: {per: member, ladder: [{at: 1, do: [{reply: "{{member.name}} strike {{strikes}}"}]}]}}
rules:
  - {id: order, when: {command: "!order"}, then: [{reply: "{{member.name}} order {{args.0}}"}]}
  - {id: slurs, when: message, if: {text: {list: slurs}}, then: [hide, {strike: {ladder: chat, points: 1, reason: rude}}]}
  - {id: censor, use: censorship-kill, with: {watch: 6h}, except: {}, grants: [stream.terminate]}
  - {id: hls, use: auto-transcode, grants: [transcoding.start, transcoding.stop]}
  - {id: pip, in: {rooms: ["studio-*"]}, use: pip-composition, with: {startAfter: 0s, stopAfter: 1s}, grants: [composition.start, composition.update, composition.stop]}
  - {id: heard, when: stream.ended, then: [{log: "heard {{stream.id}}"}]}
`;

export const BOT_NAME = 'Usher';
export const SLUR = 'grobnik';
export const MARKER = 'application/vnd.usher.moderation+json';

/** What people say, and what the bot says to it: so the messages of a room tell what its answers must be. */
export const order = (n: number): string => `!order ${n}`;

/** The answer that a message asks for; `strikes` are the member's before it. */
export function answerTo(name: string, message: string, strikes: number): string | undefined {
  if (message.startsWith('!order ')) return `${name} order ${message.slice('!order '.length)}`;
  return message.includes(SLUR) ? `${name} strike ${strikes + 1}` : undefined;
}

/** Put on streams when they are published: who is censored, who is on camera, who only talks. */
export const KIND = { censored: 'kind:censored', camera: 'kind:camera', voice: 'kind:voice' } as const;
