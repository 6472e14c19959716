// Archived documents held against what they were, by poppler.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { made, type Ran, runHere } from '../calls/run-here.ts';
import { askProgram, pdftotext } from './programs.ts';
import { runProgram } from './small-shell.ts';

export const toArchive = (
  bytes: Uint8Array,
  params: Record<string, string> = {},
  name = 'paper.pdf',
): Promise<Ran> => runHere('convert/pdf/pdfa', { files: { fileInput: { name, bytes } }, params });

export const outcomeOf = (ran: Ran): string | undefined =>
  ran.state === 'made' ? ran.result.headers['X-Conformance-Result'] : undefined;

/** The result of a conversion that must be valid, by its header and by verify-pdf. */
export async function validArchive(ran: Ran, standard: string): Promise<Buffer> {
  const bytes = made(ran);
  const verified = await runHere('security/verify-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
  const items = JSON.parse(made(verified).toString('utf8')) as { standard: string; failures: unknown[] }[];
  const item = items.find((each) => each.standard === standard);
  assert.deepEqual(item?.failures, [], standard);
  assert.equal(outcomeOf(ran), 'valid');
  return bytes;
}

/** Every font is embedded, as pdffonts says. */
export function assertEmbedded(bytes: Uint8Array): void {
  const lines = askProgram('pdffonts', ['{}'], bytes).trim().split('\n').slice(2);
  for (const line of lines) assert.match(line, / yes (yes|no) +(yes|no) +\d+ +\d+$/, line);
}

/**
 * Characters in the order of the content: without the blanks, which depend on the widths of letters, and without the
 * marks poppler itself puts into boxes that have no appearance.
 */
export const lettersOf = (bytes: Uint8Array): string => pdftotext(bytes, '-raw').replace(/[\s✓●]+/g, '');

interface Raster {
  width: number;
  height: number;
  data: Buffer;
}

/** Pages as poppler draws them: one byte a pixel, or three. */
function rasters(bytes: Uint8Array, last: number, dpi: number, kind: 'grey' | 'colour'): Raster[] {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-look-'));
  try {
    const path = join(dir, 'a.pdf');
    writeFileSync(path, bytes);
    const args = ['-r', String(dpi), ...(kind === 'grey' ? ['-gray'] : []), '-l', String(last), path];
    const { stdout } = runProgram('pdftoppm', args);
    const pages: Raster[] = [];
    for (let at = 0; at < stdout.length; ) {
      const head = /^P[56]\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(at, at + 40).toString('latin1'));
      if (!head) break;
      const [width, height] = [Number(head[1]), Number(head[2])];
      const from = at + head[0].length;
      const size = width * height * (kind === 'grey' ? 1 : 3);
      pages.push({ width, height, data: stdout.subarray(from, from + size) });
      at = from + size;
    }
    return pages;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const CLEARLY = 64;

/** The largest part of a page that clearly differs, 0 to 1; 1 where pages or their sizes differ. */
export function differingPart(before: Uint8Array, after: Uint8Array, { last = 3, dpi = 40 } = {}): number {
  const [olds, news] = [rasters(before, last, dpi, 'grey'), rasters(after, last, dpi, 'grey')];
  if (olds.length !== news.length || olds.length === 0) return 1;
  let worst = 0;
  for (const [index, old] of olds.entries()) {
    const page = news[index];
    if (page?.width !== old.width || page.height !== old.height) return 1;
    let differing = 0;
    for (let at = 0; at < old.data.length; at += 1)
      if (Math.abs((old.data[at] ?? 0) - (page.data[at] ?? 0)) > CLEARLY) differing += 1;
    worst = Math.max(worst, differing / old.data.length);
  }
  return worst;
}

/** How far any pixel of the first page is from what it was, in steps of 255. */
export function differingColour(before: Uint8Array, after: Uint8Array): number {
  const [old, made] = [before, after].map((bytes) => rasters(bytes, 1, 30, 'colour')[0]?.data);
  if (!old || old.length !== made?.length) return 255;
  return old.reduce((most, value, at) => Math.max(most, Math.abs(value - (made[at] ?? 0))), 0);
}
