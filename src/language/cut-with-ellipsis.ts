import { cutToBytes } from '../platform/index.ts';

const ELLIPSIS = '…';

/** A text that fits into `most` bytes of UTF-8: itself, or its beginning with `…`, never half a character. */
export const cutWithEllipsis = (text: string, most: number): string =>
  Buffer.byteLength(text) <= most ? text : cutToBytes(text, most - Buffer.byteLength(ELLIPSIS)) + ELLIPSIS;
