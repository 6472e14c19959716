// Images as cyan, magenta, yellow and black, by the same formula as all other colours.
import { type ColourSpace, type Rgb, readSpace, rgbToCmyk } from '../content/colour-spaces.ts';
import { readSamples } from '../content/functions.ts';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { pixelSize } from '../images/image-cutting.ts';
import type { ImageXObject } from '../images/image-xobjects.ts';
import { spellOut } from '../images/inline-images.ts';
import { Dict, isName, name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';

/** Colour spaces that become CMYK. */
export const CONVERTED: ReadonlySet<string> = new Set(['gray', 'rgb', 'lab', 'indexed']);

export interface JpegCoder {
  /** Red, green and blue of each pixel; undefined where the file cannot be read. */
  decode(file: Uint8Array): Promise<{ width: number; height: number; data: Uint8Array } | undefined>;
  /** Four bytes a pixel, 255 for full ink. */
  encode(pixels: { width: number; height: number; data: Uint8Array }): Promise<ImageXObject>;
}

/** What colours of an image within content become. */
export interface InlineTarget {
  space: 'DeviceCMYK' | 'DeviceGray';
  families: ReadonlySet<string>;
  of(rgb: Rgb): readonly number[];
}

/** An image within content, in hexadecimal digits; those of a codec, and grey ones, stay as they are. */
export function convertInlineImage(
  doc: PdfDocument,
  entries: Dict,
  data: Uint8Array,
  resources: Dict,
  { space: target, families, of }: InlineTarget,
): string | undefined {
  const dict = spellOut(doc, entries, resources);
  const size = pixelSize(doc, dict);
  const space = readSpace(doc, dict.get('ColorSpace'));
  if (doc.boolean(dict.get('ImageMask')) || !size || !space || space.family === 'gray') return undefined;
  if (!families.has(space.family) || size.width * size.height > MAX_INLINE_PIXELS) return undefined;
  const filters = filtersOf(doc, dict);
  if (!filters?.every((filter) => isPacking(filter.name))) return undefined;
  const unpacked = filters.reduce((bytes, filter) => undoFilter(doc, bytes, filter).bytes, data);
  const bits = doc.number(dict.get('BitsPerComponent')) ?? 8;
  const rgb = rgbSamples(unpacked, bits, space, size.width, size.height, decodeOf(doc, dict, space));
  if (!rgb) return undefined;
  const samples = target === 'DeviceCMYK' ? inks(rgb) : greys(rgb, of);
  const digits = Buffer.from(samples).toString('hex');
  const short = target === 'DeviceCMYK' ? 'CMYK' : 'G';
  return ` BI /W ${size.width} /H ${size.height} /CS /${short} /BPC 8 /F /AHx ID ${digits}> EI `;
}

function greys(rgb: Uint8Array, of: InlineTarget['of']): Uint8Array {
  const made = new Uint8Array(rgb.length / 3);
  for (let at = 0; at < made.length; at += 1) {
    const [r = 0, g = 0, b = 0] = rgb.subarray(3 * at, 3 * at + 3);
    made[at] = Math.round(255 * (of([r / 255, g / 255, b / 255])[0] ?? 0));
  }
  return made;
}

const MAX_INLINE_PIXELS = 1_000_000;

/** Larger images stay as they are: their pixels would not fit into memory. */
const MAX_PIXELS = 60_000_000;

/** Every image of the document; opacity masks and stencils have no colour. Returns how many could not be changed. */
export async function convertImages(doc: PdfDocument, jpeg: JpegCoder): Promise<number> {
  const refs = doc.allRefs();
  const masks = new Set<string>();
  const images: Ref[] = [];
  for (const ref of refs) {
    const object = doc.get(ref);
    if (!(object instanceof Stream) || !isName(doc.resolve(object.dict.get('Subtype')), 'Image')) continue;
    images.push(ref);
    for (const key of ['SMask', 'Mask']) {
      const mask = object.dict.get(key);
      if (mask instanceof Ref) masks.add(mask.key);
    }
  }
  let left = 0;
  for (const ref of images) if (!masks.has(ref.key) && !(await convertImage(doc, ref, jpeg))) left += 1;
  return left;
}

async function convertImage(doc: PdfDocument, ref: Ref, jpeg: JpegCoder): Promise<boolean> {
  const { dict } = doc.get(ref) as Stream;
  if (doc.boolean(dict.get('ImageMask'))) return true;
  const space = readSpace(doc, dict.get('ColorSpace'));
  const codecs = filtersOf(doc, dict)?.map((filter) => filter.name) ?? [];
  if (!space) return false;
  if (!CONVERTED.has(space.family)) return true;
  if (codecs.includes('JPXDecode')) return false;
  if (space.family === 'gray') return convertGrey(doc, ref);
  if (space.family === 'indexed') return convertPalette(doc, ref, space);
  const size = pixelSize(doc, dict);
  if (!size || size.width * size.height > MAX_PIXELS) return false;
  if (codecs.at(-1) === 'DCTDecode') return codecs.length === 1 && convertJpeg(doc, ref, jpeg);
  return convertSamples(doc, ref, space, size);
}

/** Grey is black ink counted the other way round: no pixel changes. */
function convertGrey(doc: PdfDocument, ref: Ref): boolean {
  const dict = doc.edit(ref);
  const tint = Dict.of({ FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1: [0, 0, 0, 1], N: 1 });
  dict.set('ColorSpace', [name('Separation'), name('Black'), name('DeviceCMYK'), tint]);
  const before = doc.array(dict.get('Decode'))?.map((each) => doc.number(each) ?? 0);
  dict.set('Decode', before?.length === 2 ? before.map((value) => 1 - value) : [1, 0]);
  return true;
}

function convertPalette(doc: PdfDocument, ref: Ref, space: ColourSpace): boolean {
  const most = space.range[1] ?? 0;
  const table = new Uint8Array((most + 1) * 4);
  for (let index = 0; index <= most; index += 1) {
    rgbToCmyk(space.rgb([index])).forEach((value, ink) => {
      table[index * 4 + ink] = Math.round(value * 255);
    });
  }
  doc.edit(ref).set('ColorSpace', [name('Indexed'), name('DeviceCMYK'), most, new PdfString(table)]);
  return true;
}

async function convertJpeg(doc: PdfDocument, ref: Ref, jpeg: JpegCoder): Promise<boolean> {
  const decoded = await jpeg.decode(doc.rawStreamData(ref));
  if (!decoded) return false;
  const { width, height, data } = decoded;
  const { dict } = doc.get(ref) as Stream;
  const decode = (doc.array(dict.get('Decode')) ?? []).map((each) => doc.number(each) ?? 0);
  if (decode.length >= 6) applyDecode(data, decode);
  const image = await jpeg.encode({ width, height, data: inks(data) });
  maskColours(doc, ref, data, width, height);
  doc.replaceStreamData(ref, image.data, name('DCTDecode'));
  const edited = doc.edit(ref);
  edited.set('Width', width);
  edited.set('Height', height);
  edited.set('BitsPerComponent', 8);
  edited.set('ColorSpace', name('DeviceCMYK'));
  edited.put('Decode', image.inverted ? [1, 0, 1, 0, 1, 0, 1, 0] : undefined);
  return true;
}

function applyDecode(rgb: Uint8Array, decode: readonly number[]): void {
  if (decode.every((value, index) => value === index % 2)) return;
  for (let at = 0; at < rgb.length; at += 1) {
    const low = decode[2 * (at % 3)] ?? 0;
    const high = decode[2 * (at % 3) + 1] ?? 1;
    rgb[at] = Math.min(255, Math.max(0, low * 255 + (rgb[at] as number) * (high - low)));
  }
}

/** Three bytes a pixel to four. */
function inks(rgb: Uint8Array): Uint8Array {
  const made = new Uint8Array((rgb.length / 3) * 4);
  for (let from = 0, to = 0; from + 2 < rgb.length; from += 3, to += 4) {
    const r = rgb[from] as number;
    const g = rgb[from + 1] as number;
    const b = rgb[from + 2] as number;
    const most = Math.max(r, g, b);
    made[to + 3] = 255 - most;
    if (most === 0) continue;
    const scale = 255 / most;
    made[to] = (most - r) * scale + 0.5;
    made[to + 1] = (most - g) * scale + 0.5;
    made[to + 2] = (most - b) * scale + 0.5;
  }
  return made;
}

function convertSamples(
  doc: PdfDocument,
  ref: Ref,
  space: ColourSpace,
  { width, height }: { width: number; height: number },
): boolean {
  const { bytes, decoded } = doc.streamData(ref);
  const { dict } = doc.get(ref) as Stream;
  const bits = doc.number(dict.get('BitsPerComponent')) ?? 8;
  const rgb = decoded ? rgbSamples(bytes, bits, space, width, height, decodeOf(doc, dict, space)) : undefined;
  if (!rgb) return false;
  maskColours(doc, ref, bits === 8 ? bytes : undefined, width, height);
  doc.replaceStreamData(ref, inks(rgb));
  const edited = doc.edit(ref);
  edited.set('ColorSpace', name('DeviceCMYK'));
  edited.set('BitsPerComponent', 8);
  edited.delete('Decode');
  return true;
}

function decodeOf(doc: PdfDocument, dict: Dict, space: ColourSpace): readonly number[] {
  const stated = (doc.array(dict.get('Decode')) ?? []).map((each) => doc.number(each) ?? 0);
  if (stated.length >= space.range.length) return stated;
  // An index is the sample itself.
  const most = 2 ** (doc.number(dict.get('BitsPerComponent')) ?? 8) - 1;
  return space.family === 'indexed' ? [0, most] : space.range;
}

function rgbSamples(
  bytes: Uint8Array,
  bits: number,
  space: ColourSpace,
  width: number,
  height: number,
  decode: readonly number[],
): Uint8Array | undefined {
  const isPlain = bits === 8 && space.family === 'rgb' && decode.every((value, index) => value === index % 2);
  if (isPlain) return bytes.length >= width * height * 3 ? bytes.subarray(0, width * height * 3) : undefined;
  const { components } = space;
  const rowBytes = Math.ceil((width * components * bits) / 8);
  const made = new Uint8Array(width * height * 3);
  const most = 2 ** bits - 1;
  for (let y = 0; y < height; y += 1) {
    const row = readSamples(bytes.subarray(y * rowBytes, (y + 1) * rowBytes), bits, width * components);
    if (!row) return undefined;
    for (let x = 0; x < width; x += 1) {
      const values = Array.from({ length: components }, (_, component) => {
        const low = decode[2 * component] ?? 0;
        return (
          low + ((row[components * x + component] ?? 0) / most) * ((decode[2 * component + 1] ?? 1) - low)
        );
      });
      made.set(
        space.rgb(values).map((value) => Math.round(value * 255)),
        3 * (y * width + x),
      );
    }
  }
  return made;
}

/** Colours that were clear can no longer be told by their samples: opacity of its own says the same. */
function maskColours(
  doc: PdfDocument,
  ref: Ref,
  samples: Uint8Array | undefined,
  width: number,
  height: number,
): void {
  const dict = doc.edit(ref);
  const bounds = doc.array(dict.get('Mask'))?.map((each) => doc.number(each) ?? 0);
  if (!bounds) return;
  dict.delete('Mask');
  if (!samples || bounds.length < 6 || dict.has('SMask')) return;
  const opacity = new Uint8Array(width * height);
  for (let pixel = 0; pixel < opacity.length; pixel += 1) {
    const isClear = [0, 1, 2].every((component) => {
      const value = samples[3 * pixel + component] ?? 0;
      return value >= (bounds[2 * component] ?? 0) && value <= (bounds[2 * component + 1] ?? 0);
    });
    opacity[pixel] = isClear ? 0 : 255;
  }
  const entries: Record<string, PdfValue> = {
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: width,
    Height: height,
    ColorSpace: name('DeviceGray'),
    BitsPerComponent: 8,
  };
  dict.set('SMask', doc.addStream(Dict.of(entries), opacity));
}
