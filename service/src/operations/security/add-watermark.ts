import { computeOnce } from '../../contract/maps.ts';
import { invalidParameter } from '../../contract/problems.ts';
import { type Drawable, fade } from '../../pdf/content/drawable.ts';
import { paintOf } from '../../pdf/content/paint.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { PageOverlay } from '../../pdf/pages/page-overlay.ts';
import { sizeGiven } from '../../pdf/pages/placement.ts';
import { tilePages } from '../../pdf/pages/tiles.ts';
import { textForm } from '../../pdf/text/drawn-text-form.ts';
import { EmbeddedFonts } from '../../pdf/text/font-embedding.ts';
import { turnIntoImages } from '../../procedures/image-pages.ts';
import { DRAWABLE_KINDS, drawableImage } from '../../procedures/placed-images.ts';
import { file, operation, optionalFile, pdfFile } from '../define.ts';
import { alphabetField, opacityField, rotationField } from '../drawing-fields.ts';
import { choice, colour, flag, integer, number, text } from '../fields.ts';

const gap = (between: string) =>
  integer(`Gap between tiles, ${between}, in points`, { default: 50, min: 0, max: 5000 });

export default operation({
  summary: 'Draw a watermark over every page',
  description:
    'Repeats a text or a picture over the whole of every page, above the content and upright for the reader. One tile ' +
    'stands in the middle of the page. The text can be found and selected, unless convertPDFToImage turns the pages into pictures: ' +
    'bookmarks and links are kept then, form fields, tags and layers are not.',
  example: { watermarkText: 'Confidential', rotation: 45, opacity: 0.3 },
  inputs: {
    fileInput: file('pdf'),
    watermarkImage: optionalFile(
      DRAWABLE_KINDS,
      'The picture, of at most 200 megapixels; required for image',
    ),
  },
  params: {
    watermarkType: choice('What to draw', ['text', 'image'], { default: 'text' }),
    watermarkText: text('The text; a line break, or \\n, begins a new line', {
      default: 'CONFIDENTIAL',
      max: 2000,
      emptyIsValue: true,
    }),
    alphabet: alphabetField(),
    fontSize: number("Font size in points; also the picture's height", { default: 30, min: 1, max: 1000 }),
    rotation: rotationField('of each tile about its centre'),
    opacity: opacityField(),
    widthSpacer: gap('side by side'),
    heightSpacer: gap('above each other'),
    customColor: colour('Colour of the text', { default: '#d3d3d3' }),
    convertPDFToImage: flag('Turn the pages into pictures of 200 dpi afterwards'),
  },
  output: pdfFile('_watermarked'),
  uses: ['qpdf', 'text', 'sharp'],
  mayUse: ['rsvg', 'browser', 'pdfium'],
  unused: ({ watermarkType }) =>
    watermarkType === 'text' ? ['watermarkImage'] : ['watermarkText', 'alphabet', 'customColor'],
  check({ watermarkType, watermarkText }, { watermarkImage }) {
    if (watermarkType === 'image' && watermarkImage === 0)
      throw invalidParameter('watermarkImage is required for watermarkType image.');
    if (watermarkType === 'text' && watermarkText.trim() === '')
      throw invalidParameter('watermarkText must be text of 1 to 2000 characters.');
  },
  async run({ fileInput, watermarkImage }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const fonts = new EmbeddedFonts(doc);
    const drawText = (): Drawable => {
      const laidOut = engine.text.layout(params.watermarkText, {
        size: params.fontSize,
        alphabet: params.alphabet,
        align: 'center',
        field: 'watermarkText',
      });
      const form = textForm(doc, laidOut, fonts, {
        paint: paintOf(params.customColor),
        slanted: params.rotation % 90 !== 0,
      });
      return { form, width: laidOut.width, height: laidOut.height };
    };
    const isPicture = params.watermarkType === 'image' && watermarkImage !== undefined;
    const tile = isPicture ? await drawableImage(engine, doc, watermarkImage, 'watermarkImage') : drawText();
    const tiling = {
      tile,
      drawn: isPicture ? sizeGiven(tile, undefined, params.fontSize) : tile,
      degrees: params.rotation,
      gapX: params.widthSpacer,
      gapY: params.heightSpacer,
    };
    const overlay = new PageOverlay(doc);
    const sheets = new Map<string, Drawable>();
    for (const ref of doc.pages()) {
      const page = displayedPage(doc, ref);
      const { width, height } = page;
      const key = `${width} ${height}`;
      const sheet = computeOnce(sheets, key, () =>
        fade(doc, { form: tilePages(doc, tiling, page), width, height }, params.opacity),
      );
      overlay.draw(page, [{ form: sheet.form }]);
    }
    fonts.finish();
    if (params.convertPDFToImage) await turnIntoImages(engine, doc, fileInput.name);
    return { content: doc.save() };
  },
});
