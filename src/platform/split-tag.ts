/** A tag like `roomId:…` as key and value, cut at the first colon only, since values hold colons; no colon: no value. */
export function splitTag(tag: string): { readonly key: string; readonly value: string | undefined } {
  const colon = tag.indexOf(':');
  return colon < 0
    ? { key: tag, value: undefined }
    : { key: tag.slice(0, colon), value: tag.slice(colon + 1) };
}
