// Documents of the kinds that once ended a worker, held it for minutes or were answered wrongly: each as small as the
// case allows. A new fault of that kind gets a line here, and is tried with all the others.
import {
  barePage,
  dashBomb,
  deepBookmarks,
  deepPageTree,
  formsInForms,
  groupBomb,
  jbig2LargerThanSaid,
  largeCcitt,
  largeFlateImage,
  largeJbig2,
  largeJpeg,
  largeJpx,
  largeSampledFunction,
  loopedPageTree,
  manyBookmarks,
  manyPatches,
  patternsInPatterns,
  recursiveType3,
  repeatedPageTree,
  tallPage,
  tinyTiles,
} from '../documents/costly-documents.ts';
import { onePage, pdfOf, streamOf } from '../documents/written-pdf.ts';

const HIGHEST = 2 ** 31 - 1;

/** One more section of cross-references, in which there is an object of such a number. */
function withObjectNumbered(number: number): Buffer {
  const file = onePage();
  const previous = /startxref\n(\d+)/.exec(file.toString('latin1'))?.[1];
  const object = Buffer.from(`${number} 0 obj\n(high)\nendobj\n`);
  const row = `${String(file.length).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n${number} 1\n${row}trailer\n<< /Root 1 0 R /Prev ${previous} /Size ${number + 1} >>\n`;
  const at = file.length + object.length;
  return Buffer.concat([file, object, Buffer.from(`${table}startxref\n${at}\n%%EOF\n`)]);
}

const replacing = (what: string, by: string): Buffer =>
  Buffer.from(onePage({ content: '0 0 9 9 re f' }).toString('latin1').replace(what, by), 'latin1');

/** A chain of tables that comes back to itself. */
function previousIsItself(): Buffer {
  const text = onePage().toString('latin1');
  const at = /startxref\n(\d+)/.exec(text)?.[1];
  return Buffer.from(text.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${at}`), 'latin1');
}

const nested = (open: string, close: string, depth: number): Buffer =>
  onePage({ catalog: '/Deep 5 0 R', more: [open.repeat(depth) + close.repeat(depth)] });

const formInItself = (content: string): Buffer =>
  onePage({
    page: '/Resources << /XObject << /X 5 0 R >> >>',
    content: '/X Do',
    more: [streamOf(content, '/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>')],
  });

export const FOUND_DOCUMENTS: Readonly<Record<string, () => Buffer>> = {
  'a live object of the highest number': () => withObjectNumbered(HIGHEST - 1),
  'a live object of a number that leaves no room': () => withObjectNumbered(HIGHEST - 10),
  'a trailer with the highest size': () => replacing('/Size 5', `/Size ${HIGHEST}`),
  'tables in a circle': previousIsItself,
  'a table of thousands of millions of rows': () => replacing('xref\n0 5', 'xref\n0 4294967295'),
  'a length that is the stream itself': () => replacing('/Length 12', '/Length 4 0 R'),
  'arrays in arrays': () => nested('[', ']', 50_000),
  'dictionaries in dictionaries': () => nested('<</A ', '>>', 50_000),
  'arrays in content': () => onePage({ content: `${'['.repeat(50_000)} TJ` }),
  'a name tree in a circle': () =>
    onePage({
      catalog: '/Names << /Dests 5 0 R /EmbeddedFiles 5 0 R >>',
      more: ['<< /Kids [5 0 R 5 0 R] >>'],
    }),
  'fields in a circle': () =>
    onePage({
      catalog: '/AcroForm << /Fields [5 0 R] >>',
      more: ['<< /T (a) /Kids [6 0 R] /Parent 6 0 R >>', '<< /T (b) /Kids [5 0 R] /Parent 5 0 R >>'],
    }),
  'tags in a circle': () =>
    onePage({
      catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R',
      more: ['<< /Type /StructTreeRoot /K 6 0 R >>', '<< /S /P /P 6 0 R /K [6 0 R 6 0 R] >>'],
    }),
  'bookmarks in a circle': () =>
    onePage({
      catalog: '/Outlines 5 0 R',
      more: [
        '<< /First 6 0 R /Last 6 0 R /Count 1 >>',
        '<< /Title (a) /Parent 5 0 R /Next 6 0 R /First 6 0 R >>',
      ],
    }),
  'forms in a circle': () => formInItself('/X Do'),
  'a page that is its own parent': () =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 2 0 R >>',
      '<< /Type /Page /Parent 3 0 R /MediaBox [0 0 9 9] >>',
    ]),
  'a page tree in circles': loopedPageTree,
  'a page tree of one branch': () => deepPageTree(5000),
  'a page tree that repeats itself': () => repeatedPageTree(5, 10),
  'bookmarks in bookmarks': () => deepBookmarks(5000),
  'a long row of bookmarks': () => manyBookmarks(5000),
  'fine tiles': tinyTiles,
  'tiles in tiles': patternsInPatterns,
  'a large JBIG2 image': largeJbig2,
  'a JBIG2 image larger than it says': jbig2LargerThanSaid,
  'a large fax': largeCcitt,
  'a large packed image': largeFlateImage,
  'a large JPEG': largeJpeg,
  'a large JPEG 2000': largeJpx,
  'a large sampled function': largeSampledFunction,
  'forms in forms': () => formsInForms(4),
  'groups in groups': () => groupBomb(8),
  'a shading of many patches': () => manyPatches(2000),
  'a font that draws itself': recursiveType3,
  'a line of thousands of millions of dashes': dashBomb,
  'a page a thousand million points tall': tallPage,
  'a page of 100 bytes, as tall': barePage,
};

/** Those of which nobody can tell before: they cost the worker that draws them, and nobody else anything. */
export const COSTING_A_WORKER: Readonly<Record<string, () => Buffer>> = {
  'a form that draws itself twice': () => formInItself('/X Do /X Do'),
};
