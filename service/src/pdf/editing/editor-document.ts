// A whole document as JSON for an editor, in pieces: no more than one page of it is in memory.

import { contentParts } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { heightOf, mediaBox, widthOf } from '../geometry/boxes.ts';
import { boxThrough } from '../geometry/matrix.ts';
import { documentProperties, readInfo } from '../metadata/metadata.ts';
import { Dict, type PdfValue, type Ref, Stream } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import { EditorAnnotations } from './editor-annotations.ts';
import { base64, editorFont, PageFonts } from './editor-fonts.ts';
import { type ImageElement, pageElements } from './page-elements.ts';
import { rawDict } from './raw-values.ts';
import type { TextElement } from './text-element.ts';

export interface EditorImage {
  bytes: Uint8Array;
  format: 'png' | 'jpeg';
}

export interface EditorOptions {
  lightweight: boolean;
  /** The pixels of an image, by its place among all that pages draw; undefined where it cannot be had. */
  image(place: number): Promise<EditorImage | undefined>;
}

/** Data that several pages use is written with each of them up to this many bytes, then only once. */
const REPEATED_BYTES = 64 * 1024 * 1024;

class Carried {
  private bytes = 0;
  private readonly known = new Set<string>();

  mayCarry = (bytes: number, key: string): boolean => {
    const isNew = !this.known.has(key);
    if (!isNew && this.bytes + bytes > REPEATED_BYTES) return false;
    this.known.add(key);
    if (!isNew) this.bytes += bytes;
    return true;
  };
}

/** Members without a value are left out, as JSON.stringify does with what is undefined. */
export async function* editorDocument(doc: PdfDocument, options: EditorOptions): AsyncGenerator<string> {
  const { lightweight } = options;
  const pages = doc.pages();
  const glyphs = new GlyphFonts(doc);
  const annotations = new EditorAnnotations(doc);
  const carried = new Carried();
  yield `{"metadata":${JSON.stringify(metadataOf(doc))},`;
  const xmp = xmpOf(doc);
  if (xmp) yield `"xmpMetadata":"${base64(xmp)}",`;
  yield '"lazyImages":false,"fonts":[';
  let comma = '';
  for (const [index, page] of pages.entries()) {
    for (const { id, font } of fontsOf(doc, page, glyphs).used) {
      const pageNumber = index + 1;
      yield `${comma}${JSON.stringify(editorFont(doc, font, { id, pageNumber, lightweight, mayCarry: carried.mayCarry }))}`;
      comma = ',';
    }
  }
  yield '],"pages":[';
  const places = { next: 0 };
  for (const [index, page] of pages.entries()) {
    yield `${index === 0 ? '' : ','}`;
    yield* pageOf(doc, page, index + 1, { glyphs, annotations, carried, places, options });
  }
  yield '],"formFields":[';
  comma = '';
  for (const field of annotations.fields(lightweight)) {
    yield `${comma}${JSON.stringify(field)}`;
    comma = ',';
  }
  yield ']}';
}

/** Fonts of a page: those its resources name first, then those of forms on it. */
function fontsOf(doc: PdfDocument, page: Ref, glyphs: GlyphFonts, texts?: readonly TextElement[]): PageFonts {
  const fonts = new PageFonts();
  const resources = doc.dict(doc.inherited(doc.dict(page) ?? new Dict(), 'Resources'));
  for (const [name, font] of doc.dict(resources?.get('Font')) ?? []) fonts.idOf(name, font);
  for (const { fontName, font } of texts ?? pageElements(doc, page, glyphs).texts) fonts.idOf(fontName, font);
  return fonts;
}

function metadataOf(doc: PdfDocument) {
  const properties = Object.fromEntries(
    Object.entries(documentProperties(doc)).filter(([, value]) => value !== null),
  );
  const held = readInfo(doc).get('Trapped');
  const trapped = doc.name(held) ?? doc.text(held);
  return {
    ...properties,
    ...(trapped === undefined ? {} : { trapped: nameText(trapped) }),
    numberOfPages: doc.pageCount,
  };
}

function xmpOf(doc: PdfDocument): Uint8Array | undefined {
  const ref = doc.catalog.get('Metadata');
  if (!isStreamRef(doc, ref)) return undefined;
  return doc.streamData(ref).bytes;
}

const isStreamRef = (doc: PdfDocument, value: PdfValue | undefined): value is Ref =>
  doc.resolve(value) instanceof Stream;

