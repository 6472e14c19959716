// What comes of a page depends on the document, the values and that page alone: so that others may help with some.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { jobOf } from '../../testing/calls/run-here.ts';
import { corpus, fixture, spread } from '../../testing/documents/collection.ts';
import type { Content } from '../contract/files.ts';
import { fileInMemory } from '../contract/files.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import { openEngines } from '../engines/load.ts';
import type { AnyOperation, PageWork } from './define.ts';
import { OPERATIONS } from './index.generated.ts';

const MOST_PAGES = 8;
/** Values that make many pages cheap. */
const PARAMS: Record<string, Record<string, string>> = {
  'convert/pdf/img': { dpi: '30' },
  'convert/pdf/cbz': { dpi: '30' },
};

const folder = mkdtempSync(join(tmpdir(), 'bindery-parts-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (extension: string): string => {
  files += 1;
  return join(folder, `${files}.${extension}`);
};
const log = createLog('silent');

async function withWork<T>(path: string, pdf: string, use: (work: PageWork) => Promise<T>): Promise<T> {
  const op = OPERATIONS[path] as AnyOperation;
  const [step] = jobOf(path, { files: { fileInput: pdf }, params: PARAMS[path] ?? {} }).steps;
  const session = await openEngines(op.uses, { passwords: [], newFile, log, egress: undefined });
  try {
    const inputs = { fileInput: fileInMemory(basename(pdf), readFileSync(pdf)) };
    using work = (await op.pages?.(inputs, step?.params ?? {}, {
      engine: session.engines,
      newFile,
      log,
    })) as PageWork;
    return await use(work);
  } finally {
    session.close();
  }
}

async function bytesOf(work: PageWork, from: number, to: number): Promise<Buffer[]> {
  const made: Buffer[] = [];
  const read = (content: Content) =>
    Buffer.from('bytes' in content ? content.bytes : readFileSync(content.path));
  for await (const content of work.pages(from, () => to)) {
    made.push(read(content));
    if ('path' in content) rmSync(content.path);
  }
  return made;
}

/** Whether it has several pages; what cannot be opened has none. */
async function compare(path: string, pdf: string): Promise<boolean> {
  try {
    const serial = await withWork(path, pdf, (work) => bytesOf(work, 0, Math.min(work.count, MOST_PAGES)));
    if (serial.length < 2) return false;
    const middle = serial.length >> 1;
    // The later part first, and each opened by itself.
    const later = await withWork(path, pdf, (work) => bytesOf(work, middle, serial.length));
    const earlier = await withWork(path, pdf, (work) => bytesOf(work, 0, middle));
    for (const [at, page] of [...earlier, ...later].entries())
      assert.ok(serial[at]?.equals(page), `${path}, page ${at + 1} of ${pdf}`);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

const parted = Object.keys(OPERATIONS).filter((path) => OPERATIONS[path]?.pages);

test('there are operations whose work parts into pages', () => {
  assert.ok(parted.includes('convert/pdf/text') && parted.includes('convert/pdf/img'));
});

for (const path of parted) {
  test(`${path}: pages done by others are the same`, async (t) => {
    const fixtures = ['type1-fonts.pdf', 'tables.pdf', 'tied-pages.pdf', 'everything.pdf', 'reading.pdf'];
    for (const name of fixtures) assert.ok(await compare(path, fixture(name)), name);
    // Each document by every second operation, its neighbour by the others (WHOLE_COLLECTION=1: all by all): what is
    // asked is of the order of pages, and that they have in common.
    const collection = spread(corpus('pdf', 'text', 'tables'), 2, parted.indexOf(path) % 2);
    if (collection.length === 0) t.diagnostic('no collection beside the clone');
    let compared = 0;
    for (const pdf of collection) if (await compare(path, pdf)) compared += 1;
    t.diagnostic(`${compared} documents of several pages compared`);
  });
}
