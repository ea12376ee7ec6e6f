import { feedLine } from './feed-item.ts';

/** What is needed of a socket, so that tests can be slow on purpose. */
export interface FeedSocket {
  /** Bytes handed over and not yet on the network. */
  readonly bufferedAmount: number;
  send(text: string, sent: () => void): void;
}

export interface FeedLimits {
  readonly lines: number;
  readonly characters: number;
  /** The socket gets more only while it holds fewer bytes than this. */
  readonly socketBytes: number;
}

export const FEED_LIMITS: FeedLimits = { lines: 2_000, characters: 1_000_000, socketBytes: 65_536 };

/**
 * What waits for one client. A client that reads too slowly loses what does not fit and is told how much in the place
 * of what it lost; it costs others nothing, and never more memory than the limits.
 */
export function feedClient(socket: FeedSocket, limits: FeedLimits = FEED_LIMITS) {
  let waiting: string[] = [];
  let first = 0;
  let characters = 0;
  let dropped = 0;

  const pending = () => waiting.length - first;
  const add = (line: string) => {
    waiting.push(line);
    characters += line.length;
  };
  const tellDropped = () => {
    if (dropped === 0) return;
    add(feedLine({ kind: 'dropped', dropped }));
    dropped = 0;
  };
  const flush = () => {
    while (socket.bufferedAmount < limits.socketBytes) {
      if (pending() === 0) tellDropped();
      const line = waiting[first];
      if (line === undefined) break;
      first += 1;
      characters -= line.length;
      socket.send(line, flush);
    }
    // Moved together only when half is behind us: each line is moved once on average.
    if (first > waiting.length / 2) {
      waiting = waiting.slice(first);
      first = 0;
    }
  };

  return {
    push(line: string): void {
      if (pending() >= limits.lines || characters + line.length > limits.characters) {
        dropped += 1;
      } else {
        tellDropped();
        add(line);
      }
      flush();
    },
    stats: () => ({ waiting: pending(), characters, dropped }),
  };
}

export type FeedClient = ReturnType<typeof feedClient>;
