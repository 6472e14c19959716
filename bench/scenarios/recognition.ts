import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';

const PAGES = 10;

/** Ten pages of print as a scanner gives them: grey JPEG pictures of 200 dpi. Lives as long as this process. */
function tenScans(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-scans-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, args: readonly string[]): void => {
    if (spawnSync(program, args).status !== 0) throw new Error(`${program} is needed to make the document`);
  };
  run('pdftoppm', ['-r', '200', '-gray', '-jpeg', 'fixtures/reading.pdf', join(folder, 'page')]);
  const pictures = readdirSync(folder).sort();
  const chosen = Array.from({ length: PAGES }, (_, page) =>
    join(folder, pictures[page % pictures.length] ?? ''),
  );
  const path = join(folder, 'scans.pdf');
  run('img2pdf', [...chosen, '-o', path]);
  return path;
}

let made: string | undefined;
const scans = (): string => {
  made ??= tenScans();
  return made;
};

export const recognition: Scenario[] = [
  {
    name: 'ocr-pdf, ten scanned pages',
    op: 'misc/ocr-pdf',
    get files() {
      return { fileInput: [scans()] };
    },
    params: { languages: 'eng' },
    rival: {
      program: 'ocrmypdf',
      // Without PDF/A, which would draw all pages once more.
      get args() {
        return ['--jobs', '2', '-l', 'eng', '--output-type', 'pdf', scans(), '{out}'];
      },
      // Its threads fight for the cores otherwise.
      env: { OMP_THREAD_LIMIT: '1' },
    },
    requests: 1,
    connections: 1,
    goals: { throughputRatio: 1 },
  },
];
