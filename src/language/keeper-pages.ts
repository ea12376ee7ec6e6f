import { compositionRule, transcodingRule } from './bot-schema.ts';

/** What the reference says of the words for `keep`. */
export const KEEPER_PAGES = [
  {
    name: 'transcoding',
    schema: transcodingRule,
    summary:
      'Every live stream of the scope (narrowed by `in: {tags}`) has one transcoding while `while` holds. `grace` tells how long a stream must live first and how long a transcoding outlives its reason; it is `{start: 0s, stop: 30s}` if not given.',
    example: [
      '- id: hls-for-live',
      '  keep: transcoding',
      '  in: {tags: {any: ["rendition:auto"]}}',
      '  while: publishing',
      '  transcoding: {type: HLS, quality: hd, onDemand: true, tags: ["kind:auto-hls"]}',
      '  grace: {start: 0s, stop: 30s}',
    ],
    guarantee: 'exact',
  },
  {
    name: 'composition',
    schema: compositionRule,
    summary:
      'A place has one picture-in-picture of those who show a picture while `while` holds. The first of `main` that fits anybody (else the oldest) is full screen; the others are `insets`, in order, at most `max`. Offsets count in pixels from the anchor into the picture. `grace` is `{start: 2s, stop: 15s}` if not given; changes in between are updates at once.',
    example: [
      '- id: pip',
      '  keep: composition',
      '  in: {rooms: ["studio-*"]}',
      '  while: {publishers: {atLeast: 2, withVideo: true}}',
      '  main: [{type: Presentation}, {role: Presenter}, oldest]',
      '  insets: {order: joined, max: 3, anchor: BottomRight, width: 320, height: 180, gap: 16, stack: up}',
      '  capabilities: [hd, prefer-h264]',
      '  tags: ["kind:pip"]',
      '  grace: {start: 2s, stop: 15s}',
    ],
    guarantee: 'exact',
  },
] as const;
