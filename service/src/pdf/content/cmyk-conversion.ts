// Colours of a document as cyan, magenta, yellow and black, by the device formula: black takes what the three have in
// common, grey becomes black alone. No profile is used, so vectors and pictures stay alike.

import type { PdfDocument } from '../document.ts';
import { CONVERTED, convertInlineImage } from '../images/cmyk-images.ts';
import { Dict, Name, name, type PdfValue, Ref, Stream } from '../objects.ts';
import { mapColours } from './colour-mapping.ts';
import { type ColourSpace, readSpace, rgbToCmyk } from './colour-spaces.ts';
import { type PdfFunction, readFunction } from './functions.ts';
import { maskForms, recolourAnnotations, recolourForms, recolourPages } from './recolouring.ts';

const DEVICE_CMYK = name('DeviceCMYK');
const SAMPLES = 256;
/** Steps of each ink where several inks are one colour; more inks than this stay as they are. */
const GRID: Readonly<Record<number, number>> = { 1: 256, 2: 33, 3: 17, 4: 9 };

/** All but the pixels of pictures: content, annotations, gradients, inks, groups. */
export function convertColours(doc: PdfDocument): void {
  const map = {
    families: CONVERTED,
    of: rgbToCmyk,
    inlineImage: (entries: Dict, data: Uint8Array, resources: Dict) =>
      convertInlineImage(doc, entries, data, resources),
  };
  const recolour = {
    content: (content: Uint8Array, resources: Dict) => ({
      content: mapColours(doc, content, resources, map),
      states: undefined,
    }),
    colour: (values: readonly number[]): number[] => [...cmykOf(values)],
  };
  // What sets no colour is black: as grey before, as ink now.
  recolourPages(doc, recolour, () => '0 0 0 1 k 0 0 0 1 K\n');
  recolourForms(doc, recolour);
  recolourAnnotations(doc, recolour);
  convertSpaces(doc);
}

function cmykOf(values: readonly number[]): readonly number[] {
  if (values.length === 4) return values;
  const [r = 0, g = r, b = r] = values;
  return rgbToCmyk([r, g, b]);
}

/** Gradients, inks and groups, wherever they are written. */
function convertSpaces(doc: PdfDocument): void {
  const refs = doc.allRefs();
  const masks = maskForms(doc, refs);
  for (const ref of refs) {
    const object = doc.get(ref);
    const root = object instanceof Stream ? object.dict : object;
    if (masks.has(ref.key) || !(root instanceof Dict || Array.isArray(root))) continue;
    if (convertWithin(doc, root, 0)) {
      if (Array.isArray(root)) doc.replace(ref, root);
      else doc.edit(ref);
    }
  }
}

/** Whether anything was changed. References are not followed: what they lead to is visited by itself. */
function convertWithin(doc: PdfDocument, value: PdfValue, depth: number): boolean {
  if (depth > 20) return false;
  if (Array.isArray(value)) {
    const ink =
      value[0] instanceof Name &&
      ['Separation', 'DeviceN'].includes(value[0].value) &&
      convertInk(doc, value);
    let changed = ink;
    for (const each of value)
      if (each instanceof Dict || Array.isArray(each))
        changed = convertWithin(doc, each, depth + 1) || changed;
    return changed;
  }
  if (!(value instanceof Dict)) return false;
  forgetSpaces(doc, value.get('ColorSpace'));
  let changed = value.has('ShadingType') && convertShading(doc, value);
  if (doc.name(value.get('S')) === 'Transparency' && value.has('CS')) {
    const space = readSpace(doc, value.get('CS'));
    if (space && CONVERTED.has(space.family)) {
      value.set('CS', DEVICE_CMYK);
      changed = true;
    }
  }
  for (const each of value.values())
    if (each instanceof Dict || Array.isArray(each)) changed = convertWithin(doc, each, depth + 1) || changed;
  return changed;
}

