// Two PDFs, object by object as qpdf reads them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { different, type Likeness, type Run } from './answers.ts';
import { firstDifference, mapTexts, withoutPassingValues } from './passing-values.ts';

type Dictionary = Record<string, unknown>;
type PdfObject = { value?: unknown; stream?: { data: string; dict: Dictionary } };
type Objects = Record<string, PdfObject>;

export function comparePdfs(base: Buffer, here: Buffer, run: Run): Likeness {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-same-'));
  try {
    const paths = [join(dir, 'base.pdf'), join(dir, 'here.pdf')] as const;
    writeFileSync(paths[0], base);
    writeFileSync(paths[1], here);
    const objects = paths.map((path) => readObjects(path, run.passwords));
    const [one, other] = objects;
    if (!one || !other)
      return different('bytes', `${base.length} -> ${here.length} bytes, and qpdf cannot tell why`);
    const unlike = unlikeObjects(steady(one, run), steady(other, run), run);
    if (unlike.length === 0) return { state: 'judged-equal' };
    const looks = `${seen('text', paths, run)}, ${seen('pages', paths, run)}`;
    return different('objects', `${unlike.length} object(s), first ${unlike[0]}; ${looks}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function readObjects(path: string, passwords: readonly string[]): Objects | undefined {
  for (const password of ['', ...passwords]) {
    const args = ['--json', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=none'];
    const ran = spawnSync('qpdf', [`--password=${password}`, ...args, path], { maxBuffer: 1 << 29 });
    // 3: with warnings.
    if (ran.status === 0 || ran.status === 3)
      return (JSON.parse(ran.stdout.toString('utf8')) as { qpdf: [unknown, Objects] }).qpdf[1];
  }
  return undefined;
}

/** The objects without what is made by lot or by the clock. */
function steady(objects: Objects, run: Run): Objects {
  const made: Objects = {};
  const ranks = tagRanks(objects);
  for (const [name, object] of Object.entries(objects)) {
    // Object streams and cross-reference streams hold what is listed by itself.
    if (/^\/(?:ObjStm|XRef)$/.test(String(object.stream?.dict['/Type']))) continue;
    made[name] = mapTexts(object, (text) =>
      text.startsWith('u:') ? (ranks.get(text) ?? withoutPassingValues(text, run)) : text,
    ) as PdfObject;
  }
  const trailer = made.trailer?.value as Dictionary | undefined;
  if (trailer) steadyTrailer(trailer, made, run);
  for (const { value } of Object.values(made))
    for (const each of dictionariesIn(value)) steadySignature(each);
  return made;
}

/** Chromium numbers tags on and on while it runs: where they stand among those of the document counts. */
function tagRanks(objects: Objects): Map<string, string> {
  const names = new Set<string>();
  mapTexts(objects, (text) => {
    if (/^u:node\d{8}$/.test(text)) names.add(text);
    return text;
  });
  return new Map([...names].sort().map((name, rank) => [name, `(tag ${rank})`]));
}

/**
 * ISO 32000-2, 14.4: the first identifier stays with a document, the second is new with every version of it. A document
 * that has none is given one.
 */
function steadyTrailer(trailer: Dictionary, objects: Objects, { sent }: Run): void {
  const ids = trailer['/ID'];
  if (Array.isArray(ids)) {
    const wasSent = sent.some((bytes) => holds(Buffer.from(bytes), String(ids[0])));
    trailer['/ID'] = [wasSent ? ids[0] : '(new)', '(new)'];
  }
  // LibreOffice: a checksum of a file that holds the time.
  if ('/DocChecksum' in trailer) trailer['/DocChecksum'] = '(checksum)';
  const encrypt = trailer['/Encrypt'];
  const dictionary = typeof encrypt === 'string' ? objects[`obj:${encrypt}`]?.value : encrypt;
  // 7.6.4.4: made with random salts, or from the identifier.
  for (const key of ['/O', '/U', '/OE', '/UE', '/Perms'])
    if (isDictionary(dictionary) && key in dictionary) dictionary[key] = '(by lot)';
}

/** A string as qpdf writes it, `u:` and text or `b:` and digits; in a file as bytes or as digits. */
function holds(bytes: Buffer, written: string): boolean {
  const string = Buffer.from(written.slice(2), written.startsWith('b:') ? 'hex' : 'utf8');
  const digits = string.toString('hex');
  return [string, digits, digits.toUpperCase()].some((each) => bytes.includes(each));
}

/** 12.8.1: the signed digest, its time and its padding; how long it is counts. */
function steadySignature(dictionary: Dictionary): void {
  if (!('/ByteRange' in dictionary) || typeof dictionary['/Contents'] !== 'string') return;
  dictionary['/Contents'] = `(signature of ${dictionary['/Contents'].length} digits)`;
}

function* dictionariesIn(value: unknown): Iterable<Dictionary> {
  if (Array.isArray(value)) for (const each of value) yield* dictionariesIn(each);
  else if (isDictionary(value)) {
    yield value;
    for (const each of Object.values(value)) yield* dictionariesIn(each);
  }
}

const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unlikeObjects(one: Objects, other: Objects, run: Run): string[] {
  const found: string[] = [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const { stream, value } = one[name] ?? {};
    const { stream: otherStream, value: otherValue } = other[name] ?? {};
    const unlike =
      firstDifference(value, otherValue) ??
      firstDifference(stream?.dict, otherStream?.dict) ??
      unlikeData(stream?.data, otherStream?.data, run);
    if (unlike !== undefined) found.push(`${name.replace('obj:', '')} ${unlike}`);
  }
  return found;
}

/** Streams that tell the time (XMP, a stamp of the date) may differ in nothing else. */
function unlikeData(one: string | undefined, other: string | undefined, run: Run): string | undefined {
  if (one === other) return undefined;
  if (one === undefined || other === undefined) return 'is a stream on one side only';
  const [data, otherData] = [one, other].map((each) => unpacked(Buffer.from(each, 'base64')));
  if (data === undefined || otherData === undefined) return 'stream data';
  if (data === otherData) return 'stream data (compressed otherwise, the same unpacked)';
  if (withoutPassingValues(data, run) === withoutPassingValues(otherData, run)) return undefined;
  return `stream data (${data.length} -> ${otherData.length} bytes unpacked)`;
}

function unpacked(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return bytes.toString('latin1');
  }
}

/** What a reader of the document would notice, by poppler. */
function seen(what: 'text' | 'pages', paths: readonly string[], { passwords }: Run): string {
  const outputs = paths.map((path) => {
    for (const password of ['', ...passwords]) {
      const opened = password === '' ? [] : ['-upw', password];
      const ran =
        what === 'text'
          ? spawnSync('pdftotext', [...opened, path, '-'], { maxBuffer: 1 << 28 })
          : spawnSync('pdftoppm', [...opened, '-r', '40', '-l', '20', path], { maxBuffer: 1 << 28 });
      if (ran.status === 0) return ran.stdout;
    }
    return undefined;
  });
  if (!outputs[0] || !outputs[1]) return `${what} not readable`;
  return `${what} ${outputs[0].equals(outputs[1]) ? 'equal' : 'differ'}`;
}
