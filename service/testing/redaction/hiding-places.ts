// A word in every place a PDF can hold it besides its pages' plain text.
import { deflateSync } from 'node:zlib';
import { pdfOf, streamOf } from '../documents/written-pdf.ts';
import { IN_DATA } from './hiding-in-data.ts';
import {
  AROUND,
  type Cheat,
  document,
  FREE,
  form,
  HELVETICA,
  KEPT,
  letters,
  line,
  utf16,
  XMP,
} from './redaction-attacks.ts';

const word = 'SECRET';
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const wide = (text: string): string => latin1(Buffer.from(text, 'utf16le').swap16());
const narrowEnd = (text: string): string => latin1(Buffer.from(text, 'utf16le'));
const bytes16 = (value: number): string => String.fromCharCode((value >> 8) & 255, value & 255);
const bytes32 = (value: number): string => bytes16(value >>> 16) + bytes16(value);

const simple = (what: string, parts: Parameters<typeof document>[0], more: Partial<Cheat> = {}): Cheat => ({
  what,
  bytes: document(parts),
  stays: KEPT,
  ...more,
});

// Pictures.

const JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMABbf/9k=',
  'base64',
);
const segment = (marker: number, data: string): string =>
  `\xff${String.fromCharCode(marker)}${bytes16(data.length + 2)}${data}`;
const jpegWith = (inside: string, behind = ''): string =>
  latin1(JPEG.subarray(0, 2)) + inside + latin1(JPEG.subarray(2)) + behind;
const jpegPage = (what: string, data: string): Cheat =>
  simple(what, {
    content: `${AROUND}q 80 0 0 80 200 150 cm /I Do Q`,
    resources: '/XObject << /I 10 0 R >>',
    more: [
      streamOf(
        data,
        '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
      ),
    ],
  });
/** One ASCII entry (ImageDescription) and one in UTF-16LE (XPComment). */
const exif = (): string => {
  const said = `the ${word} photo\0`;
  const wideSaid = narrowEnd(`${word} too\0`);
  const entry = (tag: number, type: number, count: number, at: number): string =>
    bytes16(tag) + bytes16(type) + bytes32(count) + bytes32(at);
  const at = 8 + 2 + 24 + 4;
  return `Exif\0\0MM\0*${bytes32(8)}${bytes16(2)}${entry(0x10e, 2, said.length, at)}${entry(0x9c9c, 1, wideSaid.length, at + said.length)}${bytes32(0)}${said}${wideSaid}`;
};
const box = (type: string, data: string): string => bytes32(data.length + 8) + type + data;
const samples = (text: string): string => {
  const pixels = Buffer.alloc(400, 130);
  pixels.write(text, 200, 'latin1');
  return latin1(deflateSync(pixels));
};

// Colour profiles and fonts.

const icc = (tags: Record<string, string>): string => {
  const entries = Object.entries(tags);
  let at = 128 + 4 + entries.length * 12;
  let table = bytes32(entries.length);
  let data = '';
  for (const [signature, value] of entries) {
    const padded = value + '\0'.repeat((4 - (value.length % 4)) % 4);
    table += signature + bytes32(at) + bytes32(value.length);
    at += padded.length;
    data += padded;
  }
  const head = `${bytes32(at)}none${bytes32(0x02100000)}mntrRGB XYZ ${'\0'.repeat(12)}acspAPPL${'\0'.repeat(84)}`;
  return head.slice(0, 128) + table + data;
};
const mluc = (text: string): string =>
  `mluc\0\0\0\0${bytes32(1)}${bytes32(12)}enUS${bytes32(text.length * 2)}${bytes32(28)}${wide(text)}`;
const profile = icc({ desc: mluc(`The ${word} colours`), cprt: `text\0\0\0\0(c) ${word} Ltd\0` });

/** A font program that is nothing but a table of names: readers draw with another font. */
const sfnt = (): string => {
  const texts = [wide(`${word} Sans`), `(c) ${word} Foundry`];
  const record = (platform: number, encoding: number, id: number, length: number, at: number): string =>
    [platform, encoding, platform === 3 ? 0x409 : 0, id, length, at].map(bytes16).join('');
  const table =
    bytes16(0) +
    bytes16(2) +
    bytes16(6 + 24) +
    record(3, 1, 1, texts[0]?.length ?? 0, 0) +
    record(1, 0, 0, texts[1]?.length ?? 0, texts[0]?.length ?? 0) +
    texts.join('');
  return `\0\x01\0\0${bytes16(1)}${bytes16(16)}${bytes16(0)}${bytes16(0)}name${bytes32(0)}${bytes32(28)}${bytes32(table.length)}${table}`;
};
const descriptor = (name: string, more: string): string =>
  `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800
    /Descent -200 /CapHeight 700 /StemV 80 ${more} >>`;
