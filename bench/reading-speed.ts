// `node bench/reading-speed.ts [--runs 5] [--op markdown] [pdf...]`: processor time of text and Markdown in this
// process, warm, against what pdftotext takes of the same document, program start included. Without documents: those of
// the collection beside the clone that have ten pages or more and any text. A ratio of 1 is pdftotext's throughput.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { runHere } from '../service/testing/calls/run-here.ts';
import { corpus } from '../service/testing/documents/collection.ts';
import { pdfinfo, pdftotext } from '../service/testing/oracles/programs.ts';

const LONGER = 10;
const FEWEST_LETTERS = 1000;
const GOALS = { text: 1, markdown: 0.5 } as const;
type Op = keyof typeof GOALS;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, op: { type: 'string' } },
});
const runs = Number(values.runs);
const ops: Op[] = values.op === 'text' || values.op === 'markdown' ? [values.op] : ['text', 'markdown'];

const pagesOf = (path: string): number => {
  try {
    const pdf = readFileSync(path);
    const pages = Number(pdfinfo(pdf).Pages);
    return pages < LONGER || pdftotext(pdf).length < FEWEST_LETTERS ? 0 : pages;
  } catch {
    return 0;
  }
};

const total = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Milliseconds of user and system time, as the shell tells them of its child; many at once, to be told apart from 0. */
function ofPdftotext(path: string): number {
  const often = 3;
  const script = `for i in ${Array.from({ length: often }, (_, i) => i).join(' ')}; do pdftotext -q "$1" /dev/null; done; times`;
  const told = spawnSync('bash', ['-c', script, 'bash', path], { encoding: 'utf8' }).stdout;
  const last = told.trim().split('\n').at(-1) ?? '';
  const ms = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1000,
  );
  return ms.reduce((sum, each) => sum + each, 0) / often;
}

async function ofOurs(op: Op, path: string): Promise<number> {
  const before = process.cpuUsage();
  const ran = await runHere(`convert/pdf/${op}`, { files: { fileInput: path } });
  return ran.state === 'made' ? total(process.cpuUsage(before)) : Number.NaN;
}

const documents = positionals.length > 0 ? positionals : corpus('pdf', 'text', 'tables').filter(pagesOf);
const missed: Record<Op, string[]> = { text: [], markdown: [] };
console.log(`document\tpdftotext ms\t${ops.map((op) => `${op} ms\t${op} ratio`).join('\t')}`);
for (const path of documents) {
  const best = { theirs: Infinity, text: Infinity, markdown: Infinity };
  // Side by side, so that a busy machine is busy for both.
  for (let run = 0; run < runs; run += 1) {
    best.theirs = Math.min(best.theirs, ofPdftotext(path));
    for (const op of ops) best[op] = Math.min(best[op], await ofOurs(op, path));
  }
  const cells = ops.flatMap((op) => {
    const ratio = best.theirs / best[op];
    if (!(ratio >= GOALS[op])) missed[op].push(basename(path));
    return [best[op].toFixed(1), ratio.toFixed(2)];
  });
  console.log([basename(path), best.theirs.toFixed(1), ...cells].join('\t'));
}
for (const op of ops)
  console.log(`${op}: ${documents.length - missed[op].length} of ${documents.length} reach ${GOALS[op]}`);
