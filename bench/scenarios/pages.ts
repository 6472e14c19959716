import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEADLESS_SHELL, warmChromium } from '../rivals/warm-chromium.ts';
import type { Scenario } from '../scenario.ts';

const INVOICE = 'fixtures/invoice.html';

/** A report as programs make them: style sheet, grid, tables, drawings, a script that fills in figures. */
function report(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-html-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'report.html');
  const rows = (section: number): string =>
    Array.from(
      { length: 40 },
      (_, row) =>
        `<tr><td>${section}.${row}</td><td>Item ${row * section}</td><td class="n">${(row * 17.35 * section).toFixed(2)}</td></tr>`,
    ).join('');
  const bars = Array.from(
    { length: 24 },
    (_, bar) =>
      `<rect x="${bar * 20}" y="${100 - ((bar * 37) % 90)}" width="16" height="${(bar * 37) % 90}"/>`,
  ).join('');
  const sections = Array.from(
    { length: 6 },
    (_, at) =>
      `<section><h2>Section ${at + 1}</h2><div class="grid"><p>${'What was done in this part of the year, and why. '.repeat(12)}</p>` +
      `<svg viewBox="0 0 480 100">${bars}</svg></div><table><thead><tr><th>No.<th>What<th>Sum</tr></thead>${rows(at + 1)}</table></section>`,
  ).join('');
  writeFileSync(
    path,
    `<!doctype html><meta charset="utf-8"><title>Report</title><style>
body { font: 11pt/1.4 serif } h2 { break-before: page } .grid { display: grid; grid-template-columns: 2fr 1fr; gap: 12pt }
table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #999; padding: 2pt 4pt } .n { text-align: right }
tr:nth-child(even) { background: #eef } rect { fill: steelblue } section { border-radius: 4pt }
</style><h1>Report</h1><p id="sum"></p>${sections}<script>
document.getElementById('sum').textContent =
  [...document.querySelectorAll('.n')].reduce((sum, cell) => sum + Number(cell.textContent), 0).toFixed(2);
</script>`,
  );
  return path;
}

let made: string | undefined;
const reportPath = (): string => {
  made ??= report();
  return made;
};

const complex = (name: string, params: Record<string, string>, aloneRatio?: number): Scenario => ({
  name,
  op: 'convert/html/pdf',
  get files() {
    return { fileInput: [reportPath()] };
  },
  params,
  get rival() {
    return warmChromium(reportPath());
  },
  requests: 24,
  connections: 2,
  ...(aloneRatio === undefined ? {} : { goals: { aloneRatio } }),
});

export const pages: Scenario[] = [
  {
    name: 'html/pdf, a small page',
    op: 'convert/html/pdf',
    files: { fileInput: [INVOICE] },
    params: {},
    rival: {
      program: HEADLESS_SHELL,
      name: 'Chromium started for each',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--print-to-pdf={out}', INVOICE],
    },
    requests: 80,
    connections: 4,
    goals: { throughputRatio: 5, perSecond: 10 },
  },
  // The rival makes no tags.
  complex('html/pdf, a complex page, without tags', { tagged: 'false' }, 1.5),
  complex('html/pdf, a complex page, with tags', {}),
  {
    name: 'markdown/pdf, the readme of the fixtures',
    op: 'convert/markdown/pdf',
    files: { fileInput: ['fixtures/README.md'] },
    params: {},
    rival: null,
    requests: 40,
    connections: 4,
    goals: { perSecond: 5 },
  },
];
