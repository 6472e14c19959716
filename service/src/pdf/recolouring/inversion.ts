// Every colour becomes its opposite. Over what a page draws, white is laid with the blend mode Difference: it is as
// exact for images, gradients and transparency as for text, and nothing below is touched.

import { lookup } from '../../contract/lookup.ts';
import { computeOnce } from '../../contract/maps.ts';
import { ownAppearances } from '../annotations/own-appearances.ts';
import { cmykToRgb, readSpace } from '../content/colour-spaces.ts';
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { boxArray, mediaBox } from '../geometry/boxes.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { Dict, name, type PdfValue, Ref, Stream } from '../objects.ts';
import { PageOverlay } from '../pages/page-overlay.ts';
import { namesInContent } from '../syntax/content-names.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { mapColours } from './colour-mapping.ts';
import { recolourAnnotations, recolourForms } from './recolouring.ts';

export function invertDocument(doc: PdfDocument): void {
  invertAnnotations(doc);
  const below = new PageOverlay(doc, 'background');
  const above = new PageOverlay(doc);
  const state = doc.add(Dict.of({ Type: name('ExtGState'), BM: name('Difference'), ca: 1 }));
  const sheets = new Map<string, { paper: Ref; opposite: Ref }>();
  for (const ref of doc.pages()) {
    const page = displayedPage(doc, ref);
    const box = boxArray(mediaBox(doc, doc.dict(ref) ?? new Dict())) as number[];
    const { left, bottom, right, top } = mediaBox(doc, doc.dict(ref) ?? new Dict());
    const area = [left, bottom, right - left, top - bottom].map(formatNumber).join(' ');
    const sheet = computeOnce(sheets, area, () => ({
      paper: addForm(doc, box, `1 g ${area} re f`, {}),
      opposite: addForm(doc, box, `/Opposite gs 1 g ${area} re f`, {
        ExtGState: Dict.of({ Opposite: state }),
      }),
    }));
    // Both are drawn in the page's own coordinates.
    below.draw(page, [{ form: sheet.paper, matrix: page.matrix }]);
    above.draw(page, [{ form: sheet.opposite, matrix: page.matrix }]);
  }
}

/** Annotations are drawn above the page, so their colours are exchanged one by one. */
function invertAnnotations(doc: PdfDocument): void {
  const families = new Set(['gray', 'rgb', 'cmyk', 'lab', 'indexed', 'ink']);
  const map = { families, of: (rgb: readonly number[]) => rgb.map((value) => 1 - value) };
  const recolour = {
    content: (content: Uint8Array, resources: Dict) => ({
      content: mapColours(doc, prepended(content), resources, map),
      states: undefined,
    }),
    colour: opposite,
  };
  // What pages draw too is inverted there with all the rest.
  ownAppearances(doc);
  const appearances = recolourAnnotations(doc, recolour);
  recolourForms(doc, recolour, appearances);
  for (const key of appearances) {
    const [number = 0, generation = 0] = key.split(' ').map(Number);
    const ref = new Ref(number, generation);
    const names = namesInContent(contentOf(doc, ref));
    const resources = doc.dict(doc.dict(ref)?.get('Resources'));
    const used = (category: 'XObject' | 'ExtGState') =>
      [...(names?.[category] ?? [])].flatMap((word) => doc.dict(resources?.get(category))?.get(word) ?? []);
    for (const image of used('XObject')) invertImage(doc, image);
    const states = doc.dict(resources?.get('ExtGState'));
    if (states)
      doc.edit(ref).set('Resources', new Dict(resources ?? []).set('ExtGState', mirrored(doc, states)));
  }
}

/** What darkened now lightens. */
const MIRRORED: Readonly<Record<string, string>> = lookup({
  Multiply: 'Screen',
  Screen: 'Multiply',
  Darken: 'Lighten',
  Lighten: 'Darken',
  ColorBurn: 'ColorDodge',
  ColorDodge: 'ColorBurn',
});

function mirrored(doc: PdfDocument, states: Dict): Dict {
  const made = new Dict(states);
  for (const [key, value] of states) {
    const state = doc.dict(value);
    const mode = doc.resolve(state?.get('BM'));
    const other = MIRRORED[doc.name(Array.isArray(mode) ? mode[0] : mode) ?? ''];
    if (state && other !== undefined) made.set(key, new Dict(state).set('BM', name(other)));
  }
  return made;
}

/** Black is the colour before any is set. */
const prepended = (content: Uint8Array): Uint8Array => Buffer.concat([Buffer.from('0 g 0 G\n'), content]);

function opposite(values: readonly number[]): number[] {
  const rgb = values.length === 4 ? cmykToRgb(values) : values;
  return rgb.map((value) => 1 - value);
}

/** Images of an appearance: their samples count the other way round. */
function invertImage(doc: PdfDocument, image: PdfValue): void {
  const stream = image instanceof Ref ? doc.get(image) : undefined;
  if (!(image instanceof Ref && stream instanceof Stream)) return;
  const components = readSpace(doc, stream.dict.get('ColorSpace'));
  const isPlain = components && ['gray', 'rgb', 'cmyk'].includes(components.family);
  if (doc.name(stream.dict.get('Subtype')) !== 'Image' || !isPlain) return;
  const before = doc.array(stream.dict.get('Decode'))?.map((each) => doc.number(each) ?? 0);
  const range = before?.length === components.range.length ? before : components.range;
  doc.edit(image).set(
    'Decode',
    range.map((value) => 1 - value),
  );
}
