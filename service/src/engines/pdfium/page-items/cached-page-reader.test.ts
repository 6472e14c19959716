// Pages read from their text objects, by what was learnt of their glyphs, against the same pages read by PDFium as text.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { corpusFolder, noCorpus } from '../../../../testing/documents/collection.ts';
import { fixture, inMemory, onePagePdf, quiet, stream } from '../../../../testing/documents/small-pdf.ts';
import type { Glyphs } from '../../../contract/page-items.ts';
import { loadLibrary } from '../library.ts';
import { type Opened, openDocument } from '../open.ts';
import { pageObjects } from '../page-objects.ts';
import { createPdfium } from '../pdfium.ts';
import type { DocumentFile } from '../source.ts';
import { readCachedPage } from './cached-page-reader.ts';
import { GlyphCache } from './glyph-cache.ts';
import { LookReader } from './glyph-looks.ts';
import { readAsText } from './glyphs.ts';
import type { LoadedPage } from './loaded-page.ts';
import { readPageSpace } from './page-space.ts';

const CORPUS = corpusFolder('pdf').pathname;
const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());
const library = await loadLibrary();

const isSpace = (code: number): boolean => code === 0x20 || code === 0xa0 || code === 0x0a || code === 0x0d;

/** What counts of a page's glyphs: PDFium leaves out spaces at line ends and second ones. */
function told(glyphs: Glyphs): { glyphCache: number[]; places: number[]; spaced: number[] } {
  const glyphCache: number[] = [];
  const places: number[] = [];
  const spaced: number[] = [];
  let [space, lastX, lastY] = [false, 0, 0];
  for (let i = 0; i < glyphs.count; i += 1) {
    const code = glyphs.codes[i] as number;
    if (isSpace(code)) {
      space = true;
      continue;
    }
    const [x = 0, y = 0] = glyphs.origins.subarray(i * 2, i * 2 + 2);
    const size = glyphs.sizes[i] as number;
    if (space && Math.abs(y - lastY) < 1 && x > lastX && x < lastX + 2 * size) spaced.push(glyphCache.length);
    glyphCache.push(code);
    places.push(x, y, size, glyphs.advances[i] as number, ...glyphs.ink.subarray(i * 4, i * 4 + 4));
    [space, lastX, lastY] = [false, x, y];
  }
  return { glyphCache, places, spaced };
}

/** Reads all pages both ways; how many of them were read without PDFium's text. */
function comparePages(file: DocumentFile, { handle }: Opened): number {
  const { native } = library;
  const glyphCache = new GlyphCache(library);
  let known = 0;
  for (let index = 0; index < Math.min(20, native.FPDF_GetPageCount(handle)); index += 1) {
    const page = native.FPDF_LoadPage(handle, index);
    if (page === 0) continue;
    const space = readPageSpace(library, page);
    const loaded: LoadedPage = {
      document: handle,
      page,
      objects: pageObjects(library, page),
      glyphCache,
      lasting: 'for good',
    };
    const text = told(readAsText(library, loaded, space, new LookReader(library, glyphCache)));
    const read = readCachedPage(library, loaded, space, new LookReader(library, glyphCache));
    if (read) {
      known += 1;
      const direct = told(read);
      const where = `${file.name}, page ${index + 1}`;
      assert.deepEqual(direct.glyphCache, text.glyphCache, where);
      assert.deepEqual(direct.spaced, text.spaced, where);
      for (const [k, at] of direct.places.entries())
        assert.ok(Math.abs(at - (text.places[k] as number)) < 0.05, `${where}, ${k}`);
    }
    native.FPDF_ClosePage(page);
  }
  glyphCache.forget();
  return known;
}

function compare(file: DocumentFile): number {
  const opened = openDocument(library, file, []);
  try {
    return comparePages(file, opened);
  } finally {
    library.native.FPDF_CloseDocument(opened.handle);
    opened.source.close();
  }
}

test('a page of known signs is what PDFium reads as text', () => {
  assert.equal(compare(fixture('text-two-pages.pdf')), 2, 'both pages');
  for (const name of ['reading.pdf', 'reading-tagged.pdf', 'everything.pdf', 'tables.pdf'])
    compare(fixture(name));
});