const widths = `/FirstChar 32 /LastChar 126 /Widths [${Array(95).fill(500).join(' ')}]`;
const fontPage = (what: string, font: string, more: string[], content = '(here) Tj'): Cheat =>
  simple(
    what,
    {
      content: `${AROUND}BT /O 14 Tf 40 150 Td ${content} ET`,
      resources: '/X <<>>',
      more: [font, ...more],
    },
    {},
  );
/** The page's fonts are /F and /O, object 10. */
const withFont = (cheat: Cheat): Cheat => ({
  ...cheat,
  bytes: Buffer.from(
    latin1(cheat.bytes).replace('/Font << /F 5 0 R >> /X <<>>', '/Font <</F 5 0 R/O 10 0 R>>     '),
    'latin1',
  ),
});

// Form data.

const packet = (text: string, type = '/Type /EmbeddedFile'): string => streamOf(text, type);
const XFA = [
  '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">',
  `<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform name="${word}1"><field name="a"><caption><value><text>The ${word} field</text></value></caption></field></subform></template>`,
  `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><a>a &#83;ECRET b</a><b>harmless</b></form></xfa:data></xfa:datasets>`,
  '</xdp:xdp>',
];
const xfaPage = (what: string, type: string, extra = ''): Cheat =>
  simple(what, {
    content: AROUND,
    catalog: `/AcroForm << /Fields [] /XFA [(preamble) 10 0 R (template) 11 0 R (datasets) 12 0 R (postamble) 13 0 R] >> ${extra}`,
    more: XFA.map((text) => packet(text, type)),
  });

// Words whose letters stand apart.

const spread = (by: number, text = word): string =>
  `[${letters(text)
    .map((letter) => `(${letter})`)
    .join(` ${-by} `)}] TJ`;
const spreadCases: Cheat[] = [
  ...[100, 150, 180, 200, 220, 250, 280, 300, 400, 600].flatMap((by) => [
    simple(`letters ${by / 1000} em apart in one TJ`, { content: AROUND + line(spread(by)) }),
    simple(
      `letters ${by / 1000} em apart in one TJ, words around, whole words`,
      {
        content: AROUND + line(`[(so it is a ) ${-by}] TJ ${spread(by)} [${-by} ( for all)] TJ`),
      },
      { params: { wholeWordSearch: 'true' }, stays: [...KEPT, 'for all'] },
    ),
  ]),
  simple(
    'letters unevenly apart in one TJ',
    {
      content: AROUND + line('[(it is )-300(S) -180 (E) -300 (C) -120 (R) -260 (E) -60 (T) -700 (today)] TJ'),
    },
    { stays: [...KEPT, 'today'] },
  ),
  simple(
    'two words with letters apart',
    {
      content: AROUND + line(`${spread(220, 'TOP')} [-900] TJ ${spread(220)} [-900 (now)] TJ`),
    },
    { term: 'TOP SECRET', stays: [...KEPT, 'now'] },
  ),
  simple(
    'letters apart by character spacing, beside other words',
    {
      content: AROUND + line(`3.2 Tc (we say SECRET now) Tj`),
    },
    { stays: KEPT, params: { wholeWordSearch: 'true' } },
  ),
  simple('letters apart by one Td each', {
    content: `${AROUND}BT /F 14 Tf 40 200 Td (see ) Tj ${letters(word)
      .map((letter, at) => `${at === 0 ? 30 : 13.4} 0 Td (${letter}) Tj`)
      .join(' ')} ET`,
  }),
  simple(
    'letters apart by blanks, words by more of them',
    {
      content: AROUND + line('(T O P   S E C R E T   now) Tj'),
    },
    { term: 'TOP SECRET', stays: [...KEPT, 'now'] },
  ),
];

// Text drawn twice.

const twice = (by: number): string =>
  `BT /F 14 Tf 40 200 Td (a SECRET b) Tj ET BT /F 14 Tf ${40 + by} 200 Td (a SECRET b) Tj ET\n`;
