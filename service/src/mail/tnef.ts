// winmail.dat (MS-OXTNEF): what Outlook packs body and files into when it takes the other side for Outlook.
import { decoderOf } from './code-pages.ts';
import { bareContentId, headerText, MAX_FILES, type MailFile } from './message.ts';

export interface TnefContent {
  html?: string | undefined;
  text?: string | undefined;
  /** Packed as in Outlook's own files. */
  rtf?: Uint8Array | undefined;
  files: MailFile[];
}

const SIGNATURE = 0x223e9f78;
const BODY = 0x0002800c;
const CODE_PAGE = 0x00069007;
const PROPERTIES = 0x00069003;
const FILE_BEGINS = 0x00069002;
const FILE_TITLE = 0x00018010;
const FILE_DATA = 0x0006800f;
const FILE_PROPERTIES = 0x00069005;

/** MS-OXPROPS. */
const PROPERTY = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  longName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
} as const;

interface PackedFile {
  title?: Buffer;
  data?: Buffer;
  properties: Properties;
}
type Properties = ReadonlyMap<number, { type: number; value: Buffer }>;

/** Undefined where it is none; of one that is broken what comes before the break. */
export function readTnef(bytes: Uint8Array): TnefContent | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (data.length < 6 || data.readUInt32LE(0) !== SIGNATURE) return undefined;
  let decoder = decoderOf(undefined);
  let body: Buffer | undefined;
  let properties: Properties = new Map();
  const packed: PackedFile[] = [];
  for (const { id, value } of attributes(data)) {
    const file = packed.at(-1);
    if (id === CODE_PAGE && value.length >= 4) decoder = decoderOf(value.readUInt32LE(0));
    else if (id === BODY) body = value;
    else if (id === PROPERTIES) properties = readProperties(value);
    else if (id === FILE_BEGINS && packed.length < MAX_FILES) packed.push({ properties: new Map() });
    else if (id === FILE_TITLE && file) file.title = value;
    else if (id === FILE_DATA && file) file.data = value;
    else if (id === FILE_PROPERTIES && file) file.properties = readProperties(value);
  }
  const words = (given: Properties, key: number) => wordsOf(given.get(key), decoder);
  return {
    html: words(properties, PROPERTY.html),
    text: words(properties, PROPERTY.body) ?? (body && ended(decoder.decode(body))),
    rtf: properties.get(PROPERTY.rtf)?.value,
    files: packed.flatMap((file) => mailFile(file, (key) => words(file.properties, key), decoder)),
  };
}

function mailFile(
  { title, data }: PackedFile,
  words: (key: number) => string | undefined,
  decoder: TextDecoder,
): MailFile[] {
  if (!data) return [];
  const name = words(PROPERTY.longName) || (title && ended(decoder.decode(title)));
  return [
    {
      name: headerText(name) || 'attachment',
      mediaType: words(PROPERTY.mediaType)?.toLowerCase() || 'application/octet-stream',
      bytes: data,
      contentId: bareContentId(words(PROPERTY.contentId)),
      inline: false,
    },
  ];
}

const ended = (text: string): string => text.replace(/\0[\s\S]*$/, '');

const ANSI = 0x1e;
const UNICODE = 0x1f;
const BINARY = 0x102;

function wordsOf(
  found: { type: number; value: Buffer } | undefined,
  decoder: TextDecoder,
): string | undefined {
  if (found?.type === UNICODE) return ended(found.value.toString('utf16le'));
  return found?.type === ANSI || found?.type === BINARY ? ended(decoder.decode(found.value)) : undefined;
}

function* attributes(data: Buffer): Generator<{ id: number; value: Buffer }> {
  // The signature and a key stand before them, a level before and a sum after each.
  for (let at = 6; at + 11 <= data.length; ) {
    const length = data.readUInt32LE(at + 5);
    const end = at + 9 + length;
    if (end > data.length) return;
    yield { id: data.readUInt32LE(at + 1), value: data.subarray(at + 9, end) };
    at = end + 2;
  }
}

const FIXED_BYTES: Record<number, number> = {
  1: 0,
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const SEVERAL = 0x1000;
const padded = (length: number): number => (length + 3) & ~3;

/** Of several values the first. */
function readProperties(data: Buffer): Properties {
  const found = new Map<number, { type: number; value: Buffer }>();
  try {
    let at = 4;
    for (let left = Math.min(data.readUInt32LE(0), 10_000); left > 0; left -= 1) {
      const type = data.readUInt16LE(at) & ~SEVERAL;
      const isList = (data.readUInt16LE(at) & SEVERAL) !== 0;
      const id = data.readUInt16LE(at + 2);
      at = behindName(data, at + 4, id);
      const fixed = FIXED_BYTES[type];
      // Values of no length could be as many as anybody says.
      const count = fixed === undefined || isList ? Math.min(data.readUInt32LE(at), 1000) : 1;
      if (fixed === undefined || isList) at += 4;
      for (let index = 0; index < count; index += 1) {
        const length = fixed ?? data.readUInt32LE(at);
        const from = fixed === undefined ? at + 4 : at;
        if (from + length > data.length) return found;
        if (index === 0) found.set(id, { type, value: data.subarray(from, from + length) });
        at = from + padded(length);
      }
    }
  } catch {
    // What was read before it was cut off stands.
  }
  return found;
}

/** Properties of a program's own have a set, and a number or a name in it. */
function behindName(data: Buffer, at: number, id: number): number {
  if (id < 0x8000) return at;
  const isNumber = data.readUInt32LE(at + 16) === 0;
  return isNumber ? at + 24 : at + 24 + padded(data.readUInt32LE(at + 20));
}
