// A word in data that says it is something else, or stands behind the end of what a filter reads.
import { deflateSync } from 'node:zlib';
import { streamOf } from '../documents/written-pdf.ts';
import { AROUND, type Cheat, document, KEPT, XMP } from './redaction-attacks.ts';

const word = 'SECRET';
const number = '078-05-1120';
const NUMBERS = { listOfText: '\\d{3}-\\d{2}-\\d{4}', useRegex: 'true' };
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** A stream that some entry of the catalog leads to. */
const held = (what: string, stream: string, more: Partial<Cheat> = {}): Cheat => ({
  what,
  bytes: document({ content: AROUND, catalog: '/Held 10 0 R', more: [stream] }),
  stays: KEPT,
  ...more,
});

const packed = latin1(deflateSync('hello'));
/** What a stream says of itself though its data is text. */
const CLAIMS = [
  '/N 3',
  '/N 3 /Alternate /DeviceRGB',
  '/Length1 20',
  '/ShadingType 4 /BitsPerCoordinate 8',
  '/HalftoneType 6',
  '/PatternType 1',
  '/BitsPerSample 8',
  '/Subtype /Type1C',
  '/Subtype /U3D',
];

/** In content, after what it shows. */
const aside = (what: string, content: string, more: Partial<Cheat> = {}): Cheat => ({
  what: `content that draws nothing: ${what}`,
  bytes: document({ content: `${AROUND}${content}\n` }),
  stays: KEPT,
  ...more,
});

const wide = `<feff${[...word].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`;

const ASIDES: readonly Cheat[] = [
  aside('a word that is no operator', `${word} q Q`),
  aside('a word that is no operator, where such are allowed', `BX ${word} EX`),
  aside('a string that no operator takes', `(${word}) q Q`),
  aside('a string in UTF-16 that no operator takes', `${wide} q Q`, { onlyForPeople: true }),
  aside('a string at the end', `(${word})`),
  aside('a string that is never closed', `(${word}`),
  aside('a string where numbers are wanted', `(${word}) w`),
  aside('a string before the operands', `(${word}) 3 w`),
  aside('a string between the operands of text', `BT /F 1 Tf (${word}) /F 2 Tf ET`),
  aside('a name that no operator takes', `/${word} q Q`),
  aside('a dictionary that no operator takes', `<< /A (${word}) >> q Q`),
  aside('a name among letters', `BT /F 9 Tf 20 20 Td [(x) /${word}] TJ ET`),
  aside('entries of an inline image', `q BI /W 1 /H 1 /BPC 8 /CS /G /${word} (${word}) ID x EI Q`),
  aside('operands before an inline image', `q (${word}) BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`),
  {
    what: 'content that draws nothing: in a form, over two streams of a page',
    bytes: document({
      content: '',
      page: '/Contents [10 0 R 11 0 R]',
      resources: '/XObject << /X 12 0 R >>',
      more: [
        streamOf(`${AROUND}(${word})`),
        streamOf('q Q /X Do'),
        streamOf(`(${word}) q Q`, '/Type /XObject /Subtype /Form /BBox [0 0 10 10]'),
      ],
    }),
    stays: KEPT,
  },
];

export const IN_DATA: readonly Cheat[] = [
  ...ASIDES,
  held('behind deflated data', streamOf(`${packed}the ${word} tail`, '/Filter /FlateDecode')),
  held(
    'behind deflated data, in UTF-16',
    streamOf(packed + latin1(Buffer.from(`the ${word}`, 'utf16le')), '/Filter /FlateDecode'),
  ),
  held('behind deflated data, an expression', streamOf(`${packed}${number}`, '/Filter /FlateDecode'), {
    term: number,
    params: NUMBERS,
  }),
  held('behind hexadecimal data', streamOf(`41>${word}`, '/Filter /ASCIIHexDecode')),
  held('behind data in base 85', streamOf(`87cUR~>${word}`, '/Filter /ASCII85Decode')),
  held('behind runs', streamOf(`\x04hello\x80the ${word}`, '/Filter /RunLengthDecode')),
  held(
    'behind deflated data that is written in hexadecimal',
    streamOf(
      `${Buffer.from(`${packed}the ${word}`, 'latin1').toString('hex')}>`,
      '/Filter [/ASCIIHexDecode /FlateDecode]',
    ),
  ),
  {
    what: "behind a page's own deflated content",
    bytes: document({
      content: '',
      page: '/Contents 10 0 R',
      more: [streamOf(`${latin1(deflateSync(AROUND))}the ${word}`, '/Filter /FlateDecode')],
    }),
    stays: KEPT,
  },
  {
    what: 'behind the deflated data of an attached file',
    bytes: document({
      content: AROUND,
      catalog:
        '/Names << /EmbeddedFiles << /Names [(a.txt) << /Type /Filespec /F (a.txt) /EF << /F 10 0 R >> >>] >> >>',
      more: [streamOf(`${packed}the ${word}`, '/Type /EmbeddedFile /Filter /FlateDecode')],
    }),
    stays: KEPT,
  },
  ...CLAIMS.map((claim) =>
    held(`text that says it is data: ${claim}`, streamOf(`my number ${number} is here`, claim), {
      term: number,
      params: NUMBERS,
    }),
  ),
  held('a short word in text that says it is data', streamOf('my name is Bob here', '/N 3'), { term: 'Bob' }),
  held('text among other bytes', streamOf(`\x00\x01\x02\x03\x04 ${number} \x00\x01\x02\x03`.repeat(3)), {
    term: number,
    params: NUMBERS,
  }),
  {
    what: 'the identifier of the file',
    bytes: document({ content: AROUND, trailer: `/ID [(the ${word} file 1) (the ${word} file 1)]` }),
    stays: KEPT,
  },
  {
    what: 'an address inside an address',
    bytes: document({
      content: AROUND,
      page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://x.org/?to=%2553%2545CRET) >> >>]`,
    }),
    stays: KEPT,
  },
  held('digits in text', streamOf(`thumb=${Buffer.from(`the ${word} is`).toString('hex')};`)),
  {
    what: 'Base64 in metadata and in a string',
    bytes: document({
      content: AROUND,
      catalog: `/Metadata 10 0 R /Held << /Note (${Buffer.from(`is ${word} too`).toString('base64')}) >>`,
      more: [XMP(`<dc:source>${Buffer.from(`the ${word} is here`).toString('base64')}</dc:source>`)],
    }),
    stays: KEPT,
  },
];
