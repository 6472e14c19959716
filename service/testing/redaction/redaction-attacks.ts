// Documents made to hide a word from redaction, each in its own way.
import { deflateSync } from 'node:zlib';
import { pdfOf, streamOf } from '../documents/written-pdf.ts';

export interface Cheat {
  what: string;
  bytes: Uint8Array;
  /** Defaults to SECRET. */
  term?: string;
  /** Words that are still to be read afterwards. */
  stays?: string[];
  /** Further parameters of the call. */
  params?: Record<string, string>;
  /** Programs do not put it together; a reader does. */
  onlyForPeople?: true;
  /** Writing the file anew is all that is needed. */
  countsNothing?: true;
}

interface Parts {
  content: string;
  resources?: string;
  page?: string;
  catalog?: string;
  trailer?: string;
  /** Further objects, from 10 on. */
  more?: string[];
}

export const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
export const FREE = 'null';

/** One page with the font /F (object 5). */
export function document({
  content,
  resources = '',
  page = '',
  catalog = '',
  trailer = '',
  more = [],
}: Parts): Buffer {
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R
        /Resources << /Font << /F 5 0 R >> ${resources} >> ${page} >>`,
      streamOf(content),
      HELVETICA,
      FREE,
      FREE,
      FREE,
      FREE,
      ...more,
    ],
    { trailer },
  );
}

export const line = (text: string, x = 40, y = 200): string => `BT /F 14 Tf ${x} ${y} Td ${text} ET\n`;
export const AROUND = line('(before) Tj', 40, 250) + line('(after) Tj', 40, 60);
export const KEPT = ['before', 'after'];

export const toUnicode = (pairs: readonly (readonly [string, string])[], space: string): string =>
  streamOf(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def
1 begincodespacerange ${space} endcodespacerange
${pairs.length} beginbfchar
${pairs.map(([code, text]) => `<${code}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`).join('\n')}
endbfchar endcmap end end`,
  );

export const letters = (word: string): string[] => [...word];
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** A composite font whose codes have nothing to do with letters. */
function subset(word: string, writing: 'H' | 'V'): { more: string[]; codes: string } {
  const used = [...new Set(letters(word))];
  const code = (letter: string): string => hex(0x11 + 7 * used.indexOf(letter), 4);
  return {
    more: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Odd /Encoding /Identity-${writing}
        /DescendantFonts [11 0 R] /ToUnicode 12 0 R >>`,
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Odd /DW 600 /FontDescriptor 13 0 R
        /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
      toUnicode(
        used.map((letter) => [code(letter), letter] as const),
        '<0000> <ffff>',
      ),
      `<< /Type /FontDescriptor /FontName /ABCDEF+Odd /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0
        /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>`,
    ],
    codes: letters(word).map(code).join(''),
  };
}

export const oddFont = '/Font << /F 5 0 R /O 10 0 R >>';
export const odd = (font: string, content: string, more: string[]): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << ${font} >> >>`,
    streamOf(content),
    HELVETICA,
    FREE,
    FREE,
    FREE,
    FREE,
    ...more,
  ]);

