// What the JSON for an editor holds, as callers are told.
import { z } from 'zod';

const maybe = <T extends z.ZodType>(schema: T) => schema.optional();
const numbers = z.array(z.number());
const raw = z.record(z.string(), z.unknown());
const base64 = (what: string) => z.string().describe(`${what}, base64`);
const colour = z.object({ colorSpace: z.string(), components: numbers });

const FONT = z.object({
  id: z.string().describe('The name text elements of this page use'),
  pageNumber: z.int(),
  uid: z.string().describe('`<pageNumber>:<id>`'),
  baseName: z.string(),
  subtype: z.string(),
  encoding: maybe(z.string()),
  cidSystemInfo: maybe(z.object({ registry: z.string(), ordering: z.string(), supplement: z.number() })),
  embedded: z.boolean(),
  program: maybe(base64('The font program')),
  programFormat: maybe(z.string().describe('ttf, otf, cff or type1')),
  toUnicode: maybe(base64('The ToUnicode map')),
  standard14Name: maybe(z.string()),
  fontDescriptorFlags: maybe(z.number()),
  ascent: maybe(z.number()),
  descent: maybe(z.number()),
  capHeight: maybe(z.number()),
  xHeight: maybe(z.number()),
  italicAngle: maybe(z.number()),
  unitsPerEm: maybe(z.number()),
  type3Glyphs: maybe(z.array(z.object({ charCode: z.number(), glyphName: z.string() }))),
  cosDictionary: maybe(raw),
});

const TEXT = z.object({
  text: z.string(),
  fontId: z.string(),
  fontSize: z.number().describe('As set in the content'),
  fontMatrixSize: z.number().describe('As it stands on the page'),
  fontSizeInPt: z.number(),
  characterSpacing: z.number(),
  wordSpacing: z.number(),
  spaceWidth: maybe(z.number()),
  zOrder: z.int(),
  horizontalScaling: z.number().describe('In percent'),
  leading: z.number(),
  rise: z.number(),
  x: z.number().describe('Of the first glyph, on its line'),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  textMatrix: numbers.describe('From text space to the page, the size not in it'),
  fillColor: colour,
  strokeColor: colour,
  renderingMode: z.number(),
  fallbackUsed: maybe(z.boolean().describe('Some code has no known character')),
  charCodes: numbers,
});

const IMAGE = z.object({
  id: z.string(),
  objectName: maybe(z.string()),
  inlineImage: z.boolean(),
  nativeWidth: z.int(),
  nativeHeight: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  left: z.number(),
  right: z.number(),
  top: z.number(),
  bottom: z.number(),
  transform: numbers,
  zOrder: z.int(),
  imageData: maybe(base64('The image')),
  imageFormat: maybe(z.string()),
});

const ANNOTATION = z.object({
  subtype: z.string(),
  contents: maybe(z.string()),
  rect: numbers,
  appearanceState: maybe(z.string()),
  color: maybe(numbers),
  flags: maybe(z.number()),
  destination: maybe(z.string().describe('An address, or `page <number>`')),
  iconName: maybe(z.string()),
  subject: maybe(z.string()),
  author: maybe(z.string()),
  creationDate: maybe(z.string()),
  modificationDate: maybe(z.string()),
  rawData: maybe(raw),
});

const FIELD = z.object({
  name: z.string(),
  partialName: z.string(),
  fieldType: z.string().describe('Tx, Btn, Ch or Sig'),
  value: maybe(z.string()),
  defaultValue: maybe(z.string()),
  flags: z.number(),
  alternateFieldName: maybe(z.string()),
  mappingName: maybe(z.string()),
  pageNumber: maybe(z.int()),
  rect: maybe(numbers),
  options: maybe(z.array(z.string())),
  selectedIndices: maybe(numbers),
  checked: maybe(z.boolean()),
  fontName: maybe(z.string()),
  fontSize: maybe(z.number()),
  rawData: maybe(raw),
});

export const EDITOR_SCHEMA = z.object({
  metadata: z.object({
    title: maybe(z.string()),
    author: maybe(z.string()),
    subject: maybe(z.string()),
    keywords: maybe(z.string()),
    creator: maybe(z.string()),
    producer: maybe(z.string()),
    creationDate: maybe(z.string()),
    modificationDate: maybe(z.string()),
    trapped: maybe(z.string()),
    numberOfPages: z.int(),
  }),
  xmpMetadata: maybe(base64('The XMP packet')),
  lazyImages: z.boolean(),
  fonts: z.array(FONT),
  pages: z.array(
    z.object({
      pageNumber: z.int(),
      width: z.number(),
      height: z.number(),
      rotation: z.int(),
      textElements: z.array(TEXT),
      imageElements: z.array(IMAGE),
      annotations: z.array(ANNOTATION),
      resources: maybe(raw),
      contentStreams: maybe(z.array(z.object({ dictionary: raw, rawData: base64('The stream as stored') }))),
    }),
  ),
  formFields: z.array(FIELD).describe('One for each widget of a field'),
});