const boldCases: Cheat[] = [
  ...[0, 0.2, 0.5, 1, 2].map((by) =>
    simple(`text drawn twice, ${by} apart`, { content: AROUND + twice(by) }),
  ),
  simple('every letter drawn twice before the next', {
    content:
      AROUND +
      line(
        `[${letters(word)
          .map((letter) => `(${letter}) 640 (${letter})`)
          .join(' ')}] TJ`,
      ),
  }),
  simple('every letter drawn twice, in text objects of their own', {
    content:
      AROUND +
      letters(word)
        .map((letter, at) => line(`(${letter}) Tj`, 40 + at * 10) + line(`(${letter}) Tj`, 40.4 + at * 10))
        .join(''),
  }),
  simple('text filled and stroked', { content: `${AROUND}0.6 w ${line('2 Tr (a SECRET b) Tj')}` }),
];

// Pages.

const twoPages = (first: string, second: string, more: string[] = []): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 /MediaBox [0 0 400 300] /Resources << /Font << /F 5 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    streamOf(first),
    HELVETICA,
    '<< /Type /Page /Parent 2 0 R /Contents 7 0 R >>',
    streamOf(second),
    FREE,
    FREE,
    ...more,
  ]);
const pageCases: Cheat[] = [
  {
    what: 'a term over a page end',
    term: 'TOP SECRET',
    bytes: twoPages(
      AROUND + line('(it is TOP) Tj', 40, 30),
      line('(SECRET here) Tj', 40, 270) + line('(below) Tj', 40, 100),
    ),
    stays: [...KEPT, 'it is', 'here', 'below'],
  },
  {
    what: 'a word broken by a hyphen at the page end',
    bytes: twoPages(
      AROUND + line('(it is SEC-) Tj', 40, 30),
      line('(RET here) Tj', 40, 270) + line('(below) Tj', 40, 100),
    ),
    stays: [...KEPT, 'it is', 'here', 'below'],
  },
  {
    what: 'a term over a page end, page numbers between',
    onlyForPeople: true,
    term: 'TOP SECRET',
    bytes: twoPages(
      AROUND + line('(it is TOP) Tj', 40, 50) + line('(17) Tj', 190, 20),
      line('(Report) Tj', 190, 285) + line('(SECRET here) Tj', 40, 260) + line('(below) Tj', 40, 100),
    ),
    stays: [...KEPT, 'it is', 'here', 'below', '17', 'Report'],
  },
];