/** Resources name colour spaces in a dictionary of their own; no content asks for these any more. */
function forgetSpaces(doc: PdfDocument, held: PdfValue | undefined): void {
  const listed = doc.resolve(held);
  if (!(listed instanceof Dict)) return;
  for (const [key, value] of listed) {
    const space = readSpace(doc, value);
    if (space && CONVERTED.has(space.family)) listed.delete(key);
  }
  if (held instanceof Ref) doc.edit(held);
}

/** Inks that are mixed from red, green and blue elsewhere: mixed from four inks from now on. */
function convertInk(doc: PdfDocument, space: PdfValue[]): boolean {
  const read = readSpace(doc, space);
  const steps = read && GRID[read.components];
  if (!read?.alternate || !CONVERTED.has(read.alternate.family) || steps === undefined) return false;
  const bounds = Array.from({ length: read.components }, () => [0, 1]).flat();
  space[2] = DEVICE_CMYK;
  space[3] = sampledFunction(doc, bounds, steps, (inputs) => rgbToCmyk(read.rgb(inputs)));
  return true;
}

/** Gradients over a line, between circles or over a plane; those over meshes only where a function colours them. */
function convertShading(doc: PdfDocument, shading: Dict): boolean {
  const space = readSpace(doc, shading.get('ColorSpace'));
  const type = doc.number(shading.get('ShadingType')) ?? 0;
  if (!space || !CONVERTED.has(space.family)) return false;
  const background = doc.array(shading.get('Background'))?.map((each) => doc.number(each) ?? 0);
  const colouring = readFunction(doc, shading.get('Function'));
  if (!colouring || (type === 1 && !(doc.array(shading.get('Domain')) ?? [0, 1, 0, 1]))) return false;
  const domain = shadingDomain(doc, shading, type);
  shading.set('Function', functionOf(doc, colouring, space, domain, type === 1));
  shading.set('ColorSpace', DEVICE_CMYK);
  if (background) shading.set('Background', [...rgbToCmyk(space.rgb(background))]);
  return true;
}

function shadingDomain(doc: PdfDocument, shading: Dict, type: number): number[] {
  const stated = (doc.array(shading.get('Domain')) ?? []).map((each) => doc.number(each) ?? 0);
  if (type === 1) return stated.length >= 4 ? stated.slice(0, 4) : [0, 1, 0, 1];
  if (type <= 3) return stated.length >= 2 ? stated.slice(0, 2) : [0, 1];
  // A mesh says in its Decode array how far the parameter goes.
  const decode = (doc.array(shading.get('Decode')) ?? []).map((each) => doc.number(each) ?? 0);
  return decode.length >= 6 ? decode.slice(4, 6) : [0, 1];
}

const functionOf = (
  doc: PdfDocument,
  colouring: PdfFunction,
  space: ColourSpace,
  domain: number[],
  plane: boolean,
): Ref =>
  sampledFunction(doc, domain, plane ? 33 : SAMPLES, (inputs) => rgbToCmyk(space.rgb(colouring(inputs))));

/** A function written as a table of its values. */
function sampledFunction(
  doc: PdfDocument,
  domain: readonly number[],
  steps: number,
  of: (inputs: number[]) => readonly number[],
): Ref {
  const inputs = domain.length / 2;
  const total = steps ** inputs;
  const bytes = new Uint8Array(total * 4);
  for (let index = 0; index < total; index += 1) {
    const values = Array.from({ length: inputs }, (_, axis) => {
      const [low = 0, high = 1] = domain.slice(2 * axis, 2 * axis + 2);
      return low + ((Math.floor(index / steps ** axis) % steps) / (steps - 1)) * (high - low);
    });
    of(values).forEach((value, output) => {
      bytes[index * 4 + output] = Math.round(value * 255);
    });
  }
  return doc.addStream(
    Dict.of({
      FunctionType: 0,
      Domain: [...domain],
      Range: [0, 1, 0, 1, 0, 1, 0, 1],
      Size: Array(inputs).fill(steps),
      BitsPerSample: 8,
    }),
    bytes,
  );
}
