// Documents of the collection beside the clone through the operations that place, cut and clear pages: what belongs
// to pages is still there, pages look as they did, and what was to be gone is gone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type GivenCall, made, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { KNOT } from '../../../testing/documents/odd-pages.ts';
import { withBoxes, withDocument } from '../../../testing/documents/widened-pages.ts';
import type { Survey } from '../../../testing/oracles/document-survey.ts';
import { difference, drawnPage, piece } from '../../../testing/oracles/page-images.ts';
import { pageObjects, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { boxArray } from '../../pdf/geometry/boxes.ts';
import { type DisplayedPage, displayedPage } from '../../pdf/geometry/displayed-page.ts';

const skip = noCorpus() || missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm', 'pdfimages');

/** Every ninth document that opens without a password. */
const DOCUMENTS = corpus('pdf', 'pdfa')
  .filter((path) => !/\/(?:password|unopenable|broken-xref)\/|PDFBOX-3949/.test(path))
  .filter((_, index) => index % 9 === 0);

/** Where each page goes, from 0. */
const PLACINGS: [string, Record<string, string>, (page: number, count: number) => number][] = [
  ['scale-pages', { pageSize: 'KEEP' }, (page) => page],
  ['multi-page-layout', { pagesPerSheet: '4' }, (page) => Math.floor(page / 4)],
  ['booklet-imposition', {}, (page, count) => Math.min(page, Math.ceil(count / 4) * 4 - 1 - page)],
  ['pdf-to-single-page', {}, () => 0],
];

type Link = Survey['links'][number];
const byPlace = (a: Link, b: Link) => a.from - b.from || (a.to ?? -1) - (b.to ?? -1);

/** A survey of pages that went elsewhere. */
function moved(survey: Survey, sheet: (page: number) => number): unknown {
  const to = (page: number | null) => (page === null ? null : sheet(page));
  const { pages: _pages, pageLabels: _labels, ...rest } = survey;
  return {
    ...rest,
    // A widget that several pages list becomes one for each.
    fields: rest.fields.map(({ name, value }) => ({ name, value })),
    outline: rest.outline.map((entry) => ({ ...entry, to: to(entry.to) })),
    links: rest.links.map((link) => ({ from: sheet(link.from), to: to(link.to) })).sort(byPlace),
  };
}

/** The words of tags, blanks apart: poppler sets those by where lines stand. */
const tagged = (bytes: Uint8Array): string =>
  (askProgram('pdfinfo', ['-struct-text', '{}'], bytes, [0, 1, 99]).match(/"[^\n]*"/g) ?? [])
    .join('')
    .replace(/\s+/g, '');

for (const path of DOCUMENTS) {
  const name = path.slice(path.indexOf('/corpus/') + 8);
  test(`what belongs to pages moves with them: ${name}`, { skip }, async () => {
    const bytes = readFileSync(path);
    const before = surveyBytes(bytes);
    for (const [op, params, sheet] of PLACINGS) {
      const after = made(await runHere(`general/${op}`, { files: { fileInput: path }, params }));
      qpdfCheck(after, { tolerant: true });
      const survey = surveyBytes(after);
      assert.deepEqual(
        moved(survey, (page) => page),
        moved(before, (page) => sheet(page, before.pages)),
        op,
      );
      assert.equal(pageObjects(after), survey.pages, op);
      if (op !== 'scale-pages') continue;
      assert.deepEqual(survey.pageLabels, before.pageLabels);
      assert.equal(tagged(after), tagged(bytes));
      // At most one pixel in 500 clearly differs, at 72 dpi.
      assert.ok(difference(drawnPage(bytes), drawnPage(after)) < 0.002);
    }
  });

  test(`cropping removes words outside and keeps those inside: ${name}`, { skip }, async () => {
    const bytes = readFileSync(path);
    const pages = withDocument(bytes, (doc) => doc.pages().map((ref) => displayedPage(doc, ref)));
    const [width, height] = [Math.min(...pages.map((p) => p.width)), Math.min(...pages.map((p) => p.height))];
    const [x, y, w, h] = [width * 0.2, height * 0.3, width * 0.5, height * 0.4].map(
      (n) => Math.round(n * 100) / 100,
    );
    const params = { x: String(x), y: String(y), width: String(w), height: String(h) };
    const cropped = made(await runHere('general/crop', { files: { fileInput: path }, params }));
    qpdfCheck(cropped, { tolerant: true });
    const wide = withBoxes(
      cropped,
      (_, index) => boxArray(pages[index]?.box as DisplayedPage['box']) as number[],
    );
    const [left = 0, low = 0, across = 0, up = 0] = [x, y, w, h];
    const text = { before: wordsOf(bytes), after: wordsOf(wide) };
    // What annotations show that reach over the edge stays whole.
    const annotated = wordsOf(withoutContent(bytes));
    pages.slice(0, 10).forEach((page, index) => {
      const keep = { left, right: left + across, top: page.height - low - up, bottom: page.height - low };
      const isOutside = (word: Word) =>
        word.right <= keep.left ||
        word.left >= keep.right ||
        word.bottom <= keep.top ||
        word.top >= keep.bottom;
      const isInside = (word: Word) =>
        word.left >= keep.left &&
        word.right <= keep.right &&
        word.top >= keep.top &&
        word.bottom <= keep.bottom;
      const shown = new Set((annotated[index] ?? []).map(({ word }) => word));
      const leaked = (text.after[index] ?? []).filter((word) => isOutside(word) && !shown.has(word.word));
      assert.deepEqual(leaked, [], `page ${index + 1}`);
      const rest = (text.after[index] ?? []).map(({ word }) => word).join('');
      for (const { word } of (text.before[index] ?? []).filter(isInside))
        assert.ok(rest.includes(word), `page ${index + 1} lost ${word}`);
    });
    const [first] = pages;
    if (!first || across < 8 || up < 8) return;
    const part = (source: Uint8Array) =>
      piece(
        drawnPage(source),
        Math.ceil(left) + 1,
        Math.ceil(first.height - low - up) + 1,
        Math.floor(across) - 4,
        Math.floor(up) - 4,
      );
    // Images that were cut are scaled down a little differently: one pixel in 50.
    assert.ok(difference(part(bytes), part(wide)) < 0.02);
  });

  test(`no image is left, and all text: ${name}`, { skip }, async () => {
    const cleared = made(await runHere('general/remove-image-pdf', { files: { fileInput: path } }));
    assert.equal(askProgram('pdfimages', ['-list', '{}'], cleared, [0, 1, 99]).split('\n').length, 3);
    const text = (bytes: Uint8Array) =>
      askProgram('pdftotext', ['{}', '-'], bytes, [0, 1, 3]).replace(/\s+/g, ' ');
    assert.equal(text(cleared), text(readFileSync(path)));
  });
}

interface Word {
  word: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function wordsOf(bytes: Uint8Array): Word[][] {
  const xml = askProgram('pdftotext', ['-bbox', '-cropbox', '-l', '10', '{}', '-'], bytes, [0, 1, 3]);
  const one = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g;
  return xml
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(one)].map((found) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1, 5).map(Number);
        return { word: found[5] ?? '', left, top, right, bottom };
      }),
    );
}

/** Only what annotations show. */
const withoutContent = (bytes: Uint8Array): Buffer =>
  withDocument(bytes, (doc, save) => {
    for (const ref of doc.pages()) doc.edit(ref).delete('Contents');
    return save();
  });

const ALL: [string, Record<string, string>][] = [
  ...PLACINGS.map(([op, params]): [string, Record<string, string>] => [op, params]),
  ['split-pdf-by-sections', { horizontalDivisions: '2' }],
  ['split-pdf-by-sections', { merge: 'false' }],
  ['crop', { x: '10', y: '10', width: '50', height: '50' }],
  ['crop', { autoCrop: 'true' }],
  ['remove-image-pdf', {}],
  ['overlay-pdfs', {}],
];

for (const [op, params] of ALL) {
  test(`a document where everything refers to everything gives a result: ${op} ${JSON.stringify(params)}`, async () => {
    const knot = { name: 'knot.pdf', bytes: KNOT };
    const files: GivenCall['files'] = {
      fileInput: knot,
      ...(op === 'overlay-pdfs' ? { overlayFiles: knot } : {}),
    };
    assert.ok(made(await runHere(`general/${op}`, { files, params })).length > 0);
  });
}
