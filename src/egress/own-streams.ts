/**
 * The stream that carries this `op:` tag, as far as notifications or polls have told; undefined while none has. The
 * daemon answers from the journal.
 */
export type FindOwnStream = (opTag: string) => Promise<string | undefined>;
