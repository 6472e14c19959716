// `node bench/word-pages.ts <pdf...>`: each document as a Word file, printed back by LibreOffice, and how many of its
// words stand on the page they stood on, and in their order. Without arguments: a sample of the collection beside the
// clone. `--keep <folder>` leaves the Word files and what was printed there, beside the originals.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runHere } from '../service/testing/calls/run-here.ts';
import { corpus } from '../service/testing/documents/collection.ts';
import { printedAll } from '../service/testing/oracles/office-documents.ts';
import { comparePage, wordsOf } from '../service/testing/oracles/page-words.ts';
import { pdfinfo, pdftotext } from '../service/testing/oracles/programs.ts';

const SAMPLE = 30;
const MAX_PAGES = 20;
const FEWEST_WORDS = 20;
/** So many documents are handed to LibreOffice at once. */
const TOGETHER = 10;
const GOOD = 0.95;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } });
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'bindery-word-pages-'));
mkdirSync(folder, { recursive: true });

interface Converted {
  name: string;
  original: Buffer;
  pages: number;
  docx: string;
}

const pagesOf = (pdf: Buffer): number => {
  try {
    return Number(pdfinfo(pdf).Pages);
  } catch {
    return 0;
  }
};

function sample(): string[] {
  const all = corpus('pdf', 'text', 'tables');
  const every = (list: readonly string[], count: number): string[] =>
    list.filter(
      (_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length),
    );
  const fitting = every(all, 2 * SAMPLE).filter((path) => {
    const pdf = readFileSync(path);
    const pages = pagesOf(pdf);
    return pages > 0 && pages <= MAX_PAGES && wordsOf(pdftotext(pdf)).length >= FEWEST_WORDS;
  });
  return every(fitting, SAMPLE);
}

async function convert(path: string): Promise<Converted | undefined> {
  const original = readFileSync(path);
  const ran = await runHere('convert/pdf/word', { files: { fileInput: path } });
  const name = basename(path, '.pdf');
  if (ran.state !== 'made') {
    console.log(`${name}: ${ran.state}`);
    return undefined;
  }
  const docx = join(folder, `${name}.docx`);
  writeFileSync(docx, ran.bytes);
  if (values.keep) copyFileSync(path, join(folder, `${name}.original.pdf`));
  return { name, original, pages: pagesOf(original), docx };
}

const sum = { documents: 0, pages: 0, good: 0, samePages: 0, words: 0, found: 0, inOrder: 0 };
const share = (count: number, of: number): string => `${((100 * count) / Math.max(1, of)).toFixed(2)} %`;

function judge({ name, original, pages }: Converted, printed: Buffer): void {
  const made = pagesOf(printed);
  const compared = Array.from({ length: Math.min(pages, MAX_PAGES) }, (_, index) =>
    comparePage(original, index < made ? printed : undefined, index + 1),
  );
  const [words, found, inOrder] = (['words', 'found', 'inOrder'] as const).map((key) =>
    compared.reduce((total, page) => total + page[key], 0),
  ) as [number, number, number];
  sum.documents += 1;
  sum.samePages += made === pages ? 1 : 0;
  sum.pages += compared.length;
  sum.good += compared.filter((page) => page.inOrder >= page.words * GOOD).length;
  sum.words += words;
  sum.found += found;
  sum.inOrder += inOrder;
  const low = compared.flatMap((page, index) =>
    page.inOrder < page.words * GOOD ? `${index + 1} (${share(page.inOrder, page.words)})` : [],
  );
  console.log(
    `${name}: ${pages} -> ${made} pages, ${words} words, right page ${share(found, words)}, in order ` +
      `${share(inOrder, words)}${low.length > 0 ? `, low on page ${low.join(', ')}` : ''}`,
  );
}

try {
  const files = positionals.length > 0 ? positionals : sample();
  for (let from = 0; from < files.length; from += TOGETHER) {
    const converted: Converted[] = [];
    for (const path of files.slice(from, from + TOGETHER)) {
      const made = await convert(path);
      if (made) converted.push(made);
    }
    const printed = printedAll(
      converted.map(({ docx }) => docx),
      values.keep,
    );
    for (const [index, document] of converted.entries()) {
      const pdf = printed[index];
      if (pdf) judge(document, pdf);
      else console.log(`${document.name}: LibreOffice prints nothing`);
    }
  }
} finally {
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${sum.documents} documents, ${sum.samePages} of them with as many pages; ${sum.pages} pages, ${sum.words} words: ` +
    `right page ${share(sum.found, sum.words)}, in order ${share(sum.inOrder, sum.words)}; ` +
    `${share(sum.good, sum.pages)} of the pages have ${100 * GOOD} % of their words in order`,
);
