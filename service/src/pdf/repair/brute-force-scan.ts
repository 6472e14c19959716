// The last attempt on a file with a broken xref, or whose trailer or catalog are gone: every object that can still be
// seen is gathered into a new file with an xref table, a catalog and a page tree of its own.
import { constants, inflateSync } from 'node:zlib';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { formatValue, parseObject } from '../syntax/object-syntax.ts';
import { pagesInOrder, type RecoveredPages } from './page-recovery.ts';

/** Larger files would take more memory than a worker has: the file is held several times over. */
export const RECOVERY_BYTES = 128 * 1024 * 1024;
const MAX_OBJECTS = 500_000;

interface Found {
  number: number;
  generation: number;
  /** Between `obj` and `endobj`, one character per byte. */
  body: string;
  /** The dictionary's text, without the data of a stream. */
  dict: string;
  types: readonly string[];
}

function found(number: number, generation: number, body: string): Found {
  const head = body.length > HEAD_CHARACTERS ? body.slice(0, HEAD_CHARACTERS) : body;
  const stream = head.search(STREAM);
  const dict = stream === -1 ? head : head.slice(0, stream);
  const types = Array.from(dict.matchAll(TYPE), ([, type = '']) => type);
  return { number, generation, body, dict, types };
}

const HEAD_CHARACTERS = 100_000;
const STREAM = /\bstream\r?\n/;
const TYPE = /\/Type\s{0,8}\/([A-Za-z0-9]{1,20})/g;

const isOfType = ({ types }: Found, type: string): boolean => types.includes(type);

/** A file with all pages that could be found, or undefined where there are none. */
export function scanForObjects(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > RECOVERY_BYTES) return undefined;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const objects = new Map<string, Found>();
  for (const object of plainObjects(source)) {
    const key = `${object.number} ${object.generation}`;
    // A later revision of an object stands further down.
    objects.delete(key);
    objects.set(key, object);
  }
  const containers = [...objects.values()].filter((object) => isOfType(object, 'ObjStm'));
  const packed = new Map(containers.flatMap(packedObjects).map((object) => [`${object.number} 0`, object]));
  for (const [key, object] of packed) if (!objects.has(key)) objects.set(key, object);
  for (const [key, object] of objects)
    if (isOfType(object, 'ObjStm') || isOfType(object, 'XRef')) objects.delete(key);
  const catalog = [...objects.values()].findLast((object) => isOfType(object, 'Catalog'));
  const pages = pagesOf(objects, catalog);
  return pages.size === 0 ? undefined : rebuild(objects, pages, catalog, trailerEntries(source));
}

function pagesOf(objects: ReadonlyMap<string, Found>, catalog: Found | undefined): RecoveredPages {
  const keys = [...objects.keys()];
  const pages = new Set(keys.filter((key) => isPage(objects.get(key) as Found)));
  return pagesInOrder(
    {
      value: (key) => parsed(objects.get(key)),
      isPage: (key) => pages.has(key),
    },
    catalog && pagesEntry(catalog),
    {
      nodes: keys.filter((key) => isOfType(objects.get(key) as Found, 'Pages')),
      pages: [...pages],
    },
  );
}

function pagesEntry(catalog: Found): PdfValue | undefined {
  const value = parsed(catalog);
  return value instanceof Dict ? value.get('Pages') : undefined;
}

/** An object that is no stream. */
const parsed = (object: Found | undefined): PdfValue =>
  object && !STREAM.test(object.body.slice(object.dict.length))
    ? parseObject(withoutComments(object.body))
    : null;

/** Those on lines of their own; elsewhere a percent sign may be part of a string. */
const withoutComments = (body: string): string => body.replace(/(^|[\r\n])[ \t]*%[^\r\n]*/g, '$1');

function* plainObjects(source: string): Generator<Found> {
  const start = /(?<![0-9])(\d{1,9})[ \t\r\n\f\0]{1,16}(\d{1,5})[ \t\r\n\f\0]{1,16}obj(?![a-zA-Z])/g;
  let match = start.exec(source);
  for (let count = 0; match && count < MAX_OBJECTS; count += 1) {
    const next = start.exec(source);
    const number = Number(match[1]);
    const from = match.index + match[0].length;
    if (number > 0) {
      const body = objectBody(source, from, next?.index ?? source.length);
      yield found(number, Number(match[2]), body);
    }
    match = next;
  }
}

/** What stands between an object's head and the next one, finished where the file was cut off. */
function objectBody(source: string, from: number, to: number): string {
  const region = source.slice(from, to);
  const stream = STREAM.exec(region.slice(0, HEAD_CHARACTERS));
  if (!stream) {
    const end = region.indexOf('endobj');
    return end === -1 ? region : region.slice(0, end);
  }
  const end = region.lastIndexOf('endstream');
  return end === -1 ? `${region}\nendstream` : region.slice(0, end + 'endstream'.length);
}

