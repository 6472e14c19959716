import { invalidParameter } from '../../contract/problems.ts';
import { momentToTell, newUuid } from '../../contract/reproducible.ts';
import { type Drawable, fade } from '../../pdf/content/drawable.ts';
import { paintOf } from '../../pdf/content/paint.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { documentProperties } from '../../pdf/metadata/metadata.ts';
import { PageOverlay } from '../../pdf/pages/page-overlay.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { badDatePattern, fillPlaceholders } from '../../pdf/pages/placeholders.ts';
import { alignmentAt, cornerAt, rotatedAndSizedPlacement, sizeGiven } from '../../pdf/pages/placement.ts';
import { textForm } from '../../pdf/text/drawn-text-form.ts';
import { EmbeddedFonts } from '../../pdf/text/font-embedding.ts';
import { DRAWABLE_KINDS, drawableImage } from '../../procedures/placed-images.ts';
import { file, operation, optionalFile, pdfFile } from '../define.ts';
import { alphabetField, marginField, opacityField, positionField, rotationField } from '../drawing-fields.ts';
import { choice, colour, number, pages, text } from '../fields.ts';

const override = (edge: string) =>
  number(`${edge} edge of the stamp in points, lower-left origin; -1: as position says`, {
    default: -1,
    min: -1,
    max: 14_400,
  });

export default operation({
  summary: 'Stamp text or a picture on pages',
  description:
    'Draws a text or a picture once on each of the selected pages, above the content and upright for the reader. ' +
    'Words of the text that are filled in: @date @time @datetime (ISO, UTC), @date{pattern} with the letters y M d H m s, ' +
    '@year @month @day, @page_number or @page, @total_pages or @page_count, @filename (without extension) and ' +
    '@filename_full, @author @title @subject of the document, @uuid (one per request); @@ is an @. ' +
    'A line break, or \\n, begins a new line.',
  example: { stampText: 'Approved', position: 5, opacity: 0.5 },
  inputs: {
    fileInput: file('pdf'),
    stampImage: optionalFile(DRAWABLE_KINDS, 'The picture, of at most 200 megapixels; required for image'),
  },
  params: {
    pageNumbers: pages('Pages to stamp', { default: 'all' }),
    stampType: choice('What to stamp', ['text', 'image'], { default: 'text' }),
    stampText: text('The text, with words to be filled in', {
      default: 'CONFIDENTIAL',
      max: 2000,
      emptyIsValue: true,
    }),
    alphabet: alphabetField(),
    fontSize: number("Font size in points; also the picture's height", { default: 40, min: 1, max: 1000 }),
    rotation: rotationField("about the stamp's centre"),
    opacity: opacityField(),
    position: positionField(),
    overrideX: override('Left'),
    overrideY: override('Lower'),
    customMargin: marginField(),
    customColor: colour('Colour of the text', { default: '#d3d3d3' }),
  },
  output: pdfFile('_stamped'),
  uses: ['qpdf', 'text', 'sharp'],
  mayUse: ['rsvg', 'browser'],
  unused: ({ stampType }) =>
    stampType === 'text' ? ['stampImage'] : ['stampText', 'alphabet', 'customColor'],
  check({ stampType, stampText, overrideX, overrideY }, { stampImage }) {
    for (const [name, value] of Object.entries({ overrideX, overrideY })) {
      if (value > -1 && value < 0) throw invalidParameter(`${name} must be -1, or a number from 0 to 14400.`);
    }
    if (stampType === 'image') {
      if (stampImage === 0) throw invalidParameter('stampImage is required for stampType image.');
      return;
    }
    if (stampText.trim() === '') throw invalidParameter('stampText must be text of 1 to 2000 characters.');
    const pattern = badDatePattern(stampText);
    if (pattern !== undefined) {
      throw invalidParameter(
        `stampText: @date{${pattern.slice(0, 60)}} must hold at most 50 characters, of letters only y M d H m s.`,
      );
    }
  },
  async run({ fileInput, stampImage }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const selected = selectPageSet(params.pageNumbers, doc.pageCount);
    const refs = doc.pages();
    const { position, fontSize, opacity } = params;
    const isFree = params.overrideX < 0 || params.overrideY < 0;
    const fonts = new EmbeddedFonts(doc);
    const paint = paintOf(params.customColor);
    const textOptions = {
      size: fontSize,
      alphabet: params.alphabet,
      align: isFree ? alignmentAt(position) : ('start' as const),
      field: 'stampText',
    };
    const drawText = (words: string): Drawable => {
      const laidOut = engine.text.layout(words, textOptions);
      const form = textForm(doc, laidOut, fonts, { paint, slanted: params.rotation % 90 !== 0 });
      return fade(doc, { form, width: laidOut.width, height: laidOut.height }, opacity);
    };
    const image =
      params.stampType === 'image' && stampImage
        ? fade(doc, await drawableImage(engine, doc, stampImage, 'stampImage'), opacity)
        : undefined;
    const { author, title, subject } = documentProperties(doc);
    const facts = {
      now: momentToTell(),
      uuid: newUuid(),
      pageCount: refs.length,
      base: fileInput.base,
      name: fileInput.name,
      author: author ?? '',
      title: title ?? '',
      subject: subject ?? '',
    };
    const texts = new Map<string, Drawable>();
    const overlay = new PageOverlay(doc);
    for (const page of selected) {
      const ref = refs[page - 1];
      if (!ref) continue;
      const words = image ? '' : fillPlaceholders(params.stampText, { ...facts, page });
      const stamp = image ?? texts.get(words) ?? drawText(words);
      texts.set(words, stamp);
      const drawn = image ? sizeGiven(image, undefined, fontSize) : stamp;
      const shown = displayedPage(doc, ref);
      const { x, y } = isFree
        ? cornerAt(position, drawn, shown, params.customMargin)
        : { x: params.overrideX, y: params.overrideY };
      const matrix = rotatedAndSizedPlacement(x, y, drawn, params.rotation, stamp);
      overlay.draw(shown, [{ form: stamp.form, matrix }]);
    }
    fonts.finish();
    return { content: doc.save() };
  },
});
