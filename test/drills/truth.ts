import type { Accepted } from './inspect-journal.ts';
import type { Sandbox } from '../journeys/processes.ts';
import type { RequestRecord } from '../../src/sandbox/http/request-log.ts';
import type { Delivery } from '../../src/sandbox/notifications/delivery.ts';

export interface SaidMessage {
  readonly messageId: string;
  readonly from: { readonly screenName: string };
  readonly mimeType: string;
  readonly message: string;
}

/** What really happened, as the platform knows it. Oldest first throughout. */
export interface Truth {
  readonly requests: readonly RequestRecord[];
  readonly deliveries: readonly Delivery[];
  /** By room. */
  readonly messages: ReadonlyMap<string, readonly SaidMessage[]>;
}

/** The notifications that were answered with 2XX. */
export const acceptedOf = ({ deliveries }: Truth): Accepted[] =>
  deliveries.filter(({ state }) => state === 'delivered').map(({ body }) => body as unknown as Accepted); // interface.md, "Events"

const PAGE = 128;

export async function readTruth(sandbox: Sandbox): Promise<Truth> {
  const { requests } = await sandbox.control<{ requests: RequestRecord[] }>('GET', 'requests');
  const { deliveries } = await sandbox.control<{ deliveries: Delivery[] }>('GET', 'deliveries');
  const { rooms } = await sandbox.api<{ rooms: { roomId: string }[] }>('GET', '/rooms?type=MultiPartyChat');
  const messages = new Map<string, readonly SaidMessage[]>();
  for (const { roomId } of rooms) messages.set(roomId, await messagesOf(sandbox, roomId));
  return { requests, deliveries, messages };
}

async function messagesOf(sandbox: Sandbox, roomId: string): Promise<readonly SaidMessage[]> {
  const all: SaidMessage[] = [];
  const path = `/room/${encodeURIComponent(roomId)}/messages?limit=${PAGE}`;
  for (let after = ''; ; after = `&afterMessageId=${encodeURIComponent(all.at(-1)?.messageId ?? '')}`) {
    // Without a bound the platform gives the newest page: a bound below all ids gives the oldest.
    const page = await sandbox.api<{ messages: SaidMessage[]; hasMoreAfter: boolean }>(
      'GET',
      `${path}${after === '' ? '&afterMessageId=0' : after}`,
    );
    all.push(...page.messages);
    if (!page.hasMoreAfter) return all;
  }
}
