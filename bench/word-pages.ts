// `node bench/word-pages.ts <pdf...>`: each document as a Word file, printed back by LibreOffice, and how many of its
// words stand on the page they stood on, and in their order. Without arguments: a sample of the collection beside the clone.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { runHere } from '../service/src/jobs/run-here.ts';
import { corpus, pdfinfo, pdftotext } from '../service/src/operations/judges.ts';
import { printed } from '../service/src/operations/office-judges.ts';

const SAMPLE = 30;
const MAX_PAGES = 20;

const given = process.argv.slice(2);
const all = corpus('pdf', 'text', 'tables');
const step = Math.max(1, Math.floor(all.length / (2 * SAMPLE)));
const files = given.length > 0 ? given : all.filter((_, index) => index % step === 0);

const wordsOn = (pdf: Buffer, page: number): string[] =>
  pdftotext(pdf, '-f', String(page), '-l', String(page))
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function shared(ours: readonly string[], theirs: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of ours) {
    const times = left.get(word) ?? 0;
    if (times > 0) count += 1;
    left.set(word, times - 1);
  }
  return count;
}

/** The longest common subsequence, by its length. */
function inOrder(ours: readonly string[], theirs: readonly string[]): number {
  let row = new Uint32Array(theirs.length + 1);
  for (const word of ours) {
    const next = new Uint32Array(theirs.length + 1);
    for (let i = 0; i < theirs.length; i += 1)
      next[i + 1] = theirs[i] === word ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0);
    row = next;
  }
  return row[theirs.length] ?? 0;
}

const sum = { documents: 0, pages: 0, words: 0, right: 0, ordered: 0 };
for (const path of files) {
  if (given.length === 0 && sum.documents >= SAMPLE) break;
  const before = readFileSync(path);
  let pages = 0;
  try {
    pages = Number(pdfinfo(before).Pages);
  } catch {
    continue;
  }
  const counts = Array.from({ length: Math.min(pages, MAX_PAGES) }, (_, index) => wordsOn(before, index + 1));
  if (given.length === 0 && (pages > MAX_PAGES || counts.flat().length < 20)) continue;
  const ran = await runHere('convert/pdf/word', { files: { fileInput: path } });
  if (ran.state !== 'made') {
    console.log(`${basename(path)}: ${ran.state}`);
    continue;
  }
  const after = printed(ran.bytes, 'docx');
  const made = Number(pdfinfo(after).Pages);
  let [words, right, ordered] = [0, 0, 0];
  for (const [index, own] of counts.entries()) {
    const theirs = index < made ? wordsOn(after, index + 1) : [];
    words += own.length;
    right += shared(own, theirs);
    ordered += inOrder(own, theirs);
  }
  sum.documents += 1;
  sum.pages += counts.length;
  sum.words += words;
  sum.right += right;
  sum.ordered += ordered;
  const share = (count: number): string => `${((100 * count) / Math.max(1, words)).toFixed(1)} %`;
  console.log(
    `${basename(path)}: ${pages} -> ${made} pages, ${words} words, right page ${share(right)}, in order ${share(ordered)}`,
  );
}
const percent = (count: number): string => `${((100 * count) / Math.max(1, sum.words)).toFixed(2)} %`;
console.log(
  `${sum.documents} documents, ${sum.pages} pages, ${sum.words} words: right page ${percent(sum.right)}, in order ${percent(sum.ordered)}`,
);
