// Books made byte by byte: nobody here has a program that writes them.
import { zipOf } from '../oracles/archives.ts';

export interface EpubParts {
  /** By path under OPS/. */
  chapters: Record<string, string>;
  files?: Record<string, string | Uint8Array>;
  nav?: string;
  ncx?: string;
  metadata?: string;
  manifest?: string;
  more?: Record<string, string | Uint8Array>;
}

export function epubOf({
  chapters,
  files = {},
  nav,
  ncx,
  metadata = '',
  manifest = '',
  more = {},
}: EpubParts) {
  const items = Object.keys(chapters).map(
    (path, index) => `<item id="c${index}" href="${path}" media-type="application/xhtml+xml"/>`,
  );
  const refs = Object.keys(chapters).map((_, index) => `<itemref idref="c${index}"/>`);
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">urn:uuid:00112233-4455-6677-8899-aabbccddeeff</dc:identifier>
<dc:title>A Made Book</dc:title><dc:creator>Ann Author</dc:creator><dc:language>en</dc:language>${metadata}</metadata>
<manifest>${items.join('')}${nav ? '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' : ''}
${ncx ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' : ''}${manifest}</manifest>
<spine${ncx ? ' toc="ncx"' : ''}>${refs.join('')}</spine></package>`;
  const under = (list: Record<string, string | Uint8Array>) =>
    Object.fromEntries(Object.entries(list).map(([path, content]) => [`OPS/${path}`, content]));
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OPS/book.opf': opf,
    ...under(chapters),
    ...under(files),
    ...(nav ? { 'OPS/nav.xhtml': nav } : {}),
    ...(ncx ? { 'OPS/toc.ncx': ncx } : {}),
    ...more,
  });
}

export const xhtml = (body: string, head = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/>${head}</head><body>${body}</body></html>`;

/** Records in a row. */
export function palmDatabase(records: readonly Buffer[], kind = 'BOOKMOBI'): Buffer {
  const head = Buffer.alloc(78 + 8 * records.length + 2);
  head.write('Made-Book', 0, 'latin1');
  head.write(kind, 60, 'latin1');
  head.writeUInt16BE(records.length, 76);
  let at = head.length;
  for (const [index, record] of records.entries()) {
    head.writeUInt32BE(at, 78 + 8 * index);
    at += record.length;
  }
  return Buffer.concat([head, ...records]);
}

export interface MobiOptions {
  text: Buffer;
  compression?: 'none' | 'palmdoc' | 'huff';
  version?: 6 | 8;
  encryption?: number;
  images?: Buffer[];
  /** Records of indexes by the place of their number in the header. */
  indexes?: Map<number, Buffer[]>;
  trailing?: boolean;
}

const COMPRESSIONS = { none: 1, palmdoc: 2, huff: 17480 };
const HEADER = 264;

export function mobiOf(options: MobiOptions): Buffer {
  const {
    text,
    compression = 'none',
    version = 6,
    encryption = 0,
    images = [],
    indexes = new Map(),
    trailing = false,
  } = options;
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; at += 4096) pieces.push(text.subarray(at, at + 4096));
  const pack = { none: (piece: Buffer) => piece, palmdoc: packPalmDoc, huff: packHuff }[compression];
  // Behind the text of each record: two bytes of an index and how many they are, then the overlap of characters.
  const trailer = Buffer.from([0x00, 0x78, 0x78, 0x83]);
  const packed = pieces.map((piece) =>
    trailing ? Buffer.concat([pack(piece), Buffer.from([0]), trailer.subarray(1)]) : pack(piece),
  );
  const title = Buffer.from('Kindle Book');
  const exth = exthOf([
    [100, Buffer.from('Bob Writer')],
    ...(images.length > 0 ? ([[201, uint32(0)]] as [number, Buffer][]) : []),
  ]);
  const head = Buffer.alloc(HEADER);
  head.writeUInt16BE(COMPRESSIONS[compression], 0);
  head.writeUInt32BE(text.length, 4);
  head.writeUInt16BE(packed.length, 8);
  head.writeUInt16BE(4096, 10);
  head.writeUInt16BE(encryption, 12);
  head.write('MOBI', 16, 'latin1');
  head.writeUInt32BE(HEADER - 16, 20);
  head.writeUInt32BE(2, 24);
  head.writeUInt32BE(65001, 28);
  head.writeUInt32BE(version, 36);
  head.writeUInt32BE(HEADER + exth.length, 84);
  head.writeUInt32BE(title.length, 88);
  head.writeUInt32BE(0x40, 128);
  for (const at of [192, 244, 248, 252, 260]) head.writeUInt32BE(0xffffffff, at);
  // One index behind the text, and characters that go over the edge of a record.
  head.writeUInt16BE(trailing ? 3 : 0, 242);
  const records = [head, ...packed];
  const add = (field: number, list: readonly Buffer[]): void => {
    head.writeUInt32BE(records.length, field);
    records.push(...list);
  };
  if (compression === 'huff') {
    add(112, huffRecords());
    head.writeUInt32BE(2, 116);
  }
  for (const [field, list] of indexes) add(field, list);
  if (images.length > 0) add(108, images);
  records[0] = Buffer.concat([head, exth, title]);
  return palmDatabase(records);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function exthOf(entries: [number, Buffer][]): Buffer {
  const body = Buffer.concat(entries.flatMap(([tag, data]) => [uint32(tag), uint32(8 + data.length), data]));
  return Buffer.concat([Buffer.from('EXTH'), uint32(12 + body.length), uint32(entries.length), body]);
}

/** Literals, spaces with the letter behind them, and one kind of repetition: all that readers must know. */
function packPalmDoc(text: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < text.length; ) {
    const before = text.subarray(Math.max(0, at - 2047), at).lastIndexOf(text.subarray(at, at + 5));
    const byte = text[at] as number;
    const next = text[at + 1] ?? 0;
    if (before >= 0 && at + 5 <= text.length) {
      const distance = Math.min(at, 2047) - before;
      out.push(0x80 | (distance >> 5), ((distance << 3) & 0xff) | 2);
      at += 5;
    } else if (byte === 0x20 && next >= 0x40 && next < 0x80) {
      out.push(next ^ 0x80);
      at += 2;
    } else if (byte === 0 || (byte >= 9 && byte < 0x80)) {
      out.push(byte);
      at += 1;
    } else {
      out.push(1, byte);
      at += 1;
    }
  }
  return Buffer.from(out);
}

/** Every code is eight bits; the phrases are the single bytes, from the last to the first. */
const packHuff = (text: Buffer): Buffer => text;

function huffRecords(): Buffer[] {
  const huff = Buffer.alloc(24 + 1024 + 256);
  huff.write('HUFF', 0, 'latin1');
  huff.writeUInt32BE(24, 4);
  huff.writeUInt32BE(24, 8);
  huff.writeUInt32BE(24 + 1024, 12);
  for (let code = 0; code < 256; code += 1) huff.writeUInt32BE(((255 << 8) | 0x80 | 8) >>> 0, 24 + 4 * code);
  const cdic = Buffer.alloc(16 + 512 + 3 * 256);
  cdic.write('CDIC', 0, 'latin1');
  cdic.writeUInt32BE(16, 4);
  cdic.writeUInt32BE(256, 8);
  cdic.writeUInt32BE(8, 12);
  for (let phrase = 0; phrase < 256; phrase += 1) {
    const at = 512 + 3 * phrase;
    cdic.writeUInt16BE(at, 16 + 2 * phrase);
    cdic.writeUInt16BE(0x8001, 16 + at);
    cdic[16 + at + 2] = 255 - phrase;
  }
  return [huff, cdic];
}

/** Entries of one record: a name and values under tags, which all entries have. */
export function indexOf(
  tags: [number, number][],
  entries: [string, number[][]][],
  texts?: readonly string[],
): Buffer[] {
  const table = Buffer.concat([
    Buffer.from('TAGX'),
    uint32(12 + 4 * (tags.length + 1)),
    uint32(1),
    ...tags.map(([tag, each], index) => Buffer.from([tag, each, 1 << index, 0])),
    Buffer.from([0, 0, 0, 1]),
  ]);
  const head = Buffer.alloc(192);
  head.write('INDX', 0, 'latin1');
  head.writeUInt32BE(192, 4);
  head.writeUInt32BE(1, 24);
  const body = entries.map(([name, values]) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([(1 << tags.length) - 1]),
      ...values.flat().map(variable),
    ]),
  );
  const data = Buffer.alloc(192);
  data.write('INDX', 0, 'latin1');
  data.writeUInt32BE(192, 4);
  let at = 192;
  const places = body.map((entry) => {
    at += entry.length;
    return at - entry.length;
  });
  data.writeUInt32BE(at, 20);
  data.writeUInt32BE(entries.length, 24);
  const idxt = Buffer.alloc(4 + 2 * places.length);
  idxt.write('IDXT', 0, 'latin1');
  for (const [index, place] of places.entries()) idxt.writeUInt16BE(place, 4 + 2 * index);
  const cncx = texts
    ? [Buffer.concat(texts.flatMap((text) => [variable(Buffer.byteLength(text)), Buffer.from(text)]))]
    : [];
  return [Buffer.concat([head, table]), Buffer.concat([data, ...body, idxt]), ...cncx];
}

function variable(value: number): Buffer {
  const bytes = [(value & 0x7f) | 0x80];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(rest & 0x7f);
  return Buffer.from(bytes);
}
