/** What one request holds of the bytes that all requests together may hold. */
export interface Allowance {
  /** False where there is no more room: nothing was taken. */
  readonly take: (bytes: number) => boolean;
  /** Gives back all that was taken; what is taken afterwards is refused. */
  readonly release: () => void;
}

/** A common purse of `most` bytes: many bodies that are small enough alone must not fill the memory together. */
export function createAllowances(most: number): () => Allowance {
  let held = 0;
  return () => {
    let own = 0;
    let over = false;
    return {
      take(bytes) {
        if (over || held + bytes > most) return false;
        held += bytes;
        own += bytes;
        return true;
      },
      release() {
        over = true;
        held -= own;
        own = 0;
      },
    };
  };
}
