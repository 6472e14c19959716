// What we read ourselves must be what the library reads: file by file, object by object, and of damaged files, too.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { corpus, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { missing, pdftotext, qpdfCheck } from '../../../../testing/oracles/programs.ts';
import type { Content } from '../../../contract/files.ts';
import { InputFile } from '../../../contract/files.ts';
import { Dict, Name, type PdfObject, PdfString, Ref, Stream } from '../../../pdf/objects.ts';
import { formatValue } from '../../../pdf/syntax/object-syntax.ts';
import { begin, ERRORS_BIT, qpdfLibrary, readFromMemory } from '../library.ts';
import { LibraryStore } from '../library-store.ts';
import { createQpdf } from '../qpdf.ts';
import { Doubt } from './object-scan.ts';
import { ofTheDocument, readStrictly, type StrictFile } from './parser.ts';
import { FileSource, MemorySource, type Source } from './source.ts';
import { refsIn, StrictStore } from './store.ts';
import { textOf } from './strict-object.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sound-'));
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.pdf`);
};
const { engine, closeAll } = createQpdf({ passwords: [], newFile });
after(() => {
  closeAll();
  rmSync(folder, { recursive: true });
});

const bytesOf = (content: Content): Uint8Array =>
  'bytes' in content ? content.bytes : readFileSync(content.path);

const fixtures = readdirSync(fixture('.'))
  .filter((name) => name.endsWith('.pdf'))
  .map((name) => fixture(name));

/** Values that are compared by what they say. */
function plain(value: PdfObject, isNothing = (_: Ref): boolean => false): unknown {
  if (value instanceof Ref) return `${value.key} R`;
  if (value instanceof Name) return `/${value.value}`;
  if (value instanceof PdfString) return `(${Buffer.from(value.bytes).toString('hex')})`;
  if (value instanceof Stream) return { stream: plain(value.dict, isNothing) };
  if (Array.isArray(value)) return value.map((item) => plain(item, isNothing));
  // The library does not show entries that lead to nothing.
  if (value instanceof Dict)
    return Object.fromEntries(
      [...value]
        .filter(([, item]) => !(item instanceof Ref && isNothing(item)))
        .map(([key, item]) => [key, plain(item, isNothing)]),
    );
  return value;
}

const keyOf = ({ key }: Ref): string => key;

/** Undefined where there is doubt about the file, or about any object that it reaches. */
function strictWhole(bytes: Uint8Array, source: Source = new MemorySource(bytes)): StrictStore | undefined {
  const file = readStrictly(source);
  if (!file) return undefined;
  const store = new StrictStore(file);
  try {
    store.survey();
    return store;
  } catch (error) {
    assert.ok(error instanceof Doubt, String(error));
    return undefined;
  }
}

function openedByLibrary(bytes: Uint8Array, what: string): LibraryStore {
  const lib = qpdfLibrary();
  const pointer = begin(lib);
  const status = readFromMemory(lib, pointer, bytes, Buffer.alloc(1));
  assert.equal(status & ERRORS_BIT, 0, what);
  return new LibraryStore(lib, pointer, bytes);
}

/** The object, or undefined where it, or what it refers to, leaves a doubt. */
function loaded(store: StrictStore, ref: Ref): PdfObject | undefined {
  try {
    return store.load(ref);
  } catch (error) {
    assert.ok(error instanceof Doubt, String(error));
    return undefined;
  }
}

/** Of freed objects that are referred to the library makes null, as we do, and says so. */
const isOfFreed = (warning: string): boolean => /unexpected xref entry type/.test(warning);

/** What the document reaches, from the trailer on. */
function reachedIn(store: StrictStore): Ref[] {
  const found = new Map<number, Ref>();
  const waiting = refsIn(ofTheDocument(store.trailer()));
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    if (found.has(ref.number) || store.load(ref) === null) continue;
    found.set(ref.number, ref);
    waiting.push(...refsIn(store.load(ref)));
  }
  return [...found.values()];
}

function assertAlike(ours: StrictStore, bytes: Uint8Array, what: string): void {
  const theirs = openedByLibrary(bytes, what);
  const isNothing = (ref: Ref): boolean => ours.load(ref) === null;
  try {
    assert.deepEqual(ours.loadPages().map(keyOf), theirs.loadPages().map(keyOf), what);
    assert.equal(ours.headerVersion, theirs.headerVersion, what);
    assert.deepEqual(
      plain(ofTheDocument(ours.trailer()), isNothing),
      plain(ofTheDocument(theirs.trailer())),
      what,
    );
    for (const ref of reachedIn(ours)) {
      const object = ours.load(ref);
      assert.deepEqual(plain(object), plain(theirs.load(ref)), `${what}, ${ref.key}`);
      if (object instanceof Stream)
        assert.ok(
          Buffer.from(ours.rawStreamData(ref)).equals(theirs.rawStreamData(ref)),
          `${what}, data of ${ref.key}`,
        );
    }
    assert.deepEqual(
      theirs.takeWarnings().filter((text) => !isOfFreed(text)),
      [],
      what,
    );
  } finally {
    theirs.close();
  }
}

/** The way to the pages is read before anything else: what it says must hold whatever is wrong elsewhere. */
function assertSamePages(file: StrictFile, bytes: Uint8Array, what: string): void {
  const theirs = openedByLibrary(bytes, what);
  const ours = new StrictStore(file);
  try {
    assert.deepEqual(file.pages.map(keyOf), theirs.loadPages().map(keyOf), what);
    for (const ref of [file.root, ...file.pages]) {
      const object = loaded(ours, ref);
      if (object !== undefined)
        assert.deepEqual(plain(object), plain(theirs.load(ref)), `${what}, ${ref.key}`);
    }
  } finally {
    theirs.close();
  }
}

/** Large files are not read whole: what is read of them piece by piece is the same. */
function assertReadsByRange(path: string, bytes: Uint8Array): void {
  const source = new FileSource(path, bytes.length);
  try {
    const [ours, inMemory] = [strictWhole(bytes, source), strictWhole(bytes)];
    assert.ok(ours && inMemory, path);
    for (const ref of reachedIn(inMemory)) {
      assert.deepEqual(plain(ours.load(ref)), plain(inMemory.load(ref)), `${path}, ${ref.key}`);
      assert.deepEqual(ours.rawStreamData(ref), inMemory.rawStreamData(ref), `${path}, data of ${ref.key}`);
    }
  } finally {
    source.close();
  }
}

/** The text, and the fonts' and contents' data, of a document that was opened and saved. */
function assertSavesAlike(bytes: Uint8Array, what: string): void {
  const doc = engine.open(new InputFile('a.pdf', { bytes }));
  for (const objectStreams of ['disable', 'generate', 'preserve'] as const) {
    const saved = bytesOf(doc.save({ objectStreams }));
    const again = strictWhole(saved);
    assert.ok(again, `${what} is sound when saved`);
    assertAlike(again, saved, `${what}, saved, ${objectStreams}`);
  }
  const saved = bytesOf(doc.save());
  qpdfCheck(saved);
  assert.equal(pdftotext(saved), pdftotext(bytes), what);
  assert.ok(saved.length < bytes.length + 1000, `${what}: ${bytes.length} became ${saved.length}`);
}

function readAll(paths: readonly string[]): { bytes: Uint8Array; path: string }[] {
  return paths
    .map((path) => ({ path, bytes: readFileSync(path) }))
    .filter(({ bytes }) => strictWhole(bytes) !== undefined);
}

test('the fixtures read as the library reads them, and are saved whole', {
  skip: missing('qpdf', 'pdftotext'),
}, () => {
  const read = readAll(fixtures);
  assert.ok(read.length >= 5, `${read.length} are read`);
  for (const { path, bytes } of read) {
    const sound = strictWhole(bytes);
    if (sound) assertAlike(sound, bytes, path);
    assertReadsByRange(path, bytes);
    assertSavesAlike(bytes, path);
  }
});

test('the collection reads as the library reads it, and is saved whole', {
  skip: noCorpus() || missing('qpdf', 'pdftotext'),
}, (t) => {
  const read = readAll(corpus('pdf', 'text', 'tables'));
  t.diagnostic(`${read.length} files`);
  assert.ok(read.length >= 20, `${read.length} are read`);
  for (const { path, bytes } of read) {
    const sound = strictWhole(bytes);
    if (sound) assertAlike(sound, bytes, path);
    assertReadsByRange(path, bytes);
    assertSavesAlike(bytes, path);
  }
});

/** Numbers that come the same on every run. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const SPOILERS = [
  '%',
  '(',
  ')',
  '<',
  '>',
  '[',
  ']',
  '/',
  ' ',
  '\r',
  '\n',
  '\0',
  '#',
  '9',
  '-',
  'R',
  'obj',
  '\\',
];

function spoil(bytes: Buffer, roll: (most: number) => number): Buffer {
  const at = roll(bytes.length);
  const spoiler = Buffer.from(SPOILERS[roll(SPOILERS.length)] ?? '');
  const kind = roll(3);
  // Put over, put in, left out.
  const after = bytes.subarray(kind === 1 ? at : at + spoiler.length);
  return Buffer.concat([bytes.subarray(0, at), ...(kind === 2 ? [] : [spoiler]), after]);
}

function packed(bytes: Uint8Array): Buffer {
  const content = engine.open(new InputFile('a.pdf', { bytes })).save({ objectStreams: 'generate' });
  assert.ok('bytes' in content);
  return Buffer.from(content.bytes);
}

/** The file with a further revision, in which the catalog is written anew. */
function revised(bytes: Buffer): Buffer {
  const file = readStrictly(new MemorySource(bytes));
  assert.ok(file);
  const root = file.find(file.root);
  assert.ok(root);
  const { key, number, generation } = file.root;
  const object = `${key} obj\n${textOf(root)}\nendobj\n`;
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1'))?.[1];
  const row = `${String(bytes.length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
  const entries = formatValue(ofTheDocument(file.trailer).set('Size', file.highest + 1));
  const trailer = `trailer ${entries.replace(/>>$/, ` /Prev ${start} >>`)}\n`;
  const table = `xref\n${number} 1\n${row}${trailer}startxref\n${bytes.length + object.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(`${object}${table}`, 'latin1')]);
}

test('a spoiled file is read as the library reads it, or not at all', (t) => {
  const roll = dice(20261115);
  const plain = [onePage(), ...readAll(fixtures).map(({ bytes }) => Buffer.from(bytes))];
  const once = [...plain, ...plain.map(packed)].filter((bytes) => bytes.length < 20_000);
  const given = [...once, ...once.map(revised)];
  let opened = 0;
  let read = 0;
  for (let round = 0; round < 4000; round += 1) {
    const spoiled = spoil(given[round % given.length] ?? onePage(), roll);
    const file = readStrictly(new MemorySource(spoiled));
    if (!file) continue;
    opened += 1;
    assertSamePages(file, spoiled, `round ${round}`);
    const sound = strictWhole(spoiled);
    if (!sound) continue;
    read += 1;
    assertAlike(sound, spoiled, `round ${round}`);
  }
  t.diagnostic(`${opened} of 4000 were opened, ${read} read whole`);
  assert.ok(read > 100);
});

const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
/** A document that reaches the object. */
const holding = (object: string): Buffer => onePage({ more: [object], trailer: '/Trial 5 0 R' });
const LEFT_TO_THE_LIBRARY: Record<string, Buffer> = {
  'rubbish before the header': Buffer.concat([Buffer.from(' '), onePage()]),
  'rubbish after the end': Buffer.concat([onePage(), Buffer.from('x')]),
  'a page that stands twice': pdfOf([catalog, '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>', page]),
  'a page inside the tree': pdfOf([catalog, `<< /Type /Pages /Kids [${page}] /Count 1 >>`]),
  'a tree without pages': pdfOf([catalog, '<< /Type /Pages /Kids [] /Count 0 >>']),
  'a tree in a circle': pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  'a key that stands twice': pdfOf([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 1 /Count 1 >>', page]),
  'a comment in an object': pdfOf([catalog, '<< /Type /Pages /Kids [3 0 R] % one\n /Count 1 >>', page]),
  'a wrong length': holding(streamOf('abc').replace('/Length 3', '/Length 2')),
  'a length that leads back to its stream': holding(streamOf('abc').replace('/Length 3', '/Length 5 0 R')),
  'data in another file': holding(streamOf('', '/F (elsewhere)')),
  'an unknown word': holding('<< /A what >>'),
  'a table that is none': Buffer.from(
    onePage()
      .toString('latin1')
      .replace(/\nxref\n/, '\nxrof\n'),
    'latin1',
  ),
  encryption: onePage({ more: ['<< /Filter /Standard >>'], trailer: '/Encrypt 5 0 R' }),
};
for (const [what, bytes] of Object.entries(LEFT_TO_THE_LIBRARY)) {
  test(`${what}: left to the library`, () => {
    assert.equal(strictWhole(bytes), undefined);
  });
}

test('a sound file is read', () => assert.ok(strictWhole(onePage())));

test('a file of several revisions is read as its newest', () => {
  const first = onePage({ more: ['(old)'], trailer: '/Trial 5 0 R' }).toString('latin1');
  const start = /startxref\n(\d+)/.exec(first)?.[1];
  const at = first.length;
  const body = '5 0 obj\n(new)\nendobj\n';
  const table = `xref\n5 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer << /Size 6 /Root 1 0 R /Prev ${start} >>\nstartxref\n${at + body.length}\n%%EOF\n`;
  const bytes = Buffer.from(`${first}${body}${table}${trailer}`, 'latin1');
  const sound = strictWhole(bytes);
  assert.ok(sound);
  assertAlike(sound, bytes, 'two revisions');
  assert.deepEqual(plain(sound.load(new Ref(5))), `(${Buffer.from('new').toString('hex')})`);
});

test('numbers and strings that nobody changes stay as they were written', () => {
  const given = onePage({ more: ['<< /Kept [1.23456789 +.5 (a\\)b) <0aF>] >>'], trailer: '/Info 5 0 R' });
  const doc = engine.open(new InputFile('a.pdf', { bytes: given }));
  doc.edit(doc.catalogRef).set('Kept', new Ref(5));
  doc.setTrailer('Info', undefined);
  const content = doc.save();
  assert.ok('bytes' in content);
  assert.match(Buffer.from(content.bytes).toString('latin1'), /\[1\.23456789 \+\.5 \(a\\\)b\) <0aF>\]/);
});
