import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';

const SMALL = 'fixtures/text-two-pages.pdf';

let folder: string | undefined;

/** A path in a folder that goes when the bench ends. */
function path(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'bindery-bench-drawing-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, name);
}

const made = new Map<string, string>();

/** The small document again and again, each page an object of its own. */
function pagesOf(count: number): string {
  const key = `pages-${count}.pdf`;
  let file = made.get(key);
  if (!file) {
    file = path(key);
    const copies = Array.from({ length: count / 2 }, () => [SMALL, '1-2']).flat();
    spawnSync('qpdf', ['--empty', '--pages', ...copies, '--', file]);
    made.set(key, file);
  }
  return file;
}

/** One page that says the same as the watermark: what a user would keep ready. */
function readyStamp(): string {
  let file = made.get('stamp');
  if (!file) {
    file = path('stamp.pdf');
    const lines = Array.from({ length: 8 }, (_, row) => `1 0 0 1 60 ${40 + 95 * row} Tm (CONFIDENTIAL) Tj`);
    const content = `/G gs 0.83 g BT /F 30 Tf ${lines.join(' ')} ET`;
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/ExtGState<</G<</ca 0.5>>>>>>>>',
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ];
    const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
    writeFileSync(file, `%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n`);
    // Rewritten once, so that the rival need not mend it each time.
    spawnSync('qpdf', ['--replace-input', '--warning-exit-0', file]);
    made.set('stamp', file);
  }
  return file;
}

/** Files are made when the scenario is run, not when the list is read. */
function watermark(pages: number, rest: Pick<Scenario, 'requests' | 'connections' | 'goals'>): Scenario {
  const input = (): string => (pages === 2 ? SMALL : pagesOf(pages));
  return {
    name: `watermark, ${pages} pages`,
    op: 'security/add-watermark',
    get files() {
      return { fileInput: [input()] };
    },
    params: {},
    get rival() {
      const overlay = ['--overlay', readyStamp(), '--repeat=1', '--'];
      return { program: 'qpdf', args: [input(), ...overlay, '{out}'] };
    },
    ...rest,
  };
}

export const drawing: Scenario[] = [
  watermark(2, { requests: 300, connections: 8, goals: { throughputRatio: 1 } }),
  watermark(100, { requests: 60, connections: 4, goals: { throughputRatio: 1 } }),
  watermark(2000, { requests: 4, connections: 1, goals: { throughputRatio: 1, peakMb: 500 } }),
  {
    name: 'page numbers, 100 pages',
    op: 'misc/add-page-numbers',
    get files() {
      return { fileInput: [pagesOf(100)] };
    },
    params: { customText: 'Page {n} of {total}' },
    rival: null,
    requests: 40,
    connections: 4,
  },
  {
    name: 'scanner effect, 2 pages',
    op: 'misc/scanner-effect',
    files: { fileInput: [SMALL] },
    params: {},
    rival: null,
    requests: 8,
    connections: 2,
  },
];
