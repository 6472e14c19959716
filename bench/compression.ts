// What compress-pdf makes of documents at its default level, against Ghostscript's /ebook: size, time, and how like
// the original the pages still look.
//
//   node bench/compression.ts [folder of documents]
//
// Without a folder: the 20 largest sound documents of the corpus. Both take each document in turn, one at a time;
// pages are rendered by poppler at 100 dots per inch, and compared in grey by SSIM.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startService } from '../test/service.ts';
import { runProgram } from './load.ts';
import { meanLikeness } from './page-likeness.ts';

const ROUNDS = 3;
const DOCUMENTS = 20;
/** Pages compared of each document, evenly taken. */
const PAGES = 6;
const LEFT_OUT = ['malformed', 'unopenable', 'broken-xref', 'password', 'encrypted-open', 'qpdf-warn'];
const GS = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook'];

interface Row {
  name: string;
  before: number;
  ours: { bytes: number; ms: number; likeness: number };
  gs: { bytes: number; ms: number; likeness: number };
}

const [folder = '../shared/corpus'] = process.argv.slice(2);
const documents = largest(folder);
const work = mkdtempSync(join(tmpdir(), 'bindery-compression-'));
const service = await startService({ env: { BINDERY_WORKERS: '1', BINDERY_LOG_LEVEL: 'error' } });
const rows: Row[] = [];
try {
  await compressHere(documents[0] ?? '', join(work, 'warm.pdf'));
  for (const path of documents) rows.push(await compare(path));
} finally {
  await service.remove();
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = report(rows) ? 0 : 1;

function largest(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.pdf') && /^(pdf|ocr)\/|^[^/]*$/.test(path))
    .filter((path) => !LEFT_OUT.some((part) => path.split('/').includes(part)))
    .map((path) => join(root, path));
  return all.sort((a, b) => statSync(b).size - statSync(a).size).slice(0, DOCUMENTS);
}

async function compare(path: string): Promise<Row> {
  const ours = join(work, 'ours.pdf');
  const theirs = join(work, 'gs.pdf');
  const times: { ours: number[]; gs: number[] } = { ours: [], gs: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push(await timed(() => compressHere(path, ours)));
    times.gs.push(await timed(() => runProgram('gs', [...GS, `-sOutputFile=${theirs}`, path])));
  }
  const outcome = (made: string, ms: number[]) => ({
    bytes: statSync(made).size,
    ms: ms.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0,
    likeness: meanLikeness(path, made, PAGES, work),
  });
  const row = {
    name: basename(path),
    before: statSync(path).size,
    ours: outcome(ours, times.ours),
    gs: outcome(theirs, times.gs),
  };
  console.log(line(row));
  return row;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function compressHere(path: string, to: string): Promise<void> {
  const form = new FormData();
  form.append('fileInput', new Blob([readFileSync(path)]), basename(path));
  const answer = await fetch(`${service.url}/api/v1/misc/compress-pdf`, {
    method: 'POST',
    headers: { 'X-API-KEY': service.key },
    body: form,
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  writeFileSync(to, Buffer.from(await answer.arrayBuffer()));
}

function line({ name, before, ours, gs }: Row): string {
  const of = ({ bytes, ms, likeness }: Row['ours']): string =>
    `${((100 * bytes) / before).toFixed(0).padStart(4)} % ${ms.toFixed(0).padStart(6)} ms ${likeness.toFixed(4)}`;
  return `${(before / 1024).toFixed(0).padStart(6)} KB  ours ${of(ours)}   gs ${of(gs)}   ${name}`;
}

function report(all: readonly Row[]): boolean {
  const sum = (value: (row: Row) => number): number => all.reduce((total, row) => total + value(row), 0);
  const ratio = { ours: sum((r) => r.ours.bytes / r.before), gs: sum((r) => r.gs.bytes / r.before) };
  const total = { ours: sum((r) => r.ours.bytes), gs: sum((r) => r.gs.bytes) };
  const speed = sum((r) => r.gs.ms) / sum((r) => r.ours.ms);
  const like = { ours: sum((r) => r.ours.likeness) / all.length, gs: sum((r) => r.gs.likeness) / all.length };
  const checks: [string, boolean][] = [
    [
      `mean size ${percent(ratio.ours / all.length)} against ${percent(ratio.gs / all.length)}`,
      ratio.ours <= ratio.gs,
    ],
    [`total ${total.ours} bytes against ${total.gs}`, total.ours <= total.gs],
    [`${speed.toFixed(1)} times as fast (at least 3)`, speed >= 3],
    [`SSIM ${like.ours.toFixed(4)} against ${like.gs.toFixed(4)}`, like.ours >= like.gs],
  ];
  console.log(
    `\n${execFileSync('gs', ['--version'], { encoding: 'utf8' }).trim()} is Ghostscript's version.`,
  );
  for (const [text, holds] of checks) console.log(`${holds ? 'met   ' : 'MISSED'} ${text}`);
  return checks.every(([, holds]) => holds);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
