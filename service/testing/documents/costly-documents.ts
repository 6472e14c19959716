// Small documents that ask for much: what is declared, unpacked or drawn is out of all proportion to the file.
import { deflateSync } from 'node:zlib';
import { onePage, pdfOf, streamOf } from './written-pdf.ts';

const flate = (data: string | Uint8Array): string => deflateSync(data, { level: 9 }).toString('latin1');
const packed = (data: string | Uint8Array, dict = ''): string =>
  streamOf(flate(data), `${dict} /Filter /FlateDecode`);

/** A page that draws object 5, an image. */
function imagePage(dict: string, data: Uint8Array | string): Buffer {
  const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
  return onePage({
    page: '/Resources << /XObject << /I 5 0 R >> >>',
    content: 'q 600 0 0 780 6 6 cm /I Do Q',
    more: [streamOf(text, `/Type /XObject /Subtype /Image ${dict}`)],
  });
}

/** A tiling pattern whose cells are drawn millions of times over. */
export const tinyTiles = (step = 0.0001): Buffer =>
  onePage({
    page: '/Resources << /Pattern << /P 5 0 R >> >>',
    content: '/Pattern cs /P scn 0 0 612 792 re f',
    more: [
      streamOf(
        '1 0 0 rg 0 0 3 3 re f 0 0 1 rg 1 1 1 1 re f',
        `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep ${step} /YStep ${step} /Resources << >>`,
      ),
    ],
  });

const u32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

/** A JBIG2 page with one generic region of the same size, and hardly any data for it. */
export function largeJbig2(width = 65_535, height = 65_535): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([u32(number), Buffer.from([type, 0, 1]), u32(data.length), data]);
  const page = Buffer.concat([u32(width), u32(height), u32(0), u32(0), Buffer.from([0, 0, 0])]);
  const region = Buffer.concat([
    u32(width),
    u32(height),
    u32(0),
    u32(0),
    // Combined by OR; arithmetic coding by template 0 with its usual four pixels.
    Buffer.from([0, 0, 3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe]),
    Buffer.alloc(64, 0x5a),
  ]);
  return imagePage(
    `/Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode`,
    Buffer.concat([segment(0, 48, page), segment(1, 38, region)]),
  );
}

/** The image itself says less than its data does. */
export function jbig2LargerThanSaid(): Buffer {
  return Buffer.from(
    largeJbig2().toString('latin1').replace('/Width 65535 /Height 65535', '/Width 10 /Height 10      '),
    'latin1',
  );
}

export const largeCcitt = (columns = 65_000, rows = 65_000): Buffer =>
  imagePage(
    `/Width ${columns} /Height ${rows} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${columns} /Rows ${rows} >>`,
    Buffer.alloc(4000, 0xff),
  );

export const largeFlateImage = (side = 60_000): Buffer =>
  imagePage(
    `/Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
    flate(Buffer.alloc(100_000)),
  );

/** A JPEG whose frame header names its size; what follows is cut short. */
export function largeJpeg(width = 65_500, height = 65_500): Buffer {
  const frame = Buffer.from([
    0xff,
    0xc0,
    0,
    17,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
    1,
    0x11,
    0,
    2,
    0x11,
    0,
    3,
    0x11,
    0,
  ]);
  const quantisers = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)]);
  const codes = (kind: number): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xc4, 0, 20, kind, 1]), Buffer.alloc(15), Buffer.from([0])]);
  const scan = Buffer.from([0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
  const jpeg = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    quantisers,
    frame,
    codes(0),
    codes(0x10),
    scan,
    Buffer.alloc(600),
    Buffer.from([0xff, 0xd9]),
  ]);
  return imagePage(
    `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    jpeg,
  );
}

/** A JPEG 2000 codestream whose SIZ marker names the size, in one tile. */
export function largeJpx(width = 60_000, height = 60_000): Buffer {
  const siz = Buffer.concat([
    Buffer.from([0xff, 0x51, 0, 38 + 9, 0, 0]),
    u32(width),
    u32(height),
    u32(0),
    u32(0),
    u32(width),
    u32(height),
    u32(0),
    u32(0),
    Buffer.from([0, 3, 7, 1, 1, 7, 1, 1, 7, 1, 1]),
  ]);
  const cod = Buffer.from([0xff, 0x52, 0, 12, 0, 0, 0, 1, 0, 0, 4, 4, 0, 1]);
  const qcd = Buffer.from([0xff, 0x5c, 0, 4, 0x40, 0x40]);
  const tile = Buffer.from([0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0x93]);
  return imagePage(
    `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JPXDecode`,
    Buffer.concat([
      Buffer.from([0xff, 0x4f]),
      siz,
      cod,
      qcd,
      tile,
      Buffer.alloc(200),
      Buffer.from([0xff, 0xd9]),
    ]),
  );
}