interface PageWork {
  glyphs: GlyphFonts;
  annotations: EditorAnnotations;
  carried: Carried;
  places: { next: number };
  options: EditorOptions;
}

async function* pageOf(
  doc: PdfDocument,
  ref: Ref,
  pageNumber: number,
  work: PageWork,
): AsyncGenerator<string> {
  const { glyphs, annotations, carried, places, options } = work;
  const page = doc.dict(ref) ?? new Dict();
  const box = mediaBox(doc, page);
  const { texts, images } = pageElements(doc, ref, glyphs);
  const fonts = fontsOf(doc, ref, glyphs, texts);
  const turn = doc.number(doc.inherited(page, 'Rotate')) ?? 0;
  yield `{"pageNumber":${pageNumber},"width":${widthOf(box)},"height":${heightOf(box)},`;
  yield `"rotation":${(((Math.round(turn / 90) * 90) % 360) + 360) % 360},"textElements":[`;
  for (const [index, element] of texts.entries()) {
    const id = fonts.idOf(element.fontName, element.font);
    yield `${index === 0 ? '' : ','}${JSON.stringify(textOfElement(element, id))}`;
  }
  yield '],"imageElements":[';
  for (const [index, element] of images.entries()) {
    const place = places.next;
    places.next += 1;
    const image = options.lightweight ? undefined : await options.image(place);
    const isCarried = image && carried.mayCarry(image.bytes.length, `image ${element.ref.key}`);
    const data = image && isCarried ? { imageData: base64(image.bytes), imageFormat: image.format } : {};
    yield `${index === 0 ? '' : ','}${JSON.stringify({ ...imageOfElement(element, pageNumber, index), ...data })}`;
  }
  yield `],"annotations":${JSON.stringify(annotations.ofPage(ref, options.lightweight))}`;
  if (!options.lightweight) {
    yield `,"resources":${JSON.stringify(rawDict(doc, doc.inherited(page, 'Resources')))},"contentStreams":[`;
    for (const [index, part] of contentParts(doc, ref).entries()) {
      const dictionary = JSON.stringify(rawDict(doc, part));
      yield `${index === 0 ? '' : ','}{"dictionary":${dictionary},"rawData":"${base64(doc.rawStreamData(part))}"}`;
    }
    yield ']';
  }
  yield '}';
}

const tidy = (value: number): number => Math.round(value * 10_000) / 10_000 || 0;
const tidyAll = (values: readonly number[]): number[] =>
  values.map((value) => (Number.isFinite(value) ? tidy(value) : 0));

function textOfElement(element: TextElement, fontId: string) {
  const { state, matrix, spaceWidth, fill, stroke } = element;
  return {
    text: element.text,
    fontId,
    fontSize: tidy(state.size),
    fontMatrixSize: tidy(element.seenSize),
    fontSizeInPt: tidy(element.seenSize),
    characterSpacing: tidy(state.characterSpacing),
    wordSpacing: tidy(state.wordSpacing),
    spaceWidth: spaceWidth === undefined ? undefined : tidy(spaceWidth),
    zOrder: element.zOrder,
    horizontalScaling: tidy(state.stretch * 100),
    leading: tidy(state.leading),
    rise: tidy(state.rise),
    x: tidy(matrix[4]),
    y: tidy(matrix[5]),
    width: tidy(element.width),
    height: tidy(element.height),
    textMatrix: tidyAll(matrix),
    fillColor: fill,
    strokeColor: stroke,
    renderingMode: element.mode,
    fallbackUsed: element.isGuessed ? true : undefined,
    charCodes: element.codes,
  };
}

function imageOfElement(element: ImageElement, pageNumber: number, index: number) {
  const { left, bottom, right, top } = boxThrough(element.matrix, { left: 0, bottom: 0, right: 1, top: 1 });
  return {
    id: `${pageNumber}:${index + 1}`,
    objectName: element.name === undefined ? undefined : nameText(element.name),
    inlineImage: element.inline,
    nativeWidth: element.nativeWidth,
    nativeHeight: element.nativeHeight,
    x: tidy(left),
    y: tidy(bottom),
    width: tidy(right - left),
    height: tidy(top - bottom),
    left: tidy(left),
    right: tidy(right),
    top: tidy(top),
    bottom: tidy(bottom),
    transform: tidyAll(element.matrix),
    zOrder: element.zOrder,
  };
}
