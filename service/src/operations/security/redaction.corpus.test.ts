// A word of each of many documents is redacted: it is gone for pdftotext, and the rest is as it was.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus, WHOLE_COLLECTION } from '../../../testing/documents/collection.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';

const skip = noCorpus() || missing('pdftotext', 'pdftoppm', 'pdfinfo');

const FOLDERS =
  'annots attachments broken-xref cjk cyrillic form images js layers linearized links mixed-sizes multipage-text outline portfolio qpdf-warn rotated rtl tagged text xfa';
const MAX_BYTES = 1_500_000;
const MAX_PAGES = 12;
/** A spread of them; WHOLE_COLLECTION=1 takes twice as many. */
const FILES = WHOLE_COLLECTION ? 60 : 30;

/** Of pixels outside boxes on the first page, at 50 dpi: these may differ by more than an eye would notice. */
const DIFFERING_PIXELS = 0.005;
const NOTICED = 48;
/** Of words outside boxes: annotations under a box go with their texts. */
const LOST_WORDS = 0.02;
/** Documents in which a page had to become a picture, or that were refused. */
const PICTURES = 3;
const REFUSED = 2;

/** Damaged documents make the programs complain. */
const ANY_END = [0, 1, 3, 99];

const text = (bytes: Uint8Array): string => askProgram('pdftotext', ['{}', '-'], bytes, ANY_END);
const wordsOf = (said: string): string[] =>
  (said.match(/\p{L}{5,}/gu) ?? []).map((word) => word.toLowerCase());

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

interface Picture {
  width: number;
  height: number;
  rgb: Buffer;
}

function firstPage(bytes: Uint8Array): Picture | undefined {
  const printed = askProgram('sh', ['-c', 'pdftoppm -r 50 -l 1 "$0" 2>/dev/null | base64 -w0', '{}'], bytes);
  const ppm = Buffer.from(printed, 'base64');
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.subarray(0, 40).toString('latin1'));
  if (!header) return undefined;
  return { width: Number(header[1]), height: Number(header[2]), rgb: ppm.subarray(header[0].length) };
}

/** Boxes are drawn in a colour that documents do not use. */
const BOX = '#00ff00';
const isBox = (rgb: Buffer, at: number): boolean =>
  (rgb[at] ?? 0) < 140 && (rgb[at + 1] ?? 0) > 150 && (rgb[at + 2] ?? 0) < 140;

function differing(before: Picture, after: Picture): number {
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return 1;
  const covered = new Uint8Array(width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (!isBox(after.rgb, pixel * 3)) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    for (let row = Math.max(0, y - 2); row <= Math.min(height - 1, y + 2); row += 1)
      covered.fill(1, row * width + Math.max(0, x - 2), row * width + Math.min(width, x + 3));
  }
  let count = 0;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (covered[pixel]) continue;
    const far = [0, 1, 2].some(
      (part) => Math.abs((before.rgb[pixel * 3 + part] ?? 0) - (after.rgb[pixel * 3 + part] ?? 0)) > NOTICED,
    );
    if (far) count += 1;
  }
  return count / (width * height);
}

/** A word of the document that is not everywhere in it. */
function someWord(counts: ReadonlyMap<string, number>): string | undefined {
  const rare = [...counts].filter(([, count]) => count <= 5).map(([word]) => word);
  return rare[Math.floor(rare.length / 2)];
}

/** Documents with words, of every folder. */
function sample(): { path: string; bytes: Buffer; counts: Map<string, number>; word: string }[] {
  const paths = corpus(...FOLDERS.split(' ').map((folder) => `pdf/${folder}`)).filter(
    (path) => statSync(path).size <= MAX_BYTES,
  );
  const step = Math.max(1, paths.length / (FILES * 1.5));
  const chosen = [];
  for (let at = 0; at < paths.length && chosen.length < FILES; at += step) {
    const path = paths[Math.floor(at)] as string;
    const bytes = readFileSync(path);
    const pages = Number(/^Pages:\s+(\d+)/m.exec(askProgram('pdfinfo', ['{}'], bytes, ANY_END))?.[1] ?? 0);
    if (pages < 1 || pages > MAX_PAGES) continue;
    const counts = countsOf(wordsOf(text(bytes)));
    const word = someWord(counts);
    if (word !== undefined) chosen.push({ path, bytes, counts, word });
  }
  return chosen;
}

