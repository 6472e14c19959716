// Documents whose fonts have ToUnicode maps of every shape.
import { onePage, streamOf } from './written-pdf.ts';

const cmap = (sections: string): string =>
  `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /X def\n/CMapType 2 def
1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${sections}\nendcmap\nend end`;

const GREEK = ['<0391>', '<0392>', '<0393>', '<0394>'];
const CODES = ['<0041>', '<0042>', '<0043>', '<0044>'];
const entries = (texts: readonly string[], codes = CODES): string =>
  texts.map((text, i) => `${codes[i]} ${text}`).join('\n');
const characters = (texts: readonly string[], count: string | number = texts.length, codes = CODES): string =>
  `${count} beginbfchar\n${entries(texts, codes)}\nendbfchar`;
const ranges = (count: string | number, ...rows: string[]): string =>
  `${count} beginbfrange\n${rows.join('\n')}\nendbfrange`;

/** How codes 41 to 44 are mapped, and what other readers agree that they read as. */
export const CMAPS: Readonly<Record<string, { cmap: string; text: string }>> = Object.fromEntries(
  Object.entries({
    'one section': [characters(GREEK), 'ΑΒΓΔ'],
    'two sections': [
      `${characters(GREEK.slice(0, 2))}\n${characters(GREEK.slice(2), 2, CODES.slice(2))}`,
      'ΑΒΓΔ',
    ],
    'sections of which the second says too few': [
      `${characters(GREEK.slice(0, 1))}\n${characters(GREEK.slice(1), 1, CODES.slice(1))}`,
      'ΑΒΓΔ',
    ],
    'a section that says too many': [characters(GREEK, 9), 'ΑΒΓΔ'],
    'a section that does not say how many': [characters(GREEK, ''), 'ΑΒΓΔ'],
    'a section of two hundred': [
      characters(
        Array.from({ length: 200 }, (_, i) => `<${(0x391 + i).toString(16).padStart(4, '0')}>`),
        200,
        Array.from({ length: 200 }, (_, i) => `<${(0x41 + i).toString(16).padStart(4, '0')}>`),
      ),
      'ΑΒΓΔ',
    ],
    'sections without their end': [
      `2 beginbfchar\n${entries(GREEK.slice(0, 2))}\n2 beginbfchar\n${entries(GREEK.slice(2), CODES.slice(2))}`,
      'ΑΒΓΔ',
    ],
    'a range': [ranges(1, '<0041> <0044> <0391>'), 'ΑΒΓΔ'],
    'ranges that say too many': [ranges(7, '<0041> <0042> <0391>', '<0043> <0044> <0393>'), 'ΑΒΓΔ'],
    'ranges that do not say how many': [ranges('', '<0041> <0042> <0391>', '<0043> <0044> <0393>'), 'ΑΒΓΔ'],
    'a range of many codes': [ranges(1, '<0001> <0144> <0351>'), 'ΑΒΓΔ'],
    'a range of all codes': [ranges(1, '<0000> <FFFF> <0350>'), 'ΑΒΓΔ'],
    'a letter, then a range of all codes': [
      `${characters(['<0061>'])}\n${ranges(1, '<0000> <FFFF> <0350>')}`,
      'ΑΒΓΔ',
    ],
    'a range of all codes, then a letter': [
      `${ranges(1, '<0000> <FFFF> <0350>')}\n${characters(['<0061>'])}`,
      'aΒΓΔ',
    ],
    'a range with a list': [ranges(1, `<0041> <0044> [${GREEK.join(' ')}]`), 'ΑΒΓΔ'],
    'a list without blanks': [ranges(1, `<0041><0044>[${GREEK.join('')}]`), 'ΑΒΓΔ'],
    'a list that is too short': [ranges(2, '<0041> <0044> [<0391> <0392>]', '<0043> <0044> <0393>'), 'ΑΒΓΔ'],
    'a range that ends before it begins': [ranges(2, '<0044> <0041> <0061>', '<0041> <0044> <0391>'), 'ΑΒΓΔ'],
    'texts of several letters': [
      characters(['<00660066>', '<0066006600690078>', '<0393>', '<0394>']),
      'ffffixΓΔ',
    ],
    'a range of several letters': [ranges(1, '<0041> <0044> <00780391>'), 'xΑxΒxΓxΔ'],
    'characters above U+FFFF': [characters(['<D835DC00>', '<D83DDE00>', '<D842DFB7>', '<0394>']), '𝐀😀𠮷Δ'],
    'a range above U+FFFF': [ranges(1, '<0041> <0044> <D835DC00>'), '𝐀𝐁𝐂𝐃'],
    'a list above U+FFFF': [ranges(1, '<0041> <0044> [<D835DC00> <D83DDE00> <D842DFB7> <0394>]'), '𝐀😀𠮷Δ'],
    'blanks within digits': [characters(['<03 91>', '<03\n92>', '<0393>', '<D8 35 DC 00>']), 'ΑΒΓ𝐀'],
    comments: [
      `4 beginbfchar % <0041> <0061>\n<0041> <0391> % a > b\n<0042> %x\n<0392>\n<0043> <0393>\n<0044> <0394>\nendbfchar`,
      'ΑΒΓΔ',
    ],
    'texts of one byte': [characters(['<61>', '<62>', '<63>', '<64>']), 'abcd'],
    'a range of one byte': [ranges(1, '<0041> <0044> <61>'), 'abcd'],
    'a code twice, the lower first': [`${characters(['<0061>'])}\n${characters(GREEK)}`, 'ΑΒΓΔ'],
    'a code twice, the higher first': [`${characters(GREEK)}\n${characters(['<0061>'])}`, 'aΒΓΔ'],
    'a range, then other letters': [`${ranges(1, '<0041> <0044> <0061>')}\n${characters(GREEK)}`, 'ΑΒΓΔ'],
    'letters, then another range': [`${characters(GREEK)}\n${ranges(1, '<0041> <0044> <0061>')}`, 'abcd'],
    'codes of more bytes': [
      characters(
        GREEK,
        4,
        CODES.map((code) => code.replace('<', '<0000')),
      ),
      'ΑΒΓΔ',
    ],
    'codes of one byte': [
      characters(
        GREEK,
        4,
        CODES.map((code) => code.replace('<00', '<')),
      ),
      'ΑΒΓΔ',
    ],
    'no blanks at all': [`4 beginbfchar${CODES.map((code, i) => code + GREEK[i]).join('')}endbfchar`, 'ΑΒΓΔ'],
    'lines that end with CR': [characters(GREEK).replaceAll('\n', '\r'), 'ΑΒΓΔ'],
    'an entry that is none': [
      `5 beginbfchar\n<0041> <0391>\n0042 <0392>\n<0042> <0392>\n<0043> <0393>\n<0044> <0394>\nendbfchar`,
      'ΑΒΓΔ',
    ],
  }).map(([name, [sections = '', text = '']]) => [name, { cmap: cmap(sections), text }]),
);

const DESCRIPTOR =
  '<< /Type /FontDescriptor /FontName /Arial /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>';
const COMPOSITE = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>',
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R /DW 700 >>',
  DESCRIPTOR,
];
const SIMPLE =
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>';

export type FontKind = 'simple' | 'composite';

/** How a string of codes is written in a font. */
export const shown = (kind: FontKind, codes: string): string =>
  kind === 'simple' ? `(${codes})` : `<${Buffer.from(codes).toString('hex').replace(/../g, '00$&')}>`;

/** A page whose font /F has this map; `packed` is how its stream is stored. */
export function mappedPage(kind: FontKind, map: string, content: string, packed = streamOf(map)): Buffer {
  const [composite = '', ...parts] = COMPOSITE;
  return onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content,
    more: kind === 'simple' ? [SIMPLE, packed] : [composite, packed, ...parts],
  });
}
