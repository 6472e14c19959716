// How well tables are found: our CSV of whole documents against what people wrote down, per truth and per file.
//
//   node bench/tables.ts [collection with tables/TRUTH.tsv; the one beside the clone by default]
//
// Two measures, both as F1: pairs of neighbouring cells (the measure of the ICDAR 2013 competition), and cells with
// the same text at the same place. Per file, tables that nobody wrote down count against us.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { runHere } from '../service/testing/calls/run-here.ts';
import { type Measured, measureTruths, readTruths, tablesOfZip } from '../service/testing/oracles/tables.ts';

const given = process.argv[2];
const collection = given
  ? pathToFileURL(`${resolve(given)}/`)
  : new URL('../../shared/corpus/', import.meta.url);
if (!existsSync(new URL('tables/TRUTH.tsv', collection))) {
  console.error(`There is no tables/TRUTH.tsv in ${collection.pathname}.`);
  process.exit(1);
}

let took = 0;
async function extract(pdf: string): Promise<Awaited<ReturnType<typeof tablesOfZip>>> {
  const begin = performance.now();
  const ran = await runHere('convert/pdf/csv', { files: { fileInput: pdf }, params: { output: 'zip' } });
  took += performance.now() - begin;
  if (ran.state === 'failed') throw new Error(`${pdf}: ${ran.problem.detail}`);
  return ran.state === 'made' ? tablesOfZip(ran.bytes) : [];
}

const row = (label: string, { neighbours, cells }: Measured): string =>
  `${label.padEnd(46)}${neighbours.toFixed(3).padStart(12)}${cells.toFixed(3).padStart(8)}`;
const head = (label: string): string =>
  `${label.padEnd(46)}${'neighbours'.padStart(12)}${'cells'.padStart(8)}`;
const mean = (list: readonly Measured[]): Measured => ({
  neighbours: list.reduce((sum, each) => sum + each.neighbours, 0) / list.length,
  cells: list.reduce((sum, each) => sum + each.cells, 0) / list.length,
});

const { truths, files } = await measureTruths(readTruths(collection), extract);
console.log(head('truth'));
for (const each of truths) console.log(row(basename(each.truth.csv), each));
console.log(`\n${head('file, every table found counts')}`);
for (const each of files) console.log(row(basename(each.pdf), each));

const human = truths.filter(({ truth }) => truth.isHuman);
console.log(`\n${row(`mean of ${human.length} human truths`, mean(human))}`);
console.log(row(`mean of all ${truths.length} truths`, mean(truths)));
console.log(row(`mean of ${files.length} files of human truths`, mean(files)));
const documents = new Set(truths.map(({ truth }) => truth.pdf)).size;
console.log(`\n${(took / documents).toFixed(0)} ms a document, opening it included`);
