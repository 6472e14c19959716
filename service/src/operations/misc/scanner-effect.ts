import { invalidParameter } from '../../contract/problems.ts';
import { layOnGlass, placeOnGlass, type Raster, randomFrom, tone } from '../../pdf/images/scan-look.ts';
import {
  forgetContent,
  jpegImage,
  moveLinks,
  showImage,
  type TurnedImage,
} from '../../pdf/pages/page-raster.ts';
import { ImageShelf, MAX_PAGE_PIXELS } from '../../procedures/image-pages.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, integer, number } from '../fields.ts';
import { seedOf } from './_input-digest.ts';

/** "high 0.1/1/1.03/1.06/150, medium 0.1/1/1.06/1.12/100, low 0.9/2.5/1.08/1.15/75" */
const PRESETS = {
  high: { blur: 0.1, noise: 1, brightness: 1.03, contrast: 1.06, dpi: 150 },
  medium: { blur: 0.1, noise: 1, brightness: 1.06, contrast: 1.12, dpi: 100 },
  low: { blur: 0.9, noise: 2.5, brightness: 1.08, contrast: 1.15, dpi: 75 },
} as const;
/** "none 0, slight 2, moderate 5, severe 8" */
const SKEW = { none: 0, slight: 2, moderate: 5, severe: 8 } as const;
const DEFAULT_DPI = 300;

const factor = (description: string) => number(description, { default: 1, min: 0.1, max: 3 });

export default operation({
  summary: 'Make pages look scanned',
  description:
    'Every page becomes a picture of itself as a scanner would see it: a little askew under the lid, with uneven light and ' +
    'grain. The page keeps its size and all of it stays in view. The same request gives the same picture. Bookmarks, ' +
    'links, attachments and metadata are kept; text, form fields and tags are not.',
  example: { quality: 'medium', rotation: 'slight' },
  inputs: { fileInput: file('pdf') },
  params: {
    quality: choice(
      'Preset of blur, noise, brightness, contrast and resolution: high 0.1, 1, 1.03, 1.06, 150 dpi; ' +
        'medium 0.1, 1, 1.06, 1.12, 100 dpi; low 0.9, 2.5, 1.08, 1.15, 75 dpi',
      ['low', 'medium', 'high'],
      { default: 'high' },
    ),
    advancedEnabled: flag('Use brightness, contrast, blur, noise and resolution instead of the preset'),
    brightness: factor('Factor, with advancedEnabled'),
    contrast: factor('Factor about the middle, with advancedEnabled'),
    blur: number('Radius in pixels, with advancedEnabled', { default: 1, min: 0, max: 20 }),
    noise: number('How strong the grain is, with advancedEnabled', { default: 8, min: 0, max: 100 }),
    resolution: integer(
      `Dots per inch, with advancedEnabled; absent: ${DEFAULT_DPI}, or less where a page would exceed 100 megapixels`,
      { min: 10, max: 600 },
    ),
    rotation: choice('Skew: 0, 2, 5 or 8 degrees clockwise', ['none', 'slight', 'moderate', 'severe'], {
      default: 'slight',
    }),
    rotate: integer('Degrees clockwise added to the skew', { default: 0, min: -45, max: 45 }),
    rotateVariance: integer('Degrees by which pages stray from that at most, either way', {
      default: 2,
      min: 0,
      max: 45,
    }),
    colorspace: choice('Colours of the scan', ['grayscale', 'color'], { default: 'grayscale' }),
    border: integer('Pixels of the lid seen around the page', { default: 20, min: 0, max: 500 }),
    yellowish: flag('Aged paper'),
  },
  output: pdfFile('_scanner_effect'),
  uses: ['qpdf', 'pdfium', 'sharp'],
  unused: ({ advancedEnabled }) =>
    advancedEnabled ? ['quality'] : ['brightness', 'contrast', 'blur', 'noise', 'resolution'],
  async run({ fileInput }, params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    // As qpdf has repaired it: both see the same pages.
    using looked = engine.pdfium.open({ name: fileInput.name, content: doc.save() });
    const dpi = params.advancedEnabled ? (params.resolution ?? DEFAULT_DPI) : PRESETS[params.quality].dpi;
    const look = params.advancedEnabled ? params : PRESETS[params.quality];
    const refs = doc.pages();
    if (params.advancedEnabled && params.resolution !== undefined) {
      for (const index of refs.keys()) {
        const { width, height } = looked.pixelSize(index, { dpi });
        if (width * height > MAX_PAGE_PIXELS)
          throw invalidParameter(`resolution: page ${index + 1} would exceed 100 megapixels.`);
      }
    }
    const random = randomFrom(seedOf(fileInput, params));
    const shelf = new ImageShelf(engine.qpdf, doc);
    const finishPage = async (
      index: number,
      { laid, place }: { laid: Raster; place: TurnedImage },
      seed: number,
    ): Promise<void> => {
      const soft = await engine.sharp.blur(laid, look.blur);
      const seen = tone(soft, { ...look, yellowish: params.yellowish }, randomFrom(seed));
      const data = await engine.sharp.encode(seen, 'jpeg');
      const ref = refs[index];
      if (!ref) return;
      const picture = jpegImage(seen, data, seen.channels);
      shelf.add(picture, (image) => {
        showImage(doc, ref, image);
        moveLinks(doc, ref, place);
      });
    };
    // One page is drawn while the one before is packed; no more than two are in memory.
    let before: Promise<void> = Promise.resolve();
    for (const index of refs.keys()) {
      const degrees = SKEW[params.rotation] + params.rotate + (2 * random() - 1) * params.rotateVariance;
      const drawn = looked.render(index, { dpi, maxPixels: MAX_PAGE_PIXELS, annotations: true });
      const lying = { degrees, border: params.border, inColour: params.colorspace === 'color' };
      const scanned = { laid: layOnGlass(drawn, lying), place: placeOnGlass(drawn, lying) };
      await before;
      before = finishPage(index, scanned, Math.floor(random() * 2 ** 32));
      before.catch(() => {});
    }
    await before;
    shelf.finish();
    forgetContent(doc);
    return { content: doc.save() };
  },
});