/** A shading whose colours are computed by a long PostScript function, for every point of a page. */
export function costlyFunction(operators = 200_000): Buffer {
  const program = `{ ${'2 copy atan exch sin add exch '.repeat(operators / 8)} pop pop 0.5 0.5 0.5 }`;
  return onePage({
    page: '/Resources << /Shading << /S 5 0 R >> >>',
    content: '/S sh',
    more: [
      '<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Matrix [612 0 0 792 0 0] /Function 6 0 R >>',
      packed(program, '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]'),
    ],
  });
}

/** Each form draws the next ten times: ten to the power of the depth. */
export function formsInForms(depth = 12): Buffer {
  const forms = Array.from({ length: depth }, (_, n) =>
    n === depth - 1
      ? streamOf('0 0 1 1 re f', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]')
      : streamOf(
          '/X Do '.repeat(10),
          `/Type /XObject /Subtype /Form /BBox [0 0 900 900] /Resources << /XObject << /X ${6 + n} 0 R >> >>`,
        ),
  );
  return onePage({ page: '/Resources << /XObject << /X 5 0 R >> >>', content: '/X Do', more: forms });
}

/** A pattern that is filled with a pattern, and so on. */
export function patternsInPatterns(depth = 8): Buffer {
  const cells = Array.from({ length: depth }, (_, n) =>
    streamOf(
      n === depth - 1 ? '0 0 1 1 re f' : '/Pattern cs /P scn 0 0 600 700 re f',
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 600 700] /XStep 2 /YStep 2 /Resources << /Pattern << /P ${6 + n} 0 R >> >>`,
    ),
  );
  return onePage({
    page: '/Resources << /Pattern << /P 5 0 R >> >>',
    content: '/Pattern cs /P scn 0 0 612 792 re f',
    more: cells,
  });
}

/** A shading of a million patches in a small stream. */
export const manyPatches = (patches = 300_000): Buffer =>
  onePage({
    page: '/Resources << /Shading << /S 5 0 R >> >>',
    content: '/S sh',
    more: [
      packed(
        Buffer.alloc(patches * (1 + 12 * 4 + 4 * 3), 0x00).fill(0x7f, 20, 60),
        '/ShadingType 6 /ColorSpace /DeviceRGB /BitsPerCoordinate 16 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 612 0 792 0 1 0 1 0 1]',
      ),
    ],
  });

/** Flate over Flate over Flate: 1 GiB of blanks as content. */
export function nestedFlate(mib = 1024): Buffer {
  let data: Uint8Array = deflateSync(Buffer.alloc(mib * 1024 * 1024, ' '), { level: 9 });
  data = deflateSync(data, { level: 9 });
  data = deflateSync(data, { level: 9 });
  return contentPage(Buffer.from(data).toString('latin1'), '[/FlateDecode /FlateDecode /FlateDecode]');
}

/** Runs of 128 blanks, packed. */
export const runLengthBomb = (mib = 512): Buffer =>
  contentPage(flate(Buffer.alloc(mib * 16_384, Buffer.from([129, 32]))), '[/FlateDecode /RunLengthDecode]');

/** LZW codes of ever longer runs of blanks, packed. */
export function lzwBomb(mib = 512): Buffer {
  const bits: number[] = [];
  const put = (code: number, width: number): void => {
    for (let bit = width - 1; bit >= 0; bit -= 1) bits.push((code >> bit) & 1);
  };
  // One table: code 257+n stands for n+1 blanks. 3,837 codes give about 7 MB.
  put(256, 9);
  put(32, 9);
  let next = 258;
  let width = 9;
  while (next < 4094) {
    put(next, width);
    next += 1;
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  put(256, 12);
  const table = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) if (bit) table[at >> 3] = (table[at >> 3] ?? 0) | (128 >> (at & 7));
  // Byte borders fall anywhere: whole tables repeat after eight.
  const eight = Buffer.alloc(bits.length);
  for (let n = 0; n < 8; n += 1)
    for (const [at, bit] of bits.entries()) {
      const place = n * bits.length + at;
      if (bit) eight[place >> 3] = (eight[place >> 3] ?? 0) | (128 >> (place & 7));
    }
  return contentPage(
    flate(Buffer.alloc(eight.length * Math.ceil(mib / 56), eight)),
    '[/FlateDecode /LZWDecode]',
  );
}

function contentPage(data: string, filter: string, resources = ''): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${resources} >> >>`,
    streamOf(data, `/Filter ${filter}`),
  ]);
}

