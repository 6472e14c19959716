// All colours of a document in one device space: as inks by the device formula (black takes what the three have in
// common, grey becomes black alone), or as greys. No profile is used, so vectors and images stay alike.

import {
  brightness,
  type ColourSpace,
  cmykToRgb,
  type Rgb,
  readSpace,
  rgbToCmyk,
} from '../content/colour-spaces.ts';
import { type PdfFunction, readFunction } from '../content/functions.ts';
import { sampledFunction } from '../content/sampled-function.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Name, name, type PdfValue, Ref, Stream } from '../objects.ts';
import { CONVERTED, convertInlineImage } from './cmyk-images.ts';
import { mapColours } from './colour-mapping.ts';
import { greySpace } from './greyed-spaces.ts';
import { maskForms, recolourAnnotations, recolourForms, recolourPages } from './recolouring.ts';

export interface TargetColours {
  space: 'DeviceCMYK' | 'DeviceGray';
  /** Families of colour spaces that are converted. */
  families: ReadonlySet<string>;
  of(rgb: Rgb): readonly number[];
  /** What content begins with: the colour before any is set. */
  before: string;
}

export const INKS: TargetColours = {
  space: 'DeviceCMYK',
  families: CONVERTED,
  of: rgbToCmyk,
  // What sets no colour is black: as grey before, as ink now.
  before: '0 0 0 1 k 0 0 0 1 K\n',
};

export const GREYS: TargetColours = {
  space: 'DeviceGray',
  families: new Set(['rgb', 'cmyk', 'lab', 'indexed', 'ink']),
  of: (rgb) => [brightness(rgb)],
  before: '',
};

const SAMPLES = 256;
/** Steps of each ink where several inks are one colour; more inks than this stay as they are. */
const GRID: Readonly<Record<number, number>> = { 1: 256, 2: 33, 3: 17, 4: 9 };

/** All but the pixels of images: content, annotations, gradients, inks, groups. */
export function convertColours(doc: PdfDocument, target: TargetColours): void {
  const map = {
    families: target.families,
    of: target.of,
    inlineImage: (entries: Dict, data: Uint8Array, resources: Dict) =>
      convertInlineImage(doc, entries, data, resources, target),
  };
  const recolour = {
    content: (content: Uint8Array, resources: Dict) => ({
      content: mapColours(doc, content, resources, map),
      states: undefined,
    }),
    colour: (values: readonly number[]): number[] => [...converted(values, target)],
  };
  recolourPages(doc, recolour, () => target.before);
  recolourForms(doc, recolour);
  recolourAnnotations(doc, recolour);
  new SpaceConversion(doc, target).all();
}

function converted(values: readonly number[], { space, of }: TargetColours): readonly number[] {
  if (values.length === 4) return space === 'DeviceCMYK' ? values : of(cmykToRgb(values));
  const [r = 0, g = r, b = r] = values;
  return of([r, g, b]);
}

/** Gradients, inks, groups and what stencil patterns are painted with, wherever they are written. */
class SpaceConversion {
  private readonly doc: PdfDocument;
  private readonly target: TargetColours;

  constructor(doc: PdfDocument, target: TargetColours) {
    this.doc = doc;
    this.target = target;
  }

  all(): void {
    const { doc } = this;
    const refs = doc.allRefs();
    const masks = maskForms(doc, refs);
    for (const ref of refs) {
      const object = doc.get(ref);
      const root = object instanceof Stream ? object.dict : object;
      if (masks.has(ref.key) || !(root instanceof Dict || Array.isArray(root))) continue;
      if (!this.within(root, 0)) continue;
      if (Array.isArray(root)) doc.replace(ref, root);
      else doc.edit(ref);
    }
  }

  /** Whether anything was changed. References are not followed: what they lead to is visited by itself. */
  private within(value: PdfValue, depth: number): boolean {
    if (depth > 20) return false;
    if (Array.isArray(value)) {
      let changed = this.space(value);
      for (const each of value)
        if (each instanceof Dict || Array.isArray(each)) changed = this.within(each, depth + 1) || changed;
      return changed;
    }
    if (!(value instanceof Dict)) return false;
    this.forget(value.get('ColorSpace'));
    let changed = value.has('ShadingType') && this.shading(value);
    if (
      this.doc.name(value.get('S')) === 'Transparency' &&
      this.isConverted(readSpace(this.doc, value.get('CS')))
    ) {
      value.set('CS', name(this.target.space));
      changed = true;
    }
    for (const each of value.values())
      if (each instanceof Dict || Array.isArray(each)) changed = this.within(each, depth + 1) || changed;
    return changed;
  }