export const form = (content: string, resources = '/Font << /F 5 0 R >>', more = ''): string =>
  streamOf(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << ${resources} >> ${more}`,
  );

const horizontal = subset('SECRET', 'H');
const vertical = subset('SECRET', 'V');
export const utf16 = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

export const XMP = (inner: string): string =>
  streamOf(
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
xmlns:dc="http://purl.org/dc/elements/1.1/">${inner}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
    '/Type /Metadata /Subtype /XML',
  );

const glyph = (path: string): string => streamOf(`700 0 0 0 700 700 d1 ${path} f`);
const DRAWN = ['S', 'E', 'C', 'R', 'T'];

export const CHEATS: readonly Cheat[] = [
  { what: 'plain text', bytes: document({ content: AROUND + line('(a SECRET b) Tj') }), stays: KEPT },
  {
    what: 'letters in hexadecimal',
    bytes: document({ content: AROUND + line('<534543524554> Tj') }),
    stays: KEPT,
  },
  {
    what: 'letters as octal escapes',
    bytes: document({ content: AROUND + line('(\\123\\105\\103\\122\\105\\124) Tj') }),
    stays: KEPT,
  },
  {
    what: 'a word in several strings',
    bytes: document({ content: AROUND + line('(SE) Tj (CR) Tj (ET) Tj ( public) Tj') }),
    stays: [...KEPT, 'public'],
  },
  {
    what: 'letters placed one by one, in another order',
    bytes: document({
      content: `${AROUND}BT /F 14 Tf ${letters('SECRET')
        .map((letter, at) => ({ letter, x: 40 + at * 10 }))
        .sort((a, b) => ((a.x * 7) % 50) - ((b.x * 7) % 50))
        .map(({ letter, x }) => `1 0 0 1 ${x} 200 Tm (${letter}) Tj`)
        .join(' ')} ET`,
    }),
    stays: KEPT,
  },
  {
    what: 'letters in text objects of their own',
    bytes: document({
      content:
        AROUND +
        letters('SECRET')
          .map((letter, at) => line(`(${letter}) Tj`, 40 + at * 10))
          .join(''),
    }),
    stays: KEPT,
  },
  {
    what: 'a word broken by a hyphen at the line end',
    bytes: document({ content: AROUND + line('14 TL (so SEC-) Tj T* (RET it is) Tj') }),
    stays: KEPT,
  },
  {
    what: 'a term over a line end',
    term: 'TOP SECRET',
    bytes: document({ content: AROUND + line('14 TL (it is TOP) Tj T* (SECRET here) Tj') }),
    stays: [...KEPT, 'here'],
  },
  {
    what: 'kerning',
    bytes: document({ content: AROUND + line('[(S) -80 (E) 60 (C) -120 (RE) 30 (T) -300 (public)] TJ') }),
    stays: [...KEPT, 'public'],
  },
  {
    what: 'letters set wide by numbers',
    bytes: document({ content: AROUND + line('[(S) -900 (E) -900 (C) -900 (R) -900 (E) -900 (T)] TJ') }),
    stays: KEPT,
  },
  {
    what: 'letters one below the other',
    bytes: document({
      content:
        AROUND +
        line(
          `13 TL ${letters('SECRET')
            .map((letter) => `(${letter}) Tj T*`)
            .join(' ')}`,
          200,
          220,
        ),
    }),
    stays: KEPT,
  },
  {
    what: 'letters set wide by character spacing, and stretched',
    bytes: document({ content: AROUND + line('9 Tc 130 Tz (SECRET) Tj') }),
    stays: KEPT,
  },
  {
    what: 'operators that move to the next line',
    bytes: document({ content: AROUND + line(`14 TL (x) Tj (SECRET) ' 1 2 (y SECRET) "`) }),
    stays: KEPT,
  },
  {
    what: 'a ligature',
    term: 'confidential',
    bytes: odd(oddFont, AROUND + line('/O 14 Tf (con\\001dential) Tj'), [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi] >> >>',
    ]),
    stays: KEPT,
  },
  {
    what: 'a glyph that stands for the whole word',
    bytes: odd(oddFont, AROUND + line('/O 14 Tf (Q) Tj'), [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 11 0 R >>',
      toUnicode([['51', 'SECRET']], '<00> <ff>'),
    ]),
    stays: KEPT,
  },
  {
    what: 'codes unrelated to letters',
    bytes: odd(oddFont, AROUND + line('/O 14 Tf (\\001\\002\\003\\004\\002\\005) Tj'), [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /a /b /c /d /e] >> /ToUnicode 11 0 R >>',
      toUnicode(
        DRAWN.map((letter, at) => [hex(at + 1, 2), letter] as const),
        '<00> <ff>',
      ),
    ]),
    stays: KEPT,
  },
  {
    what: 'a map to Unicode that lies',
    bytes: odd(oddFont, AROUND + line('/O 14 Tf (SECRET) Tj'), [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 11 0 R >>',
      toUnicode(
        [
          ['53', 'p'],
          ['45', 'u'],
          ['43', 'b'],
          ['52', 'l'],
          ['54', 'i'],
        ],
        '<00> <ff>',
      ),
    ]),
    stays: KEPT,
  },
  {
    what: 'a subset composite font',
    bytes: odd(oddFont, AROUND + line(`/O 14 Tf <${horizontal.codes}> Tj`), horizontal.more),
    stays: KEPT,
  },
  {
    what: 'vertical writing',
    bytes: odd(oddFont, AROUND + line(`/O 14 Tf <${vertical.codes}> Tj`, 300, 250), vertical.more),
    stays: KEPT,
  },
  {
    what: 'text turned by 37 degrees',
    bytes: document({ content: `${AROUND}BT /F 14 Tf 0.8 0.6 -0.6 0.8 150 100 Tm (SECRET) Tj ET` }),
    stays: KEPT,
  },
  {
    what: 'text upside down, on a turned page',
    bytes: document({
      content: `${AROUND}BT /F 14 Tf -1 0 0 -1 300 150 Tm (SECRET) Tj ET`,
      page: '/Rotate 90',
    }),
    stays: KEPT,
  },
  {
    what: 'a form that is drawn twice, in a form',
    bytes: document({
      content: `${AROUND}/A Do q 0.5 0 0 0.5 100 0 cm /A Do Q`,
      resources: '/XObject << /A 10 0 R >>',
      more: [form('/B Do', '/XObject << /B 11 0 R >>'), form(line('(a SECRET b) Tj'))],
    }),
    stays: KEPT,
  },
  {
    what: 'a word half on the page, half in a form',
    bytes: document({
      content: `${AROUND}${line('(SEC) Tj')}/A Do`,
      resources: '/XObject << /A 10 0 R >>',
      more: [form(line('(RET) Tj', 40 + 14 * (0.667 + 0.667 + 0.722)))],
    }),
    stays: KEPT,
  },
  {
    what: 'a form that nothing draws',
    bytes: document({
      content: AROUND,
      resources: '/XObject << /A 10 0 R >>',
      more: [form(line('(a SECRET b) Tj'))],
    }),
    stays: KEPT,
  },
  {
    what: 'a font made of drawings',
    bytes: odd(oddFont, `${AROUND}BT /O 14 Tf 40 200 Td (SECRET) Tj ET`, [
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 700 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 67
        /LastChar 84 /Widths [${Array(18).fill(700).join(' ')}] /Resources << >>
        /Encoding << /Type /Encoding /Differences [67 /C 69 /E 82 /R /S /T] >>
        /CharProcs << ${DRAWN.map((letter, at) => `/${letter} ${11 + at} 0 R`).join(' ')} >> >>`,
      ...DRAWN.map((_, at) => glyph(`${at * 50} 0 300 700 re`)),
    ]),
    stays: KEPT,
  },
  {
    what: 'text inside a drawn glyph',
    bytes: odd(oddFont, `${AROUND}BT /O 14 Tf 40 200 Td (A) Tj ET`, [
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 700 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65
        /LastChar 65 /Widths [700] /Resources << /Font << /F 5 0 R >> >>
        /Encoding << /Type /Encoding /Differences [65 /A] >> /CharProcs << /A 11 0 R >> >>`,
      streamOf('700 0 d0 BT /F 200 Tf (SECRET) Tj ET'),
    ]),
    stays: KEPT,
  },
  {
    what: 'recognised text over a scan',
    bytes: document({
      content: `${AROUND}q 300 0 0 60 30 180 cm /I Do Q ${line('3 Tr (a SECRET b) Tj')}`,
      resources: '/XObject << /I 10 0 R >>',
      more: [
        streamOf(
          deflateSync(Buffer.from(Array.from({ length: 60 * 12 }, (_, at) => (at * 37) % 256))).toString(
            'latin1',
          ),
          '/Type /XObject /Subtype /Image /Width 60 /Height 12 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode',
        ),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'text that only clips',
    bytes: document({ content: `${AROUND}q ${line('7 Tr (SECRET) Tj')} 1 0 0 rg 0 0 400 300 re f Q` }),
    stays: KEPT,
  },
  {
    what: 'white text of a hidden layer',
    bytes: document({
      content: `${AROUND}/OC /L BDC 1 g ${line('(a SECRET b) Tj')} EMC`,
      resources: '/Properties << /L 10 0 R >>',
      catalog: '/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] /Order [10 0 R] >> >>',
      more: ['<< /Type /OCG /Name (The SECRET layer) >>'],
    }),
    stays: KEPT,
  },
  {
    what: 'text in a pattern',
    bytes: document({
      content: `${AROUND}/Pattern cs /P scn 40 100 300 100 re f`,
      resources: '/Pattern << /P 10 0 R >>',
      more: [
        streamOf(
          'BT /F 10 Tf 2 2 Td (SECRET) Tj ET',
          '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 60 20] /XStep 60 /YStep 20 /Resources << /Font << /F 5 0 R >> >>',
        ),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'text in a soft mask',
    bytes: document({
      content: `${AROUND}q /G gs 0 0 1 rg 0 0 400 300 re f Q`,
      resources: '/ExtGState << /G << /SMask << /Type /Mask /S /Luminosity /G 10 0 R >> >> >>',
      more: [
        form(
          `1 g ${line('(SECRET) Tj')}`,
          '/Font << /F 5 0 R >>',
          '/Group << /S /Transparency /CS /DeviceGray >>',
        ),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'text that stands for a drawing',
    bytes: document({
      content: `${AROUND}/Span << /ActualText (SECRET) >> BDC ${line('(x) Tj')} EMC /Span << /Alt (a SECRET) >> BDC EMC /Note << /Said ${utf16('SECRET')} >> DP`,
    }),
    stays: KEPT,
  },
  {
    what: 'texts for drawings that make the word together',
    bytes: document({
      content: `${AROUND}/Span << /ActualText (SEC) >> BDC ${line('(x) Tj')} EMC /Span << /ActualText (RET) >> BDC ${line('(y) Tj', 47)} EMC`,
    }),
    stays: KEPT,
  },
  {
    what: 'tags',
    bytes: document({
      content: `${AROUND}/P << /MCID 0 >> BDC ${line('(a SECRET b) Tj')} EMC`,
      page: '/StructParents 0',
      catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 10 0 R',
      more: [
        '<< /Type /StructTreeRoot /K 11 0 R /ParentTree << /Nums [0 [11 0 R]] >> >>',
        `<< /Type /StructElem /S /P /P 10 0 R /Pg 3 0 R /K 0 /Alt (a SECRET) /ActualText ${utf16('SECRET')} /E (SECRET) /T (SECRET) >>`,
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'an annotation: its text, its author, its look in two states',
    bytes: document({
      content: AROUND,
      page: '/Annots [10 0 R]',
      more: [
        `<< /Type /Annot /Subtype /FreeText /Rect [40 180 240 220] /DA (/F 12 Tf 0 g) /Contents (a SECRET b)
          /T (SECRET agent) /RC (<body><p>SECRET</p></body>) /AP << /N 11 0 R /D 12 0 R >> >>`,
        form('BT /F 12 Tf 4 10 Td (a SECRET b) Tj ET'),
        form('BT /F 12 Tf 4 10 Td (pressed SECRET) Tj ET'),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'a form field: name, value, default, tip, look',
    bytes: document({
      content: AROUND,
      page: '/Annots [10 0 R]',
      catalog: '/AcroForm << /Fields [10 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>',
      more: [
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (SECRET field) /TU (the SECRET) /V ${utf16('a SECRET b')} /DV (SECRET)
          /Rect [40 180 240 200] /MK << /CA (SECRET) >> /AP << /N 11 0 R >> >>`,
        streamOf(
          '/Tx BMC q BT /F 12 Tf 2 5 Td (a SECRET b) Tj ET Q EMC',
          '/Subtype /Form /BBox [0 0 200 20]',
        ),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'info, XMP, outline, labels, attachments, destinations, scripts',
    bytes: document({
      content: AROUND,
      page: '/Metadata 18 0 R',
      catalog: `/Metadata 10 0 R /Outlines 11 0 R /PageLabels << /Nums [0 << /P (SECRET-) /S /D >>] >>
        /Names << /EmbeddedFiles << /Names [(SECRET.txt) 13 0 R] >> /Dests << /Names [(to SECRET) [3 0 R /Fit]] >>
        /JavaScript << /Names [(SECRET) << /S /JavaScript /JS 15 0 R >>] >> >> /OpenAction << /S /URI /URI (http://x/SECRET) >>`,
      trailer: '/Info 17 0 R',
      more: [
        XMP(
          '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &#83;ECRET</rdf:li></rdf:Alt></dc:title><dc:source>SECRET</dc:source>',
        ),
        '<< /Type /Outlines /First 12 0 R /Last 12 0 R /Count 1 >>',
        `<< /Title ${utf16('The SECRET')} /Parent 11 0 R /Dest (to SECRET) >>`,
        '<< /Type /Filespec /F (SECRET.txt) /UF (SECRET.txt) /Desc (a SECRET) /EF << /F 14 0 R >> >>',
        streamOf('hello', '/Type /EmbeddedFile'),
        streamOf('app.alert("SECRET");'),
        FREE,
        `<< /Title (SECRET) /Author ${utf16('Agent SECRET')} /Custom (sEcReT) >>`,
        XMP('<dc:title>SECRET</dc:title>'),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'comments, a thumbnail and private data of a program',
    bytes: document({
      content: `% SECRET\n${AROUND} % more SECRET\n`,
      page: '/Thumb 10 0 R /PieceInfo << /X << /Private 11 0 R /LastModified (D:20200101) >> >>',
      more: [
        streamOf(
          'SECRET'.repeat(2),
          '/Type /XObject /Subtype /Image /Width 4 /Height 3 /BitsPerComponent 8 /ColorSpace /DeviceGray',
        ),
        streamOf('the SECRET drawing'),
      ],
    }),
    stays: KEPT,
  },
  {
    what: 'names of resources, destinations and states',
    bytes: document({
      content: `${AROUND}/SECRET Do /SECRETG gs`,
      resources: '/XObject << /SECRET 10 0 R >> /ExtGState << /SECRETG << /LW 1 >> >>',
      catalog:
        '/Dests << /SECRET [3 0 R /Fit] >> /OpenAction << /S /GoTo /D /SECRET >> /AcroForm << /Fields [11 0 R] >>',
      page: '/Annots [11 0 R]',
      more: [
        form('0 0 10 10 re f'),
        '<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /V /SECRET /AS /SECRET /Rect [300 20 310 30] /AP << /N << /SECRET 12 0 R /Off 13 0 R >> >> >>',
        form('0 0 10 10 re f'),
        form(''),
      ],
    }),
    stays: KEPT,
  },
  { what: 'an earlier revision', bytes: revised(), stays: KEPT, countsNothing: true },
];

/** A document whose content was replaced by an incremental update; the old one is still in the file. */
function revised(): Buffer {
  const first = document({ content: AROUND + line('(a SECRET b) Tj') });
  const previous = /startxref\n(\d+)/.exec(first.toString('latin1'))?.[1];
  const at = first.length;
  const object = `4 0 obj\n${streamOf(AROUND)}\nendobj\n`;
  const table = `xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<< /Size 10 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${at + object.length}\n%%EOF\n`;
  return Buffer.concat([first, Buffer.from(object + table + trailer, 'latin1')]);
}
