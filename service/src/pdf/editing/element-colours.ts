// The colours that content sets, as an editor wants them: the space by name, the components as they stand.
import type { PdfDocument } from '../document.ts';
import { Name, type PdfValue } from '../objects.ts';
import { nameText } from '../text-strings.ts';

export interface ElementColour {
  colorSpace: string;
  components: number[];
}

export const BLACK: ElementColour = { colorSpace: 'DeviceGray', components: [0] };

const DEVICE: Readonly<Record<string, string>> = { g: 'DeviceGray', rg: 'DeviceRGB', k: 'DeviceCMYK' };
const INITIAL: Readonly<Record<string, number[]>> = {
  DeviceGray: [0],
  CalGray: [0],
  DeviceRGB: [0, 0, 0],
  CalRGB: [0, 0, 0],
  Lab: [0, 0, 0],
  DeviceCMYK: [0, 0, 0, 1],
};

/** What a colour operator (in small letters: filling and stroking work alike) makes of a colour; undefined: not one. */
export function colourAfter(
  doc: PdfDocument,
  before: ElementColour,
  operator: string,
  operands: readonly PdfValue[],
  spaces: (name: PdfValue | undefined) => PdfValue | undefined,
): ElementColour | undefined {
  const components = operands.filter((each) => typeof each === 'number');
  const device = Object.hasOwn(DEVICE, operator) ? DEVICE[operator] : undefined;
  if (device) return { colorSpace: device, components };
  if (operator === 'sc' || operator === 'scn') return { ...before, components };
  if (operator !== 'cs') return undefined;
  const [named] = operands;
  const space = familyOf(doc, spaces(named) ?? named);
  return { colorSpace: space, components: INITIAL[space] ?? [1] };
}

function familyOf(doc: PdfDocument, value: PdfValue | undefined): string {
  const family = doc.name(value) ?? doc.name(doc.array(value)?.[0]);
  return family === undefined
    ? value instanceof Name
      ? nameText(value.value)
      : 'DeviceGray'
    : nameText(family);
}