const objectStreams = (): Buffer => {
  const held = [
    `<< /Title (a ${word}) >>`,
    `<< /Type /Annot /Subtype /Text /Rect [10 10 20 20] /Contents ${utf16(word)} >>`,
  ];
  const offsets = held.map((_, at) => held.slice(0, at).join(' ').length + (at > 0 ? 1 : 0));
  const head = `10 ${offsets[0]} 11 ${offsets[1]} `;
  const packed = latin1(deflateSync(Buffer.from(head + held.join(' '), 'latin1')));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [11 0 R] >>',
    streamOf(AROUND),
    HELVETICA,
    streamOf(packed, `/Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode`),
  ];
  let body = '%PDF-1.7\n';
  const rows: [number, number, number][] = [[0, 0, 65535]];
  objects.forEach((object, index) => {
    rows.push([1, body.length, 0]);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const at = body.length;
  const stream = [...rows, [1, at, 0], [0, 0, 0], [0, 0, 0], [2, 6, 0], [2, 6, 1]]
    .map(([type = 0, second = 0, third = 0]) => String.fromCharCode(type) + bytes32(second) + bytes16(third))
    .join('');
  body += `7 0 obj\n${streamOf(stream, '/Type /XRef /Size 12 /W [1 4 2] /Root 1 0 R /Info 10 0 R')}\nendobj\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
};

export const HIDING_PLACES: readonly Cheat[] = [
  xfaPage('XFA packets', ''),
  xfaPage('XFA packets that say they are attachments', '/Type /EmbeddedFile'),
  simple('XFA in one stream that says it is an attachment', {
    content: AROUND,
    catalog: '/AcroForm << /Fields [] /XFA 10 0 R >>',
    more: [packet(XFA.join(''))],
  }),
  simple('XFA that is listed as an attachment too', {
    content: AROUND,
    catalog:
      '/AcroForm << /Fields [] /XFA 10 0 R >> /Names << /EmbeddedFiles << /Names [(form.xml) << /Type /Filespec /F (form.xml) /EF << /F 10 0 R >> >>] >> >>',
    more: [packet(XFA.join(''))],
  }),
  simple('XFA in UTF-16', {
    content: AROUND,
    catalog: '/AcroForm << /Fields [] /XFA 10 0 R >>',
    more: [packet(`\xfe\xff${wide(XFA.join(''))}`)],
  }),
  simple('a stream that says it is an attachment and is none', {
    content: AROUND,
    page: '/Private 10 0 R',
    more: [packet(`the ${word} notes`)],
  }),
  simple('attachments: names, descriptions, other names for other systems', {
    content: AROUND,
    catalog: `/Names << /EmbeddedFiles << /Names [(${word}) 10 0 R] >> >> /AF [10 0 R]`,
    more: [
      `<< /Type /Filespec /F (${word}.txt) /UF ${utf16(`${word}.txt`)} /DOS (${word}) /Mac (${word}) /Unix (${word}) /Desc (${word}) /EF << /F 11 0 R >> /RF << /F [(${word}.txt) 11 0 R] >> /CI << /About (${word}) >> >>`,
      streamOf('hello', '/Type /EmbeddedFile /Subtype /text#2Fplain /Params << /Size 5 >>'),
    ],
  }),
  ...spreadCases,
  ...boldCases,
  ...pageCases,
  withFont(
    fontPage(
      'the name of a font',
      `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+${word}Sans-Bold /Encoding /WinAnsiEncoding ${widths} /FontDescriptor 11 0 R >>`,
      [descriptor(`ABCDEF+${word}Sans-Bold`, `/FontFamily (${word} Sans) /FontStretch /Normal`)],
    ),
  ),
  withFont(
    fontPage(
      'names inside a font program',
      `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Odd /Encoding /WinAnsiEncoding ${widths} /FontDescriptor 11 0 R >>`,
      [descriptor('ABCDEF+Odd', '/FontFile2 12 0 R'), streamOf(sfnt(), `/Length1 ${sfnt().length}`)],
    ),
  ),
  withFont(
    fontPage(
      'names of glyphs that are drawings',
      `<< /Type /Font /Subtype /Type3 /Name /${word} /FontBBox [0 0 700 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65
        /LastChar 65 /Widths [700] /Resources << >> /Encoding << /Type /Encoding /Differences [65 /${word}.glyph] >> /CharProcs << /${word}.glyph 11 0 R >> >>`,
      [streamOf('700 0 0 0 700 700 d1 0 0 300 700 re f')],
      '(A) Tj',
    ),
  ),
  simple('the name of a spot colour', {
    content: `${AROUND}/Spot cs 1 scn 200 100 50 50 re f`,
    resources: `/ColorSpace << /Spot [/Separation /${word}#20Red /DeviceCMYK 10 0 R] >>`,
    more: ['<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>'],
  }),
  simple('names of several colourants', {
    content: `${AROUND}/Spot cs 1 0.5 scn 200 100 50 50 re f`,
    resources: `/ColorSpace << /Spot [/DeviceN [/${word}Red /Cyan] /DeviceCMYK 10 0 R << /Subtype /DeviceN /Colorants << /${word}Red [/Separation /${word}Red /DeviceCMYK 11 0 R] >> >>] >>`,
    more: [
      streamOf('{ 0 0 }', '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]'),
      '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>',
    ],
  }),
  simple('tags of marked content', {
    content: `/${word} BMC ${AROUND} EMC /${word}2 << /Kind /${word}3 >> BDC EMC /${word}4 MP /${word}5 << /Kind 1 >> DP`,
  }),
  simple('keys, names, lists and depths of a property list', {
    content: `/Span << /${word} (x) /A [(${word})] /B << /C << /D ${utf16(word)} /E /${word} >> >> >> BDC ${AROUND} EMC`,
  }),
  simple('property lists among the resources', {
    content: `/Span /${word}P BDC ${AROUND} EMC /Span /Q DP`,
    resources: `/Properties << /${word}P << /Kind /${word} /Said (${word}) >> /Q << /${word} 1 >> >>`,
  }),
  simple('roles, classes and attributes of tags', {
    content: `/${word}Role << /MCID 0 >> BDC ${AROUND} EMC`,
    page: '/StructParents 0',
    catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 10 0 R',
    more: [
      `<< /Type /StructTreeRoot /K 11 0 R /ParentTree << /Nums [0 [11 0 R]] >> /RoleMap << /${word}Role /P >> /ClassMap << /${word}Class << /O /Layout /${word}Key 1 >> >> >>`,
      `<< /Type /StructElem /S /${word}Role /P 10 0 R /Pg 3 0 R /K 0 /C /${word}Class /A << /O /UserProperties /P [<< /N (${word}) /V /${word} /F (${word}) >>] >> /ID (${word}-1) /Lang (x-${word}) >>`,
    ],
  }),
  simple('the language of the document', { content: AROUND, catalog: `/Lang (en-x-${word})` }),
  simple('the language of marked content', {
    content: `/Span << /Lang (de-x-${word}) >> BDC ${AROUND} EMC`,
  }),
  jpegPage('a comment in a JPEG', jpegWith(segment(0xfe, `made by ${word}`))),
  jpegPage('EXIF in a JPEG', jpegWith(segment(0xe1, exif()))),
  jpegPage(
    'XMP and resources of a photo editor in a JPEG',
    jpegWith(
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${word}</x:xmpmeta>`) +
        segment(0xed, `Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0b\x1c\x02\x50\0\x06${word}\0`),
    ),
  ),
  jpegPage('a colour profile in a JPEG', jpegWith(segment(0xe2, `ICC_PROFILE\0\x01\x01${profile}`))),
  jpegPage('data behind the end of a JPEG', jpegWith('', `\nthe ${word} tail`)),
  {
    what: 'a comment in a JPEG in hexadecimal',
    bytes: document({
      content: `${AROUND}q 80 0 0 80 200 150 cm /I Do Q`,
      resources: '/XObject << /I 10 0 R >>',
      more: [
        streamOf(
          `${Buffer.from(jpegWith(segment(0xfe, word)), 'latin1').toString('hex')}>`,
          '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter [/ASCIIHexDecode /DCTDecode]',
        ),
      ],
    }),
    stays: KEPT,
  },
  simple('boxes of words in a JPEG 2000 file', {
    content: `${AROUND}q 80 0 0 80 200 150 cm /I Do Q`,
    resources: '/XObject << /I 10 0 R >>',
    more: [
      streamOf(
        `${box('jP  ', '\r\n\x87\n')}${box('ftyp', `jp2 ${bytes32(0)}jp2 `)}${box('xml ', `<a>${word}</a>`)}${box('uuid', `${'u'.repeat(16)}${word}`)}${box('jp2c', '\xff\x4f\xff\xd9')}`,
        '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JPXDecode',
      ),
    ],
  }),
  simple('samples of a picture that spell a word', {
    content: `${AROUND}q 80 0 0 80 200 150 cm /I Do Q`,
    resources: '/XObject << /I 10 0 R >>',
    more: [
      streamOf(
        samples(word),
        '/Type /XObject /Subtype /Image /Width 20 /Height 20 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode',
      ),
    ],
  }),
  simple('an inline picture that spells a word', {
    content: `${AROUND}q 80 0 0 80 200 150 cm BI /W 6 /H 1 /CS /G /BPC 8 ID ${word} EI Q`,
  }),
  simple('metadata of a picture', {
    content: `${AROUND}q 80 0 0 80 200 150 cm /I Do Q`,
    resources: '/XObject << /I 10 0 R >>',
    more: [
      streamOf(
        samples('nothing'),
        `/Type /XObject /Subtype /Image /Name /${word} /Width 20 /Height 20 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Metadata 11 0 R /ID (${word}) /${word} 1`,
      ),
      XMP(`<dc:title>${word}</dc:title>`),
    ],
  }),
  simple('a palette that spells a word', {
    content: `${AROUND}/Pal cs 1 scn 200 100 50 50 re f`,
    resources: `/ColorSpace << /Pal [/Indexed /DeviceRGB 1 (${word})] >>`,
  }),
  simple('a colour profile', {
    content: `${AROUND}/Icc cs 1 0 0 scn 200 100 50 50 re f`,
    resources: '/ColorSpace << /Icc [/ICCBased 10 0 R] >>',
    more: [streamOf(profile, '/N 3 /Alternate /DeviceRGB')],
  }),
  simple('an output intent', {
    content: AROUND,
    catalog: `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (${word}) /Info (${word}) /RegistryName (http://x/${word}) /DestOutputProfile 10 0 R >>]`,
    more: [streamOf(profile, '/N 3')],
  }),
  simple('percent signs in addresses', {
    content: AROUND,
    page: '/Annots [10 0 R]',
    catalog: '/URI << /Base (http://x/%53ecret/) >>',
    more: [
      '<< /Type /Annot /Subtype /Link /Rect [10 10 40 20] /A << /S /URI /URI (https://example.org/find?q=%53%45%43%52%45%54&x=1) >> >>',
    ],
  }),
  simple(
    'percent signs for letters beyond ASCII',
    {
      content: AROUND,
      page: '/Annots [10 0 R]',
      more: [
        '<< /Type /Annot /Subtype /Link /Rect [10 10 40 20] /A << /S /URI /URI (https://example.org/M%C3%BCller/m%FCller/a%2Bb) >> >>',
      ],
    },
    { term: 'Müller' },
  ),
  simple('escapes in scripts', {
    content: AROUND,
    catalog: `/OpenAction << /S /JavaScript /JS (app.alert\\("\\\\x53\\\\u0045CRET" + "S&#69;CRET"\\);) >>`,
  }),
  simple('entries that PDF does not know', {
    content: AROUND,
    page: `/${word}Entry (x) /Own << /${word} [/${word}2 (${word}) <${Buffer.from(word).toString('hex')}>] >>`,
    catalog: `/${word} << /${word}3 true >> /Ext /${word}4`,
    trailer: `/${word}Trailer (${word}) /Other (${word})`,
  }),
  simple('names in escapes', {
    content: `${AROUND}/#53#45CRET Do`,
    resources: '/XObject << /#53#45CRET 10 0 R >>',
    page: '/#53E#43RET /SE#43RET',
    more: [form('0 0 10 10 re f')],
  }),
  simple('default appearances', {
    content: AROUND,
    page: '/Annots [10 0 R]',
    catalog: `/AcroForm << /Fields [10 0 R] /DA (/${word} 12 Tf 0 g) /DR << /Font << /${word} 5 0 R /F 5 0 R >> >> >>`,
    more: [
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V (x) /DA (/#53ECRET 12 Tf 0 g % ${word}) /DS (font: ${word} 12pt) /Rect [300 20 340 40] >>`,
    ],
  }),
  simple('choices of a list', {
    content: AROUND,
    page: '/Annots [10 0 R]',
    catalog: '/AcroForm << /Fields [10 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>',
    more: [
      `<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (list) /Opt [(${word}) [${utf16(word)} (other)] (x)] /V (x) /TM (${word}) /Rect [300 20 340 40] >>`,
    ],
  }),
  simple('threads, layers, requirements, extensions', {
    content: `/OC /L BDC ${AROUND} EMC`,
    resources: '/Properties << /L 11 0 R >>',
    catalog: `/Threads [10 0 R] /OCProperties << /OCGs [11 0 R] /D << /Name (${word}) /Creator (${word}) /Order [(${word}) 11 0 R] >> >> /Extensions << /${word} << /BaseVersion /1.7 /ExtensionLevel 1 >> >> /Legal << /Attestation (${word}) >> /Collection << /Schema << /${word} << /Subtype /F /N (${word}) >> >> >>`,
    more: [
      `<< /Type /Thread /I << /Title (${word}) >> /F 12 0 R >>`,
      `<< /Type /OCG /Name ${utf16(word)} /Usage << /CreatorInfo << /Creator (${word}) /Subtype /${word} >> >> >>`,
      '<< /Type /Bead /T 10 0 R /N 12 0 R /V 12 0 R /P 3 0 R /R [0 0 10 10] >>',
    ],
  }),
  simple('metadata in attributes, comments, instructions and entities', {
    content: AROUND,
    catalog: '/Metadata 10 0 R',
    more: [
      XMP(
        `<!-- ${word} --><?note ${word}?><dc:title x="${word}"><rdf:Alt><rdf:li>&#x53;&#69;CRET</rdf:li></rdf:Alt></dc:title><my:${word} xmlns:my="http://example.org/${word}/" my:${word}2="x">x</my:${word}><dc:source><![CDATA[${word}]]></dc:source>`,
      ),
    ],
  }),
  simple('a function written in PostScript', {
    content: `${AROUND}/Spot cs 1 scn 200 100 50 50 re f`,
    resources: '/ColorSpace << /Spot [/Separation /Red /DeviceGray 10 0 R] >>',
    more: [streamOf(`{ % ${word}\n 1 exch sub }`, '/FunctionType 4 /Domain [0 1] /Range [0 1]')],
  }),
  { what: 'objects in object streams', bytes: objectStreams(), stays: KEPT },
  {
    what: 'comments and data between objects',
    bytes: Buffer.concat([
      document({ content: AROUND }),
      Buffer.from(`% ${word}\n20 0 obj\n(${word})\nendobj\n`, 'latin1'),
    ]),
    stays: KEPT,
    countsNothing: true,
  },
  ...IN_DATA,
];
