import { readDocument } from '../../../layout/read-document.ts';
import { selectPageSet } from '../../../pdf/pages/page-selection.ts';
import { writeImages } from '../../../writers/image-files.ts';
import { writeMarkdown } from '../../../writers/markdown.ts';
import { file, operation, textFile } from '../../define.ts';
import { flag, pages } from '../../fields.ts';
import { LETTERS_TOLD, lettersTold } from './_letters-told.ts';

export default operation({
  summary: 'Turn a PDF into Markdown',
  description:
    'GitHub Flavored Markdown: headings, nested lists, tables, emphasis, code, links, footnotes and formulas (LaTeX ' +
    'between dollars; one whose layout cannot be told is an image with its text); running headers, ' +
    'footers and page numbers are left out, hyphenated line ends joined, columns put in reading order. With ' +
    'includeImages a ZIP, base_markdown.zip, of base.md and a folder images; without it what is written on a chart is a ' +
    'quotation.',
  example: { includeImages: true },
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: pages('Pages to read', { default: 'all' }),
    includeImages: flag('Put the images beside the text, in a ZIP'),
    pageBreaks: flag('Write <!-- page N --> before the content of each page'),
  },
  output: textFile('', 'md', { alternatives: ['zip'], headers: LETTERS_TOLD }),
  uses: ['qpdf', 'pdfium', 'sharp'],
  makes: ({ includeImages }) => (includeImages ? 'zip' : 'markdown'),
  async run({ fileInput }, { pageNumbers, includeImages, pageBreaks }, { engine, newFile, progress }) {
    const doc = engine.qpdf.open(fileInput);
    const numbers = selectPageSet(pageNumbers, doc.pageCount);
    using view = engine.pdfium.openLike(fileInput, doc);
    const document = await readDocument(view, {
      onPage: (page) => progress(page - 1, view.pageCount),
      formulas: true,
      pages: numbers,
      encodePng: (pixels) => engine.sharp.encode(pixels, 'png'),
      figureFiles: includeImages,
    });
    const made = includeImages ? await writeImages(document, 'images', newFile) : undefined;
    const text = [...writeMarkdown(document, { pageBreaks, ...(made ? { pathOf: made.pathOf } : {}) })].join(
      '',
    );
    const content = { bytes: Buffer.from(text, 'utf8') };
    if (!made) {
      const counts = view.doubtfulLetters();
      const doubtful = numbers.reduce((sum, page) => sum + (counts.get(page - 1) ?? 0), 0);
      return { content, headers: lettersTold(content.bytes, doubtful) };
    }
    const entries = made.images.map(({ name, path, format }) => ({
      name,
      folder: 'images',
      content: { path },
      kind: format,
    }));
    return {
      entries: [{ name: `${fileInput.base}.md`, content, kind: 'text' as const }, ...entries],
      suffix: '_markdown',
      // The text is nothing without its images.
      whole: true,
    };
  },
});
