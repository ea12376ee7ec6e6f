/**
 * Lookalikes of Latin letters: prototype on the left, its lookalikes on the right.
 *
 * The first table is derived from `confusables.txt` of Unicode Technical Standard #39, version 13.0.0, as packaged
 * by unhomoglyph 1.0.6 (MIT): small letters, or the small letters of capitals, of left-to-right scripts whose prototype
 * is plain Latin, without those that compatibility decomposition, case folding and dropped marks reach anyway.
 * Copyright 1991-2020 Unicode, Inc., under the Unicode License (https://www.unicode.org/license.txt), which asks
 * that this notice stays with the data. The tables after it are kept by hand.
 */
const UTS39: Readonly<Record<string, string>> = {
  a: 'ɑαаᗄᗅꓮꓯꭺ𐊠𖽀',
  aa: 'ꜳ',
  ae: 'æӕ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀƅɓѣҍᏼᑲᑳᖯᗷꓐꮟ𐊂𐊡𐌁',
  c: 'ȼͻсҫᴐↄⲥꓚꓛꬿꮯ𐊢𐌂𐐽𐑋𐔜𑣲',
  ce: 'ꭢ',
  d: 'ðđƌɖɗԁᑯᗞᗪꓒꓓꭰꮷ',
  dz: 'ʣ',
  e: 'ɇеҽҿәⴹⴺꓰꓱꬲꭼ𐊆𑣆𑣎𖼭',
  eo: 'ᴔꭁꭂ',
  f: 'ƒքᖴᵮẝꓝꞙꬵ𐊇𐊥𐔥𑣂',
  g: 'ƍǥɠɡԍցᏻᶃꓖꮐ',
  h: 'ħɦћңһӈӊհᏺᕼⱨⲏꓧꚕꮋꮒ𐋏',
  i: 'ɨɩιіӏᵻᵼꙇꭵ𑣃',
  j: 'ɉʝϳјᒍᵳꓙꭻ',
  k: 'ƙқҟᛕⱪⲕꓗꝁꮶ𐔘',
  l: 'łƚǀɫɭᒪᛁⲓⳑⵏꓡꓲꮮ𐊊𐌉𐌠𐑃𐔦𑣒𖼖𖼨',
  ll: 'ǁ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ᗰᛖⲙꓟ𐊰𐌑',
  n: 'ƞɲɳոռᑎᵰⲛꓠꓵ𐔓',
  o: 'øɵθοσϛоѳөօჿᴑⲟⴱⵁⵔꓳꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐬𐓪𐔖𑣈𑣕𑣗',
  oe: 'œɶ',
  oo: 'ꚙꝏ',
  p: 'ƥρрᑭᴩᵽⲣꓑꮲ𐊕',
  q: 'ʠԛգզⵕ',
  r: 'ɍɼɽгғᖇᴦᵲⲅꓣꭇꭈꭱꮁꮢ𐓜𖼵',
  rn: 'ɱᵯ𑜀',
  s: 'ƽʂѕᵴꓢꮥꮪ𐊖𐑈𑣁𖼺',
  ss: 'ꞵ',
  t: 'ŧƭʈҭᵵⱦⲧꓔꭲ𐊗𐊱𐌕𖼊',
  tf: 'ꝷ',
  ts: 'ʦ',
  u: 'ʉʋυսᑌᵾꓴꞟꭎꭒꮜ𐓶𑣘𖽂',
  ue: 'ᵫ',
  uo: 'ꭣ',
  v: 'νѵᐯᐱᴧⴷⴸꓥꓦꛎꛟꮩ𐊍𐓘𐔝𑜆𑣀𖼈𖼽',
  w: 'ѡѽӎԝաᗯᘯᘵⲱꓪꙍꝡꞷꮃꮇꮤ𐊶𑓅𑜊𑜎𑜏𑣯',
  x: 'хᕁᕽᚷⲭⵝꓫꭓ𐊐𐊴𐌗𐌢𐔧𑣬',
  y: 'ƴɏɣγуүұყᒥᶌỿⲩꓬꭚꭹꮍ𐊲𑣜𖼇𖽃',
  z: 'ƶȥʐᵶꓜꮓ𐋵𑣄𑣉',
};

/** What UTS #39 gives no Latin prototype, though readers do: small capitals, turned letters, Cyrillic and Greek letters whose capitals look Latin. */
const BY_HAND: Readonly<Record<string, string>> = {
  a: 'ɐᗩᴀ',
  b: 'ьƃʙβв',
  c: 'ϲɔᴄ',
  d: 'ᴅ',
  e: 'ǝɘəɛєᴇ',
  f: 'ɟꜰ',
  g: 'ɢ',
  h: 'ɥʜн',
  i: 'ɪᴉ',
  j: 'ɾᴊ',
  k: 'ĸʞκкᴋ',
  l: 'ʟ',
  m: 'мᴍ',
  n: 'ɴη',
  o: 'ᴏ',
  p: 'ᴘ',
  r: 'ɹʀʁ',
  s: 'ꜱ',
  t: 'ʇτтᴛ',
  u: 'μᴜ',
  v: 'ʌᴠ',
  w: 'ɯʍωᴡ',
  y: 'ʎʏ',
  z: 'ᴢ',
};

/** Greek capitals that look like another letter than their small forms do (Η is read h, η is read n). */
const CAPITALS: Readonly<Record<string, string>> = { h: 'Η', n: 'Ν', y: 'Υ' };

/**
 * From the same source: letters of scripts that have shapes of their own, and symbols. Only in a second pass are they
 * read as Latin, so that these scripts keep all their letters; those written from right to left stand as escapes.
 */
const IN_PASSING: Readonly<Record<string, string>> = {
  a: '⍶⍺',
  c: '¢₡🅮🝌',
  d: '₫',
  e: '℮⋿',
  f: '₽𝈓',
  i: '⍳⍸',
  k: '₭',
  l: '\u{5c0}\u{5d5}\u{5df}\u{627}\u{673}\u{7ca}∣⏽𝈪\u{1e8c7}',
  n: 'በ∩⋂𐆎𝉅',
  o: '\u{5e1}\u{647}\u{6be}\u{6c1}\u{6d5}\u{6ff}ଠഠတဝዐ⊖⊝⍬𝈚🜔',
  p: '⍴',
  r: '𝈖',
  t: '₮⊤⍡⟙🝨',
  u: 'ሀ∪⋃',
  v: '\u{5d8}∨⋁𐆗𝈍🜈',
  w: '₩𝈢',
  x: '×᙭᙮╳⤫⤬⨯⨰𐆖',
  y: '¥',
};

const invert = (...tables: readonly Readonly<Record<string, string>>[]): Map<string, string> =>
  new Map(
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([latin, lookalikes]) =>
        Array.from(lookalikes, (lookalike): [string, string] => [lookalike, latin]),
      ),
    ),
  );

/** From one character to the Latin letters that it is read as; capitals are the exceptions to case folding. */
export const LOOKALIKES: ReadonlyMap<string, string> = invert(UTS39, BY_HAND, CAPITALS);

/** What else may stand for one Latin letter, in disguise only. */
export const DISGUISES: ReadonlyMap<string, string> = invert(IN_PASSING);
