import { cropBox } from '../../pdf/geometry/boxes.ts';
import { showsText, whiteShare } from '../../pdf/pages/blank-pages.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { archive, file, operation } from '../define.ts';
import { integer, number } from '../fields.ts';
import { AnnotatedText } from './_annotated-text.ts';

const DPI = 72;
const MAX_PIXELS = 2_000_000;

export default operation({
  summary: 'Separate blank pages from the others',
  description:
    'A page with visible text is never blank; others are looked at as they are shown, annotations and form ' +
    'fields included. The ZIP holds base_nonBlankPages.pdf and, where there are blank pages, ' +
    'base_blankPages.pdf; base_allBlankPages.pdf alone where every page is blank. Each part keeps what belongs ' +
    'to its pages; attachments of the document stay with the pages that are not blank.',
  example: { threshold: 10, whitePercent: 99.9 },
  inputs: { fileInput: file('pdf') },
  params: {
    threshold: integer('How far a pixel may be from white and still count as white', {
      default: 10,
      min: 0,
      max: 255,
    }),
    whitePercent: number('Share of white that makes a page blank, in percent', {
      default: 99.9,
      min: 0.1,
      max: 100,
    }),
  },
  output: archive('_processed', 'pdf'),
  uses: ['qpdf', 'pdfium', 'text'],
  async run({ fileInput }, { threshold, whitePercent }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages();
    using view = engine.pdfium.openLike(fileInput, doc);
    using written = new AnnotatedText(engine, fileInput);
    const isBlank = (index: number): boolean => {
      const page = doc.page(index);
      if (showsText(view.pageChars(index), cropBox(doc, page))) return false;
      if (view.isEmpty(index)) return true;
      if (doc.array(page.get('Annots'))?.length && showsText(written.chars(index), cropBox(doc, page)))
        return false;
      const { rgba } = view.render(index, { dpi: DPI, maxPixels: MAX_PIXELS, annotations: true });
      return whiteShare(rgba, threshold) >= whitePercent;
    };
    const blanks = pages.map((_, index) => isBlank(index));
    const blank = pages.filter((_, index) => blanks[index]);
    const others = pages.filter((_, index) => !blanks[index]);
    if (blank.length === 0) return [{ name: `${fileInput.base}_nonBlankPages.pdf`, content: doc.save() }];
    if (others.length === 0) return [{ name: `${fileInput.base}_allBlankPages.pdf`, content: doc.save() }];
    const extraction = new PageExtraction(doc);
    extraction.keep(others);
    const kept = { name: `${fileInput.base}_nonBlankPages.pdf`, content: doc.save() };
    extraction.keep(blank, { wholeDocumentThings: false });
    return [kept, { name: `${fileInput.base}_blankPages.pdf`, content: doc.save() }];
  },
});