  private isConverted(space: ColourSpace | undefined): space is ColourSpace {
    return space !== undefined && this.target.families.has(space.family);
  }

  private space(value: PdfValue[]): boolean {
    const family = value[0] instanceof Name ? value[0].value : '';
    if (family === 'Separation' || family === 'DeviceN') return this.ink(value);
    if (family !== 'Pattern' || !this.isConverted(readSpace(this.doc, value[1]))) return false;
    value[1] = name(this.target.space);
    return true;
  }

  /**
   * Resources name colour spaces in a dictionary of their own; no content asks for these any more. Images within
   * content that could not be converted still may, where they are to be grey.
   */
  private forget(held: PdfValue | undefined): void {
    const listed = this.doc.resolve(held);
    if (!(listed instanceof Dict) || this.target.space === 'DeviceGray') return;
    for (const [key, value] of listed) if (this.isConverted(readSpace(this.doc, value))) listed.delete(key);
    if (held instanceof Ref) this.doc.edit(held);
  }

  /** Inks that are mixed from other colours elsewhere: mixed from those of the target from now on. */
  private ink(space: PdfValue[]): boolean {
    const read = readSpace(this.doc, space);
    const steps = read && GRID[read.components];
    if (!read?.alternate || !this.isConverted(read.alternate) || steps === undefined) return false;
    const bounds = Array.from({ length: read.components }, () => [0, 1]).flat();
    space[2] = name(this.target.space);
    space[3] = sampledFunction(this.doc, bounds, steps, (inputs) => this.target.of(read.rgb(inputs)));
    return true;
  }

  /** Gradients over a line, between circles or over a plane; those over meshes where a function colours them. */
  private shading(shading: Dict): boolean {
    const { doc, target } = this;
    const space = readSpace(doc, shading.get('ColorSpace'));
    if (!this.isConverted(space)) return false;
    const type = doc.number(shading.get('ShadingType')) ?? 0;
    const background = doc.array(shading.get('Background'))?.map((each) => doc.number(each) ?? 0);
    const colouring = readFunction(doc, shading.get('Function'));
    if (!colouring) return target.space === 'DeviceGray' && this.mesh(shading, space);
    const domain = shadingDomain(doc, shading, type);
    shading.set('Function', this.colouring(colouring, space, domain, type === 1));
    shading.set('ColorSpace', name(target.space));
    if (background) shading.set('Background', [...target.of(space.rgb(background))]);
    return true;
  }

  /** Colours of corners stay written as they are. */
  private mesh(shading: Dict, space: ColourSpace): boolean {
    const greyed = ['rgb', 'cmyk'].includes(space.family) ? greySpace(this.doc, space) : undefined;
    if (greyed !== undefined) shading.set('ColorSpace', greyed);
    return greyed !== undefined;
  }

  private colouring(colouring: PdfFunction, space: ColourSpace, domain: number[], isPlane: boolean): Ref {
    return sampledFunction(this.doc, domain, isPlane ? 33 : SAMPLES, (inputs) =>
      this.target.of(space.rgb(colouring(inputs))),
    );
  }
}

function shadingDomain(doc: PdfDocument, shading: Dict, type: number): number[] {
  const stated = (doc.array(shading.get('Domain')) ?? []).map((each) => doc.number(each) ?? 0);
  if (type === 1) return stated.length >= 4 ? stated.slice(0, 4) : [0, 1, 0, 1];
  if (type <= 3) return stated.length >= 2 ? stated.slice(0, 2) : [0, 1];
  // A mesh says in its Decode array how far the parameter goes.
  const decode = (doc.array(shading.get('Decode')) ?? []).map((each) => doc.number(each) ?? 0);
  return decode.length >= 6 ? decode.slice(4, 6) : [0, 1];
}