test('a word of each document goes, all else stays', { skip, timeout: 900_000 }, async (t) => {
  const documents = sample();
  const faults: string[] = [];
  const pictured: string[] = [];
  const refused: string[] = [];
  for (const { path, bytes, counts, word } of documents) {
    const name = basename(path);
    const ran = await runHere('security/auto-redact', {
      files: { fileInput: { name, bytes } },
      params: { listOfText: word, redactColor: BOX, report: 'true' },
    });
    if (ran.state !== 'made') {
      const reason = ran.state === 'failed' ? ran.problem.reason : ran.state;
      if (reason === 'redaction_unverified') refused.push(name);
      else if (reason !== 'invalid_pdf') faults.push(`${name}: ${reason}`);
      continue;
    }
    const [pdf, report] = await zipEntries(ran.bytes);
    assert.ok(pdf && report);
    const after = text(pdf.bytes);
    if (after.toLowerCase().includes(word)) faults.push(`${name}: ${word} can be read`);
    if (JSON.parse(report.bytes.toString('utf8')).removed.objects.pictures > 0) {
      pictured.push(name);
      continue;
    }
    const left = countsOf(wordsOf(after));
    let lost = 0;
    for (const [other, count] of counts)
      if (!other.includes(word)) lost += Math.max(0, count - (left.get(other) ?? 0));
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (lost > Math.max(3, all * LOST_WORDS)) faults.push(`${name}: ${lost} of ${all} words lost`);
    const [was, is] = [firstPage(bytes), firstPage(pdf.bytes)];
    const share = was && is ? differing(was, is) : 0;
    if (share > DIFFERING_PIXELS) faults.push(`${name}: ${(share * 100).toFixed(2)} % of pixels differ`);
  }
  t.diagnostic(
    `${documents.length} documents; pictures: ${pictured.join(', ')}; refused: ${refused.join(', ')}`,
  );
  assert.deepEqual(faults, []);
  assert.ok(documents.length >= FILES * 0.8, `${documents.length} documents`);
  assert.ok(pictured.length <= PICTURES && refused.length <= REFUSED);
});

test('a rectangle of each document has no text left in it', { skip, timeout: 900_000 }, async (t) => {
  const faults: string[] = [];
  let count = 0;
  for (const { path, bytes } of sample().filter((_, index) => index % 2 === 0)) {
    const name = basename(path);
    const box = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">/.exec(
      askProgram('pdftotext', ['-bbox', '-cropbox', '-l', '1', '{}', '-'], bytes, ANY_END),
    );
    if (!box) continue;
    const [left = 0, top = 0] = box.slice(1).map(Number);
    const area = { x: Math.floor(left), y: Math.floor(top), width: 150, height: 40, page: 1 };
    const ran = await runHere('security/redact', {
      files: { fileInput: { name, bytes } },
      params: { redactions: JSON.stringify([area]) },
    });
    if (ran.state !== 'made') {
      if (ran.state === 'failed' && ran.problem.reason !== 'redaction_unverified')
        faults.push(`${name}: ${ran.problem.reason} ${ran.problem.detail}`);
      continue;
    }
    count += 1;
    const words = askProgram('pdftotext', ['-bbox', '-cropbox', '-l', '1', '{}', '-'], ran.bytes, ANY_END);
    for (const [, ...rest] of words.matchAll(
      /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*)<\/word>/g,
    )) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rest.slice(0, 4).map(Number);
      const inside = x0 >= area.x && y0 >= area.y && x1 <= area.x + area.width && y1 <= area.y + area.height;
      if (inside) faults.push(`${name}: ${rest[4]}`);
    }
  }
  t.diagnostic(`${count} documents`);
  assert.deepEqual(faults, []);
  assert.ok(count >= 10);
});
