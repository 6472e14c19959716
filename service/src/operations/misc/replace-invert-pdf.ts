import { invalidParameter } from '../../contract/problems.ts';
import type { Rgb } from '../../pdf/content/colour-spaces.ts';
import { rgbOf } from '../../pdf/content/paint.ts';
import { packedImages, putOnPage, replaceWithPixels } from '../../pdf/images/image-decoding.ts';
import { convertImages } from '../../pdf/recolouring/cmyk-images.ts';
import { convertColours, INKS } from '../../pdf/recolouring/colour-conversion.ts';
import { invertDocument } from '../../pdf/recolouring/inversion.ts';
import { repaintDocument } from '../../pdf/recolouring/two-colours-document.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, text } from '../fields.ts';

/** Text and background of the presets. */
const PRESETS: Record<string, [string, string]> = {
  WHITE_TEXT_ON_BLACK: ['#ffffff', '#000000'],
  BLACK_TEXT_ON_WHITE: ['#000000', '#ffffff'],
  YELLOW_TEXT_ON_BLACK: ['#ffff00', '#000000'],
  GREEN_TEXT_ON_BLACK: ['#00ff00', '#000000'],
};
const MOST = 0xffffff;

const ownColour = (what: string) =>
  text(`${what}, for CUSTOM_COLOR: #RRGGBB, 0xRRGGBB, or a decimal number from 0 to 16777215`, {
    max: 20,
    pattern: /^\s*(?:(?:#|0[xX])[0-9a-fA-F]{6}|\d{1,8})\s*$/,
    expects: 'a colour: #RRGGBB, 0xRRGGBB, or a decimal number from 0 to 16777215',
  });

export default operation({
  summary: 'Replace or invert colours',
  description:
    'Presets and own colours: text and lines take the colour of text, the page the background colour. Filled areas take ' +
    'a shade between both, white ones the background itself; thin or small dark fills count as lines or signs, gradients ' +
    'become even areas, and tints that were mixed with what lies below are left out. Pictures stay as they are. ' +
    'FULL_INVERSION inverts everything, pictures too. COLOR_SPACE_CONVERSION turns grey, RGB, Lab and profiled colours of ' +
    'content, annotations, gradients, palettes and pictures into DeviceCMYK by the device formula (black takes what the ' +
    'three inks have in common, grey becomes black alone; no colour profile is used); spot inks stay inks; gradients over ' +
    'meshes without a function stay as they are. Text stays text in every option.',
  example: { replaceAndInvertOption: 'FULL_INVERSION' },
  inputs: { fileInput: file('pdf') },
  params: {
    replaceAndInvertOption: choice(
      'What to do: a preset, own colours, invert all, or convert to CMYK',
      ['HIGH_CONTRAST_COLOR', 'CUSTOM_COLOR', 'FULL_INVERSION', 'COLOR_SPACE_CONVERSION'],
      { default: 'HIGH_CONTRAST_COLOR' },
    ),
    highContrastColorCombination: choice(
      'The preset, for HIGH_CONTRAST_COLOR',
      ['WHITE_TEXT_ON_BLACK', 'BLACK_TEXT_ON_WHITE', 'YELLOW_TEXT_ON_BLACK', 'GREEN_TEXT_ON_BLACK'],
      { default: 'WHITE_TEXT_ON_BLACK' },
    ),
    backGroundColor: ownColour('Background'),
    textColor: ownColour('Text and lines'),
  },
  output: pdfFile('_inverted'),
  uses: ['qpdf', 'sharp', 'pdfium'],
  check({ replaceAndInvertOption, backGroundColor, textColor }) {
    if (replaceAndInvertOption !== 'CUSTOM_COLOR') return;
    readColour('backGroundColor', backGroundColor);
    readColour('textColor', textColor);
  },
  async run({ fileInput }, params, { engine, log }) {
    const doc = engine.qpdf.open(fileInput);
    const option = params.replaceAndInvertOption;
    if (option === 'FULL_INVERSION') invertDocument(doc);
    else if (option === 'COLOR_SPACE_CONVERSION') {
      for (const image of packedImages(doc).filter(({ bilevel }) => !bilevel)) {
        const sheet = engine.qpdf.create();
        putOnPage(sheet, doc, image);
        using page = engine.pdfium.open({ name: fileInput.name, content: sheet.save() });
        const { rgba } = page.render(0, { scale: 1, maxPixels: image.width * image.height });
        replaceWithPixels(doc, image, rgba);
        engine.qpdf.close(sheet);
      }
      convertColours(doc, INKS);
      const { decodeJpeg, encodeCmyk } = engine.sharp;
      const left = await convertImages(doc, { decode: decodeJpeg, encode: encodeCmyk });
      if (left > 0) log.info('pictures left in their colours', { count: left });
    } else if (option === 'CUSTOM_COLOR') {
      repaintDocument(doc, {
        text: readColour('textColor', params.textColor),
        background: readColour('backGroundColor', params.backGroundColor),
      });
    } else {
      const [words = '#ffffff', paper = '#000000'] = PRESETS[params.highContrastColorCombination] ?? [];
      repaintDocument(doc, { text: rgbOf(words), background: rgbOf(paper) });
    }
    return { content: doc.save() };
  },
});

/** "`#RRGGBB`, `0xRRGGBB`, or **decimal** 0 to 16777215 when unprefixed" */
function readColour(field: string, given: string | undefined): Rgb {
  const sent = given?.trim();
  if (sent === undefined)
    throw invalidParameter(`${field} is required for replaceAndInvertOption CUSTOM_COLOR.`);
  const value = /^\d{1,8}$/.test(sent) ? Number(sent) : Number.parseInt(sent.replace(/^#|^0x/i, ''), 16);
  if (value <= MOST) return rgbOf(`#${value.toString(16).padStart(6, '0')}`);
  throw invalidParameter(`${field} must be at most ${MOST} as a decimal number; got ${sent}.`);
}
