// `node bench/headings.ts [--misses] <pdf...>`: headings as they are seen, against what the document itself says. Its
// tags, or else its outline, are hidden from the reader and are then the truth. Files beside it that are named like it
// with `.headings` hold one heading a line, "page text", and come first; "page ?text" is one that may be found or not,
// such as a name that begins its paragraph.
//
// An outline need not name every heading: what is found beyond its depth counts against us nevertheless.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../service/src/contract/log.ts';
import type { DrawnDocument, OutlineItem } from '../service/src/contract/page-items.ts';
import { createPdfium } from '../service/src/engines/pdfium/pdfium.ts';
import type { Block } from '../service/src/layout/model.ts';
import { readDocument } from '../service/src/layout/read-document.ts';

const MAX_PAGES = 30;
/** Fewer headings are no truth. */
const FEWEST = 3;
/** Tags must know so much of the text, and outlines must be found on their pages so often. */
const FOUND = 0.6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'boolean' } },
});

interface Named {
  page: number;
  text: string;
}

const pdfium = await createPdfium({ passwords: [], log: createLog('silent') });
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, '');

const headingsOf = (blocks: readonly Block[]): Named[] =>
  blocks.flatMap((block) =>
    block.kind === 'heading' ? [{ page: block.page, text: block.runs.map(({ text }) => text).join('') }] : [],
  );

const flat = (items: readonly OutlineItem[]): Named[] =>
  items.flatMap(({ title, page, children }) => [
    ...(page === undefined ? [] : [{ page, text: title }]),
    ...flat(children),
  ]);

/** The document without what it says of itself. */
const hidden = (document: DrawnDocument): DrawnDocument => ({
  pageCount: document.pageCount,
  readPage: (page, what) => document.readPage(page, what),
  tags: () => [],
  outline: () => [],
  information: (key) => document.information(key),
  language: () => document.language(),
  jpeg: (page, image) => document.jpeg(page, image),
  renderArea: (page, box, scale, omitted) => document.renderArea(page, box, scale, omitted),
});

const tagRoles = (document: DrawnDocument, pages: readonly number[]): boolean =>
  pages.some((page) => JSON.stringify(document.tags(page - 1)).includes('"role":"H'));

interface Truth {
  from: 'hand' | 'tags' | 'outline';
  headings: Named[];
  /** Neither right nor wrong. */
  either?: Named[];
  pages: number[];
}

async function truthOf(path: string, document: DrawnDocument): Promise<Truth | undefined> {
  const byHand = `${path.replace(/\.pdf$/, '')}.headings`;
  const all = Array.from({ length: document.pageCount }, (_, index) => index + 1);
  if (existsSync(byHand)) {
    const headings = readFileSync(byHand, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const named = headings.map((line) => ({
      page: Number.parseInt(line, 10),
      text: line.replace(/^\d+\s*/, ''),
    }));
    return {
      from: 'hand',
      headings: named.filter(({ text }) => text !== '' && !text.startsWith('?')),
      either: named.filter(({ text }) => text.startsWith('?')),
      pages: all.slice(0, MAX_PAGES),
    };
  }
  const first = all.slice(0, MAX_PAGES);
  if (tagRoles(document, first)) {
    const read = await readDocument(document, { pages: first, join: 'none' });
    const headings = headingsOf(read.pages.flatMap(({ blocks }) => blocks));
    if (headings.length >= FEWEST) return { from: 'tags', headings, pages: first };
  }
  const entries = flat(document.outline());
  const begin = Math.min(...entries.map(({ page }) => page));
  const pages = all.filter((page) => page >= begin).slice(0, MAX_PAGES);
  const headings = entries.filter(({ page }) => pages.includes(page));
  return headings.length >= FEWEST ? { from: 'outline', headings, pages } : undefined;
}

const encodePng = (): never => {
  throw new Error('no figure is drawn');
};

const isSame = (a: Named, b: Named): boolean => {
  if (a.page !== b.page) return false;
  const [one, other] = [plain(a.text), plain(b.text)];
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > long.length * FOUND && long.includes(short);
};

const sum = { documents: 0, found: 0, truth: 0, right: 0, f1: 0, precision: 0, recall: 0 };
for (const path of positionals) {
  const document = pdfium.open({ name: basename(path), content: { path } });
  try {
    const truth = await truthOf(path, document);
    if (!truth) {
      console.log(`${basename(path)}: says nothing of its headings`);
      continue;
    }
    // Words of figures are no text where figures are looked for, as Markdown does; none of them is drawn here.
    const read = await readDocument(hidden(document), { pages: truth.pages, join: 'none', encodePng });
    const { either = [] } = truth;
    const found = headingsOf(read.pages.flatMap(({ blocks }) => blocks)).filter(
      (heading) =>
        truth.headings.some((each) => isSame(each, heading)) || !either.some((each) => isSame(each, heading)),
    );
    const left = [...truth.headings];
    const wrong: Named[] = [];
    for (const heading of found) {
      const at = left.findIndex((each) => isSame(each, heading));
      if (at < 0) wrong.push(heading);
      else left.splice(at, 1);
    }
    const right = found.length - wrong.length;
    const precision = found.length === 0 ? (truth.headings.length === 0 ? 1 : 0) : right / found.length;
    const recall = truth.headings.length === 0 ? 1 : right / truth.headings.length;
    const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    sum.documents += 1;
    sum.found += found.length;
    sum.truth += truth.headings.length;
    sum.right += right;
    sum.precision += precision;
    sum.recall += recall;
    sum.f1 += f1;
    console.log(
      `${basename(path)} (${truth.from}): ${truth.headings.length} headings, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
    if (values.misses) {
      for (const { page, text } of wrong) console.log(`    + p. ${page} ${text.slice(0, 110)}`);
      for (const { page, text } of left) console.log(`    - p. ${page} ${text.slice(0, 110)}`);
    }
  } finally {
    document.close();
  }
}
pdfium.close();
const mean = (value: number): string => (value / Math.max(1, sum.documents)).toFixed(3);
console.log(
  `${sum.documents} documents, ${sum.truth} headings: precision ${(sum.right / Math.max(1, sum.found)).toFixed(3)}, ` +
    `recall ${(sum.right / Math.max(1, sum.truth)).toFixed(3)}; mean of documents: precision ${mean(sum.precision)}, ` +
    `recall ${mean(sum.recall)}, F1 ${mean(sum.f1)}`,
);