/** A page that lost its type still has a parent and something only pages have. */
function isPage(object: Found): boolean {
  const { dict } = object;
  if (isOfType(object, 'Page')) return true;
  if (/\/(?:Type|Subtype|Kids|T|FT)(?![A-Za-z])/.test(dict)) return false;
  return /\/Parent\s/.test(dict) && /\/(?:MediaBox|CropBox|Contents|Annots|Resources)(?![A-Za-z])/.test(dict);
}

function packedObjects(container: Found): Found[] {
  const { dict } = container;
  const count = Number(/\/N\s{1,8}(\d{1,7})/.exec(dict)?.[1] ?? 0);
  const first = Number(/\/First\s{1,8}(\d{1,9})/.exec(dict)?.[1] ?? 0);
  const data = streamText(container);
  const header = data.slice(0, first).trim().split(/\s+/).map(Number);
  const packed: Found[] = [];
  for (let i = 0; i < Math.min(count, header.length >> 1); i += 1) {
    const [number = 0, offset = 0, , following = data.length - first] = header.slice(i * 2, i * 2 + 4);
    const body = data.slice(first + offset, first + following);
    if (number > 0 && body.trim() !== '') packed.push(found(number, 0, body));
  }
  return packed;
}

function streamText({ body, dict }: Found): string {
  const start = STREAM.exec(body.slice(dict.length));
  if (!start) return '';
  const data = body.slice(dict.length + start.index + start[0].length, body.lastIndexOf('endstream'));
  if (!dict.includes('/Filter')) return data;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: RECOVERY_BYTES };
    return inflateSync(Buffer.from(data, 'latin1'), options).toString('latin1');
  } catch {
    return '';
  }
}

/** What the old trailer or cross-reference stream still tells: the info dictionary, and how the file is encrypted. */
function trailerEntries(source: string): string {
  const last = (pattern: RegExp): string => [...source.matchAll(pattern)].at(-1)?.[0] ?? '';
  const info = last(/\/Info\s{1,8}\d{1,9}\s{1,8}\d{1,5}\s{1,8}R/g);
  const encrypt = last(/\/Encrypt\s{1,8}\d{1,9}\s{1,8}\d{1,5}\s{1,8}R/g);
  if (encrypt === '') return info;
  const id = last(/\/ID\s{0,8}\[\s{0,8}<[0-9a-fA-F\s]{1,200}>\s{0,8}<[0-9a-fA-F\s]{1,200}>\s{0,8}\]/g);
  return `${info} ${encrypt} ${id}`;
}

function rebuild(
  objects: ReadonlyMap<string, Found>,
  pages: RecoveredPages,
  oldCatalog: Found | undefined,
  trailer: string,
): Uint8Array {
  const last = [...objects.values()].reduce((highest, { number }) => Math.max(highest, number), 0);
  const tree = new Ref(last + 1);
  const kids = [...pages.keys()].map((key) => `${key} R`).join(' ');
  const node = found(tree.number, 0, `<< /Type /Pages /Kids [${kids}] /Count ${pages.size} >>`);
  const root = catalogWith(tree, oldCatalog, last + 2);
  const written = [...objects.values()].filter((object) => object !== oldCatalog);
  const chunks = ['%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'];
  let length = chunks[0]?.length ?? 0;
  const rows: string[] = [];
  for (const object of [...written, node, root]) {
    const { number, generation } = object;
    const inherited = pages.get(`${number} ${generation}`);
    const body = inherited ? pageBody(object, inherited, tree) : object.body;
    const text = `${number} ${generation} obj${/^\s/.test(body) ? '' : ' '}${body}\nendobj\n`;
    const place = `${String(length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    rows.push(`${number} 1\n${place}`);
    chunks.push(text);
    length += text.length;
  }
  const end = `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${last + 3} /Root ${root.number} ${root.generation} R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.from(chunks.join('') + end, 'latin1');
}

function pageBody(page: Found, inherited: Dict, tree: Ref): string {
  const dict = parsed(page);
  if (!(dict instanceof Dict) || page.dict.includes('%')) return page.body;
  return formatValue(new Dict([...inherited, ...dict, ['Parent', tree]]));
}

/** The old catalog keeps its number: what it says may be encrypted by it. */
function catalogWith(tree: Ref, old: Found | undefined, free: number): Found {
  const dict = parsed(old);
  const entries = dict instanceof Dict ? formatValue(new Dict([...dict, ['Pages', tree]])) : undefined;
  if (old && entries) return found(old.number, old.generation, entries);
  return found(free, 0, `<< /Type /Catalog /Pages ${tree.key} R >>`);
}
