// Samples that stay what they are and are shown as greys: their space becomes one of inks whose other colour is grey.

import { brightness, type ColourSpace } from '../content/colour-spaces.ts';
import { sampledFunction } from '../content/sampled-function.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, name, PdfString, type PdfValue } from '../objects.ts';

const DEVICE_GREY = name('DeviceGray');
const RED_GREEN_BLUE = '{0.114 mul exch 0.587 mul add exch 0.299 mul add}';
const FOUR_INKS =
  '{1 exch sub 4 1 roll 1 exch sub 0.114 mul exch 1 exch sub 0.587 mul add exch 1 exch sub 0.299 mul add mul}';
const LAB_STEPS = 17;

/** Undefined where it has no colours, or more than can be told. */
export function greySpace(doc: PdfDocument, space: ColourSpace): PdfValue | undefined {
  if (space.family === 'rgb') return named(['Red', 'Green', 'Blue'], calculated(doc, 3, RED_GREEN_BLUE));
  if (space.family === 'cmyk')
    return named(['Cyan', 'Magenta', 'Yellow', 'Black'], calculated(doc, 4, FOUR_INKS));
  if (space.family === 'indexed') return greyPalette(space);
  if (space.family !== 'lab') return undefined;
  const within = (values: readonly number[]): number[] =>
    values.map((value, axis) => {
      const [low = 0, high = 1] = space.range.slice(2 * axis, 2 * axis + 2);
      return low + value * (high - low);
    });
  const tint = sampledFunction(doc, [0, 1, 0, 1, 0, 1], LAB_STEPS, (values) => [
    brightness(space.rgb(within(values))),
  ]);
  return named(['Lightness', 'GreenRed', 'BlueYellow'], tint);
}

const named = (components: readonly string[], tint: PdfValue): PdfValue => [
  name('DeviceN'),
  components.map(name),
  DEVICE_GREY,
  tint,
];

const calculated = (doc: PdfDocument, inputs: number, words: string): PdfValue =>
  doc.addStream(
    Dict.of({ FunctionType: 4, Domain: Array(inputs).fill([0, 1]).flat(), Range: [0, 1] }),
    Buffer.from(words, 'latin1'),
  );

function greyPalette(space: ColourSpace): PdfValue | undefined {
  if (space.base?.family === 'gray') return undefined;
  const most = space.range[1] ?? 0;
  const table = Uint8Array.from({ length: most + 1 }, (_, index) =>
    Math.round(255 * brightness(space.rgb([index]))),
  );
  return [name('Indexed'), DEVICE_GREY, most, new PdfString(table)];
}
