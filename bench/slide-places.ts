// `node bench/slide-places.ts <pdf...>`: each document as a presentation, printed back by LibreOffice, and how many of
// its words stand where they stood. Without arguments: a sample of the collection beside the clone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runHere } from '../service/testing/calls/run-here.ts';
import { corpus } from '../service/testing/documents/collection.ts';
import { printedAll } from '../service/testing/oracles/office-documents.ts';
import { comparePlaces, pageCount } from '../service/testing/oracles/word-places.ts';

const SAMPLE = 30;
const MAX_PAGES = 12;
const TOGETHER = 10;

function sample(): string[] {
  const all = corpus('pdf', 'text', 'tables').filter((path) => {
    try {
      const pages = pageCount(readFileSync(path));
      return pages > 0 && pages <= MAX_PAGES;
    } catch {
      return false;
    }
  });
  return all.filter(
    (_, i) => Math.floor((i * SAMPLE) / all.length) !== Math.floor(((i - 1) * SAMPLE) / all.length),
  );
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : sample();
const folder = mkdtempSync(join(tmpdir(), 'bindery-slide-places-'));
const sum = { words: 0, found: 0, inPlace: 0 };
const share = (count: number, of: number): string => `${((100 * count) / Math.max(1, of)).toFixed(2)} %`;
try {
  for (let from = 0; from < files.length; from += TOGETHER) {
    const converted: { path: string; pptx: string }[] = [];
    for (const path of files.slice(from, from + TOGETHER)) {
      const ran = await runHere('convert/pdf/presentation', { files: { fileInput: path } });
      if (ran.state !== 'made') continue;
      const pptx = join(folder, `${basename(path, '.pdf')}.pptx`);
      writeFileSync(pptx, ran.bytes);
      converted.push({ path, pptx });
    }
    const printed = printedAll(converted.map(({ pptx }) => pptx));
    for (const [i, { path }] of converted.entries()) {
      const pdf = printed[i];
      if (!pdf) continue;
      const original = readFileSync(path);
      const own = { words: 0, found: 0, inPlace: 0 };
      for (let page = 1; page <= Math.min(pageCount(original), pageCount(pdf), MAX_PAGES); page += 1) {
        const places = comparePlaces(original, pdf, page);
        for (const key of ['words', 'found', 'inPlace'] as const) own[key] += places[key];
      }
      for (const key of ['words', 'found', 'inPlace'] as const) sum[key] += own[key];
      console.log(
        `${basename(path)}: ${own.words} words, ${share(own.found, own.words)} there, ${share(own.inPlace, own.words)} in place`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${sum.words} words, ${share(sum.found, sum.words)} there, ${share(sum.inPlace, sum.words)} in place`,
);
