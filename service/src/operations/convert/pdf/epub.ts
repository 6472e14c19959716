import { createHash } from 'node:crypto';
import { readDocument } from '../../../layout/read-document.ts';
import { documentProperties } from '../../../pdf/metadata/metadata.ts';
import { writeEpub } from '../../../writers/epub/write-epub.ts';
import { binaryFile, file, operation } from '../../define.ts';
import { choice, flag } from '../../fields.ts';

/** The cover is drawn no larger than this, in pixels. */
const COVER_PIXELS = 1_600_000;
const COVER_DPI = 150;
/** Screens of e-ink readers show no more. */
const EINK_SIDE = 1448;

export default operation({
  summary: 'Turn a PDF into an e-book',
  description:
    'An EPUB 3 book whose text flows: headings, paragraphs, lists, tables, images, links and footnotes, with a table of ' +
    'contents and the first page as its cover. Running headers, footers and page numbers are left out. AZW3 is made ' +
    'from it by Calibre, where that is installed.',
  example: { detectChapters: true, outputFormat: 'EPUB' },
  inputs: { fileInput: file('pdf') },
  params: {
    detectChapters: flag('Chapters from bookmarks, else from headings; false: one flow', { default: true }),
    targetDevice: choice(
      'TABLET_PHONE_IMAGES keeps images in colour; KINDLE_EINK_TEXT has text first, and grey images no larger than its screen',
      ['TABLET_PHONE_IMAGES', 'KINDLE_EINK_TEXT'],
      { default: 'TABLET_PHONE_IMAGES' },
    ),
    outputFormat: choice('Format of the book', ['EPUB', 'AZW3'], { default: 'EPUB' }),
  },
  output: binaryFile('epub', '_convertedToEPUB', 'epub', { alternatives: ['azw3'] }),
  makes: ({ outputFormat }) => (outputFormat === 'AZW3' ? 'azw3' : 'epub'),
  uses: ['qpdf', 'pdfium', 'sharp'],
  mayUse: ['calibre'],
  async run({ fileInput }, { detectChapters, targetDevice, outputFormat }, { engine, newFile }) {
    if (outputFormat === 'AZW3') engine.calibre.require();
    const doc = engine.qpdf.open(fileInput);
    using view = engine.pdfium.openLike(fileInput, doc);
    const isGrey = targetDevice === 'KINDLE_EINK_TEXT';
    const document = await readDocument(view, {
      encodePng: (pixels) => engine.sharp.encode(pixels, 'png'),
    });
    const cover = view.render(0, {
      dpi: COVER_DPI,
      maxPixels: COVER_PIXELS,
      annotations: true,
    });
    const seen = await engine.sharp.encode(cover, 'jpeg');
    const grey = (bytes: Uint8Array, format: 'png' | 'jpeg') => engine.sharp.grey(bytes, format, EINK_SIDE);
    const { modificationDate, creationDate } = documentProperties(doc);
    const content = await writeEpub(newFile('epub'), document, {
      name: fileInput.base,
      detectChapters,
      identifier: `urn:uuid:${uuidOf(fileInput.bytes())}`,
      modified: wholeSeconds(modificationDate ?? creationDate),
      cover: isGrey ? await grey(seen, 'jpeg') : seen,
      ...(isGrey ? { image: grey } : {}),
    });
    if (outputFormat === 'EPUB') return { content };
    const book = await engine.calibre.azw3(content.path);
    return { content: book, name: `${fileInput.base}_convertedToAZW3.azw3`, kind: 'azw3' as const };
  },
});

/** The same document has the same name among books (RFC 9562, version 8). */
function uuidOf(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** As EPUB wants it; a document without a date is from the beginning of time. */
function wholeSeconds(date: string | null): string {
  const parsed = date === null ? Number.NaN : Date.parse(date);
  return new Date(Number.isNaN(parsed) ? 0 : parsed).toISOString().replace(/\.\d+Z$/, 'Z');
}
