import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';

const SMALL = 'fixtures/text-two-pages.pdf';
const COPIES = 50;

/** A hundred pages, made when they are asked for and gone with the process. */
function hundredPages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'hundred.pdf');
  spawnSync('qpdf', ['--empty', '--pages', ...Array<string>(COPIES).fill(SMALL), '--', path]);
  return path;
}

const HUNDRED = hundredPages();
/** Two processes, each with half of the pages. */
const TWO_AT_ONCE =
  'pdftoppm -r 150 -png -f 1 -l 50 "$0" "$1-a" & pdftoppm -r 150 -png -f 51 -l 100 "$0" "$1-b"; wait; rm "$1"-*';

export const rasters: Scenario[] = [
  {
    name: 'pdf/img, 100 pages, 150 dpi, PNG, against pdftoppm with 2 processes',
    op: 'convert/pdf/img',
    files: { fileInput: [HUNDRED] },
    params: { dpi: '150', imageFormat: 'png' },
    rival: { program: 'sh', args: ['-c', TWO_AT_ONCE, HUNDRED, '{out}'] },
    requests: 1,
    connections: 1,
    goals: { throughputRatio: 1 },
  },
];
