/** The longest beginning of `text` that takes at most `maxBytes` in UTF-8 and splits no character. */
export const cutToBytes = (text: string, maxBytes: number): string =>
  // Every UTF-16 unit takes at least one byte, so no more of them than bytes can fit.
  text.slice(0, new TextEncoder().encodeInto(text.slice(0, maxBytes), new Uint8Array(maxBytes)).read);