const FONT = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

/** A million strings shown on one page. */
export const textBomb = (strings = 1_000_000): Buffer =>
  contentPage(flate(`BT /F 8 Tf 10 700 Td ${'(abcdefgh) Tj '.repeat(strings)} ET`), '/FlateDecode', FONT);

/** Millions of curves, stroked with dashes. */
export const pathBomb = (curves = 1_000_000): Buffer =>
  contentPage(
    flate(`[0.01 0.01] 0 d 3 w 0 0 m ${'0 700 600 0 600 700 c 1 1 l '.repeat(curves)} S`),
    '/FlateDecode',
  );

/** One line that is dashed a thousand million times. */
export const dashBomb = (): Buffer =>
  onePage({ content: '[0.000001 0.000001] 0 d 1 w 0 0 m 600 700 l S '.repeat(20) });

/** Ever deeper saved states and clips. */
export const clipBomb = (clips = 300_000): Buffer =>
  contentPage(flate(`${'q 0 0 600 700 re 5 5 500 600 re W* n '.repeat(clips)} 0 0 9 9 re f`), '/FlateDecode');

/** Transparency groups over the whole page, one in the other. */
export function groupBomb(depth = 40): Buffer {
  const forms = Array.from({ length: depth }, (_, n) =>
    streamOf(
      n === depth - 1 ? '0 0 100 100 re f' : '/G gs /X Do /X Do',
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency >> /Resources << /ExtGState << /G << /ca 0.5 >> >> /XObject << /X ${6 + n} 0 R >> >>`,
    ),
  );
  return onePage({ page: '/Resources << /XObject << /X 5 0 R >> >>', content: '/X Do', more: forms });
}

/** Objects that nothing uses, a million of them in one packed object stream. */
export function manyObjects(count = 1_000_000): Buffer {
  const objects = Array.from({ length: count }, (_, n) => `${n + 10} 0 obj\n<<>>\nendobj\n`).join('');
  return Buffer.concat([onePage(), Buffer.from(objects)]);
}

/** A million objects in object streams, with a sound cross-reference stream; a few kilobytes. */
export function manyPackedObjects(count = 1_000_000): Buffer {
  const each = 10_000;
  const first = 6;
  const groups = Math.ceil(count / each);
  let body = Buffer.from('%PDF-1.7\n', 'latin1');
  const offsets: number[] = [];
  const add = (number: number, object: string): void => {
    offsets[number] = body.length;
    body = Buffer.concat([body, Buffer.from(`${number} 0 obj\n${object}\nendobj\n`, 'latin1')]);
  };
  add(1, '<< /Type /Catalog /Pages 2 0 R >>');
  add(2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>');
  add(3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>');
  const rows: Buffer[] = [];
  const row = (type: number, a: number, b: number): Buffer => {
    const made = Buffer.alloc(8);
    made[0] = type;
    made.writeUInt32BE(a, 1);
    made.writeUIntBE(b, 5, 3);
    return made;
  };
  const member = first + groups;
  for (let group = 0; group < groups; group += 1) {
    const index = Array.from({ length: each }, (_, n) => `${member + group * each + n} ${n * 7}`).join(' ');
    add(
      first + group,
      packed(`${index} ${'[1 2] \n'.repeat(each)}`, `/Type /ObjStm /N ${each} /First ${index.length + 1}`),
    );
  }
  const xrefAt = body.length;
  rows.push(row(0, 0, 65_535));
  for (let number = 1; number < first + groups; number += 1) {
    const at = number === 5 ? xrefAt : offsets[number];
    rows.push(at === undefined ? row(0, 0, 0) : row(1, at, 0));
  }
  for (let n = 0; n < groups * each; n += 1) rows.push(row(2, first + Math.floor(n / each), n % each));
  const table = packed(Buffer.concat(rows), `/Type /XRef /W [1 4 3] /Size ${rows.length} /Root 1 0 R`);
  return Buffer.concat([
    body,
    Buffer.from(`5 0 obj\n${table}\nendobj\nstartxref\n${xrefAt}\n%%EOF\n`, 'latin1'),
  ]);
}

/** A page that is a hair wide and a thousand million points tall. */
export const tallPage = (box = '0 0 14400 1000000000'): Buffer =>
  Buffer.from(
    onePage({ content: '0 0 100 100 re f' }).toString('latin1').replace('[0 0 612 792]', `[${box}]`),
    'latin1',
  );

/** About 75 bytes: all that makes a page, without a table. */
export const barePage = (box = '0 0 14400 1000000000'): Buffer =>
  Buffer.from(`%PDF-1\n1 0 obj<</Pages<</Kids[<</MediaBox[${box}]>>]/Count 1>>>>trailer<</Root 1 0 R>>`);

/** A chain of bookmarks, each naming the page. */
export function manyBookmarks(count = 1_000_000): Buffer {
  const items = Array.from({ length: count }, (_, n) => {
    const own = 6 + n;
    return `<< /Title (b${n}) /Parent 5 0 R /Dest [3 0 R /Fit]${n > 0 ? ` /Prev ${own - 1} 0 R` : ''}${n < count - 1 ? ` /Next ${own + 1} 0 R` : ''} >>`;
  });
  return onePage({
    catalog: '/Outlines 5 0 R',
    more: [`<< /Type /Outlines /First 6 0 R /Last ${5 + count} 0 R /Count ${count} >>`, ...items],
  });
}

/** Bookmarks each inside the one before. */
export function deepBookmarks(count = 100_000): Buffer {
  const items = Array.from({ length: count }, (_, n) => {
    const own = 6 + n;
    return `<< /Title (b${n}) /Parent ${own - 1} 0 R /Dest [3 0 R /Fit]${n < count - 1 ? ` /First ${own + 1} 0 R /Last ${own + 1} 0 R /Count 1` : ''} >>`;
  });
  return onePage({
    catalog: '/Outlines 5 0 R',
    more: [`<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count ${count} >>`, ...items],
  });
}

/** A page tree of one branch. */
export function deepPageTree(depth = 100_000): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...Array.from(
      { length: depth },
      (_, n) => `<< /Type /Pages /Count 1 /Kids [${n + 3} 0 R]${n > 0 ? ` /Parent ${n + 1} 0 R` : ''} >>`,
    ),
    `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 612 792] >>`,
  ]);
}

/** Nodes that name themselves and each other, many times over. */
export const loopedPageTree = (): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 1000000 /Kids [${'3 0 R 4 0 R 5 0 R '.repeat(50)}] >>`,
    `<< /Type /Pages /Parent 2 0 R /Count 1000 /Kids [${'2 0 R 4 0 R 5 0 R '.repeat(50)}] >>`,
    `<< /Type /Pages /Parent 2 0 R /Count 1000 /Kids [${'2 0 R 3 0 R 5 0 R '.repeat(50)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ]);

/** Each node of the page tree names the next a hundred times. */
export function repeatedPageTree(depth = 6, each = 30): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...Array.from(
      { length: depth },
      (_, n) => `<< /Type /Pages /Count ${each ** (depth - n)} /Kids [${`${n + 3} 0 R `.repeat(each)}] >>`,
    ),
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ]);
}

/** A sampled function or an indexed image may be large by what it declares, too. */
export const largeSampledFunction = (): Buffer =>
  onePage({
    page: '/Resources << /Shading << /S 5 0 R >> >>',
    content: '/S sh',
    more: [
      '<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [612 0 0 792 0 0] /Function 6 0 R >>',
      packed(
        Buffer.alloc(1000),
        '/FunctionType 0 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] /Size [60000 60000] /BitsPerSample 32',
      ),
    ],
  });

/** A font whose programme of instructions goes round and round is bounded by engines; a Type 3 font draws itself. */
export const recursiveType3 = (): Buffer =>
  onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: `BT /F 12 Tf 10 700 Td ${'(aaaaaaaaaa) Tj '.repeat(10)} ET`,
    more: [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << /Font << /F 7 0 R >> >> >>',
      streamOf(`1000 0 d0 BT /F 12 Tf ${'(aaaaaaaaaa) Tj '.repeat(10)} ET`),
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Encoding << /Differences [97 /a] >> /CharProcs << /a 8 0 R >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << /Font << /F 5 0 R >> >> >>',
      streamOf(`1000 0 d0 BT /F 12 Tf ${'(aaaaaaaaaa) Tj '.repeat(10)} ET`),
    ],
  });

/** By the name of what makes them costly. */
export const COSTLY_DOCUMENTS: Readonly<Record<string, () => Buffer>> = {
  tinyTiles,
  patternsInPatterns,
  largeJbig2,
  jbig2LargerThanSaid,
  largeCcitt,
  largeFlateImage,
  largeJpeg,
  largeJpx,
  costlyFunction,
  largeSampledFunction,
  formsInForms,
  groupBomb,
  manyPatches,
  nestedFlate,
  runLengthBomb,
  lzwBomb,
  textBomb,
  pathBomb,
  dashBomb,
  clipBomb,
  recursiveType3,
  manyObjects,
  manyPackedObjects,
  tallPage,
  barePage,
  manyBookmarks,
  deepBookmarks,
  deepPageTree,
  loopedPageTree,
  repeatedPageTree,
};
