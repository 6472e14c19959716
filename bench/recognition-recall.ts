// How many of the words of scans whose text is known are found in the text layer of the result, against Tesseract's own
// text of the same pages. Needs the collection beside the clone.
//
//   node bench/recognition-recall.ts
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { runHere } from '../service/testing/calls/run-here.ts';

const TRUTH = new URL('../../shared/corpus/ocr/TRUTH.tsv', import.meta.url);
const ALLOWED = 0.02;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_'\u2019]{2,}/gu) ?? [];

function recall(truth: string, found: string): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(found)) left.set(word, (left.get(word) ?? 0) + 1);
  const wanted = wordsOf(truth);
  const hits = wanted.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return hits.length / wanted.length;
}

if (!existsSync(TRUTH)) throw new Error('no collection beside the clone');
let worse = 0;
for (const row of readFileSync(TRUTH, 'utf8').trim().split('\n').slice(1)) {
  const [pdf = '', truth = '', languages = '', tesseract = ''] = row.split('\t');
  const [path = '', words = ''] = [pdf, truth].map(
    (each) => new URL(each.replace('shared/ocr/', ''), TRUTH).pathname,
  );
  const began = Date.now();
  const ran = await runHere('misc/ocr-pdf', { files: { fileInput: path }, params: { languages } });
  if (ran.state !== 'made') throw new Error(`${pdf}: ${ran.state}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: ran.bytes, encoding: 'utf8' });
  const found = recall(readFileSync(words, 'utf8'), stdout);
  if (found < Number(tesseract) - ALLOWED) worse += 1;
  console.log(`${found.toFixed(3)} (Tesseract ${tesseract}) ${seconds} s  ${pdf}`);
}
process.exitCode = worse > 0 ? 1 : 0;
