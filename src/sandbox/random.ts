/** A seeded stream of numbers in [0, 1): the same seed gives the same run (sfc32, seeded by the text's FNV hash). */
export type Random = () => number;

export function seededRandom(seed: string | number): Random {
  let hash = 0x811c9dc5;
  for (const char of String(seed)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  let [a, b, c, d] = [hash, hash ^ 0x9e3779b9, hash ^ 0x243f6a88, 1];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 0x1_0000_0000;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return next;
}
