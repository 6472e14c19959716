// A document of a hundred pages, made of a small one: the clone holds small files only.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a file that lives as long as this process; `small` has two pages. */
export function hundredPages(small: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-pages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'hundred.pdf');
  const parts = Array.from({ length: 50 }, () => [small, '1-2']).flat();
  const { status } = spawnSync('qpdf', ['--empty', '--pages', ...parts, '--', path]);
  if (status !== 0) throw new Error('qpdf is needed to make the document');
  return path;
}
