import type { Ask } from './deed.ts';

/** How the client is called: once, because the outbox has a protocol of its own for sending again. */
export const asked = ({ signal, deadlineMs }: Ask) => ({ signal, deadlineMs, retry: 'never' }) as const;
