// Colours as an editor wants them: the space by name, the components as they stand.
import { lookup } from '../../contract/lookup.ts';
import type { Colour } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import { nameText } from '../text-strings.ts';

export interface ElementColour {
  colorSpace: string;
  components: number[];
}

/** Of colour spaces that begin with another colour than all of the one ink. */
const INITIAL: Readonly<Record<string, number[]>> = lookup({
  DeviceGray: [0],
  CalGray: [0],
  DeviceRGB: [0, 0, 0],
  CalRGB: [0, 0, 0],
  Lab: [0, 0, 0],
  DeviceCMYK: [0, 0, 0, 1],
});

export function elementColour(doc: PdfDocument, { space, components }: Colour): ElementColour {
  const family = nameText(doc.name(space) ?? doc.name(doc.array(space)?.[0]) ?? 'DeviceGray');
  return { colorSpace: family, components: [...(components ?? INITIAL[family] ?? [1])] };
}