/** Each letter by itself, the last one first; `shift` of a second drawing, in points, where there is one. */
function letterByLetter(text: string, shift?: number): DocumentFile {
  const widths: Record<string, number> = { w: 722, e: 556, l: 222, n: 556, s: 500, ' ': 278, 0: 556, 7: 556 };
  let x = 20;
  const letters = [...text].map((letter) => {
    const at = x;
    x += ((widths[letter] ?? 0) / 1000) * 12;
    return (by: number): string => `BT /F 12 Tf ${(at + by).toFixed(2)} 50 Td (${letter}) Tj ET\n`;
  });
  const content = letters.toReversed().map((draw) => draw(0) + (shift === undefined ? '' : draw(shift)));
  return inMemory('letters.pdf', onePagePdf(content.join('')));
}

test('letters that stand twice in a word are no letters drawn twice, in whatever order', () => {
  for (const text of ['wellness', '0007', 'see 7700 wells'])
    assert.equal(compare(letterByLetter(text)), 1, `${text} is read from its objects`);
  assert.equal(compare(letterByLetter('wellness', 0.3)), 0, 'drawn twice is left to PDFium');
});

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 400 400]';

/** A line on the page, and two forms, one in the other, with a line each. */
function inForms(outer: string, inner: string): DocumentFile {
  const resources = '/Font << /F 5 0 R >>';
  const content =
    'BT /F 10 Tf 20 80 Td (on the page) Tj ET q ' + outer + ' cm /X Do Q BT /F 10 Tf 90 80 Td (behind) Tj ET';
  return inMemory(
    'forms.pdf',
    onePagePdf(content, {
      resources: '/XObject << /X 6 0 R >>',
      further: [
        stream(
          `BT /F 10 Tf 20 60 Td (in a form) Tj ET q ${inner} cm /Y Do Q BT /F 10 Tf 100 60 Td (of two) Tj ET`,
          `${FORM} /Matrix [1 0 0 1 3 4] /Resources << ${resources} /XObject << /Y 7 0 R >> >>`,
        ),
        stream('BT /F 10 Tf 20 40 Td [(set) -500 (apart)] TJ ET', `${FORM} /Resources << ${resources} >>`),
      ],
    }),
  );
}

test('text in forms is read where the forms stand', () => {
  assert.equal(compare(inForms('1 0 0 1 0 0', '1 0 0 1 0 0')), 1, 'as it is');
  assert.equal(compare(inForms('0.5 0 0 0.75 10 20', '1.5 0 0 1.25 5 -7')), 1, 'stretched and moved');
  // The lines of page and forms meet.
  assert.equal(compare(inForms('1 0 0 1 0 16', '1 0 0 1 40 36')), 1, 'on one line');
  assert.equal(compare(inForms('0 1 -1 0 100 0', '1 0 0 1 0 0')), 0, 'turned is left to PDFium');
  assert.equal(compare(inForms('1 0 0 1 0 0', '-1 0 0 1 100 0')), 0, 'mirrored is left to PDFium');
});

test('a space that stands for a tab does not keep a page from being read so', () => {
  const tab = '/Span << /ActualText <feff0009> >> BDC ( ) Tj EMC';
  const page = (between: string): DocumentFile =>
    inMemory('tab.pdf', onePagePdf(`BT /F 10 Tf 20 60 Td (one) Tj ${between} 60 0 Td (two) Tj ET`));
  assert.equal(compare(page(tab)), 1);
  assert.equal(compare(page(tab.replace('( )', '(....)'))), 0, 'leaders are left to PDFium');
  assert.equal(compare(page(tab.replace('0009', '0041'))), 0, 'so is another text');
});

test('the same over documents of others', {
  skip: noCorpus(),
}, (t) => {
  let known = 0;
  for (const folder of ['cjk', 'cyrillic', 'multipage-text', 'outline', 'rotated', 'rtl', 'tagged'])
    for (const name of readdirSync(CORPUS + folder).filter((entry) => entry.endsWith('.pdf')))
      known += compare({ name, content: { path: `${CORPUS}${folder}/${name}` } });
  t.diagnostic(`${known} pages`);
  assert.ok(known > 0);
});
