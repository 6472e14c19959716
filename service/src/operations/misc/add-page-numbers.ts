import { paintOf } from '../../pdf/content/paint.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { PageOverlay } from '../../pdf/pages/page-overlay.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { alignmentAt, cornerAt, rotatedPlacement } from '../../pdf/pages/placement.ts';
import { textForm } from '../../pdf/text/drawn-text-form.ts';
import { EmbeddedFonts } from '../../pdf/text/font-embedding.ts';
import { file, operation, pdfFile } from '../define.ts';
import { marginField, positionField } from '../drawing-fields.ts';
import { choice, colour, integer, number, pages, text } from '../fields.ts';

export default operation({
  summary: 'Draw page numbers',
  description:
    'Draws a number, or any pattern with {n}, {total} and {filename}, on the selected pages, upright for the reader. ' +
    'Numbers run over the selected pages only.',
  example: { position: 8, startingNumber: 1 },
  inputs: { fileInput: file('pdf') },
  params: {
    position: positionField(),
    customMargin: marginField(),
    fontSize: number('Font size in points', { default: 12, min: 1, max: 500 }),
    fontType: choice(
      'Look of the font; other scripts fall back to a font that has them',
      ['helvetica', 'courier', 'times'],
      { default: 'helvetica' },
    ),
    fontColor: colour('Colour', { default: '#000000' }),
    startingNumber: integer('The first number', { default: 1, min: 0, max: 1_000_000_000 }),
    zeroPad: integer('Least number of digits; shorter numbers get zeros in front', {
      default: 0,
      min: 0,
      max: 20,
    }),
    pagesToNumber: pages('Pages to number', { default: 'all' }),
    customText: text(
      'Pattern: {n} the number, {total} the page count, {filename} the name without extension',
      { default: '{n}', max: 500 },
    ),
  },
  output: pdfFile('_page_numbers_added'),
  uses: ['qpdf', 'text'],
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const selected = selectPageSet(params.pagesToNumber, doc.pageCount);
    const refs = doc.pages();
    const fonts = new EmbeddedFonts(doc);
    const overlay = new PageOverlay(doc);
    const paint = paintOf(params.fontColor);
    const filled: Record<string, (n: string) => string> = {
      '{n}': (n) => n,
      '{total}': () => String(refs.length),
      '{filename}': () => fileInput.base,
    };
    for (const [index, page] of selected.entries()) {
      const ref = refs[page - 1];
      if (!ref) continue;
      const n = String(params.startingNumber + index).padStart(params.zeroPad, '0');
      const words = params.customText.replace(
        /\{(?:n|total|filename)\}/g,
        (found) => filled[found]?.(n) ?? found,
      );
      const laidOut = engine.text.layout(words, {
        size: params.fontSize,
        family: params.fontType,
        align: alignmentAt(params.position),
        field: 'customText',
      });
      const form = textForm(doc, laidOut, fonts, { paint });
      const shown = displayedPage(doc, ref);
      const { x, y } = cornerAt(params.position, laidOut, shown, params.customMargin);
      overlay.draw(shown, [{ form, matrix: rotatedPlacement(x, y, laidOut, 0) }]);
    }
    fonts.finish();
    return { content: doc.save() };
  },
});
