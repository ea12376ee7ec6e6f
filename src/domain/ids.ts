/** Made from the thing itself (`event-id.ts`), so that a notification and a poll of one fact fall together. */
export type EventId = string;

/** Deterministic: bot, rule, causing events and ordinal (`action-id.ts`). Short enough for a message tag. */
export type ActionId = string;
