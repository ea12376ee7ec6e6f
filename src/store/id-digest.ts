import { hash } from 'node:crypto';
import type { EventId } from '../domain/event.ts';

/**
 * What the unique index keeps instead of an event's id: an id may hold a whole notification, the digest is always 22
 * characters. 128 bits: two facts never meet by chance.
 */
export const idDigest = (id: EventId): string => hash('sha256', id, 'base64url').slice(0, 22);
