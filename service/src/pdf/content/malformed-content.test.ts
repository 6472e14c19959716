// Whoever looks at content sees the same of it, and whoever rewrites it changes nothing about that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MALFORMED_CONTENTS,
  MALFORMED_PAGE,
  type MalformedContent,
} from '../../../testing/documents/malformed-content.ts';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { imagePlaces } from '../compression/image-places.ts';
import { Drawing } from '../conformance/content/content-walker.ts';
import type { PdfDocument } from '../document.ts';
import { pageElements } from '../editing/page-elements.ts';
import { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { drawnImages, drawsImage } from '../images/drawn-images.ts';
import { removeImages } from '../images/image-removal.ts';
import { Dict, PdfString, type Ref } from '../objects.ts';
import { ContentCropper } from '../pages/content-cropping.ts';
import { invisibleText } from '../pdfa-conversion/invisible-text.ts';
import { convertColours, INKS } from '../recolouring/colour-conversion.ts';
import { repaintDocument } from '../recolouring/two-colours-document.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { contentParts, joinedContent } from './page-content.ts';

type Seen = Pick<MalformedContent, 'texts' | 'images'>;

const rounded = (value: number): number => Math.round(value * 100) / 100;

function elements(doc: PdfDocument): Seen {
  const { texts, images } = pageElements(doc, doc.pages()[0] as Ref, new GlyphFonts(doc));
  return {
    texts: texts.map(({ text, matrix }) => [text, rounded(matrix[4]), rounded(matrix[5])]),
    images: images.map(({ matrix }) => [rounded(matrix[4]), rounded(matrix[5]), rounded(matrix[0])]),
  };
}

const joinedText = ({ texts }: Seen): string => texts.map(([text]) => text).join('');

/** What each observer sees, and what it must see. */
const OBSERVERS: Record<string, (doc: PdfDocument, page: Ref, row: MalformedContent) => [unknown, unknown]> =
  {
    'the editor': (doc, _, { texts, images }) => [elements(doc), { texts, images }],
    'the list of images': (doc, _, { images }) => [drawnImages(doc).length, images.length],
    'the question for an image': (doc, _, { images }) => [drawsImage(doc, 0), images.length > 0],
    compression: (doc, _, { images, isInline }) => [
      [...imagePlaces(doc).values()].map(({ width }) => width),
      isInline ? [] : images.map(([, , width]) => width),
    ],
    'invisible text': (doc, page, seen) => [
      shownStrings(invisibleText(doc, page)?.content),
      joinedText(seen),
    ],
    conformance: (doc, _, { texts, images, lacksFont }) => {
      const drawn = new Drawing(doc).all();
      const strings = [...drawn.fonts.values()].flatMap(({ visible }) => [...visible]);
      return [
        [strings.join(''), drawn.images.size],
        [lacksFont ? '' : joinedText({ texts, images }), images.length],
      ];
    },
  };

const WHOLE_PAGE = { left: -2000, bottom: -2000, right: 2000, top: 2000 };

/** What rewrites content and leaves all that is drawn where it was. */
const REWRITERS: Record<string, (doc: PdfDocument, page: Ref) => void> = {
  cropping(doc, page) {
    const resources = doc.dict(doc.inherited(doc.dict(page) ?? new Dict(), 'Resources')) ?? new Dict();
    const cropped = new ContentCropper(doc).crop(
      joinedContent(doc, contentParts(doc, page)),
      resources,
      WHOLE_PAGE,
    );
    doc.edit(page).set('Contents', doc.addStream(new Dict(), cropped.content));
    doc.edit(page).set('Resources', cropped.resources);
  },
  'colours as inks': (doc) => convertColours(doc, INKS),
  'two colours': (doc) => repaintDocument(doc, { text: [0, 0, 0], background: [1, 1, 1] }),
};

function shownStrings(content: Uint8Array | undefined): string {
  const reader = new ContentReader(content ?? new Uint8Array());
  let said = '';
  for (let operation = reader.next(); operation; operation = reader.next())
    for (const value of operation.operands.flat())
      if (value instanceof PdfString) said += Buffer.from(value.bytes).toString('latin1');
  return said;
}

for (const row of MALFORMED_CONTENTS) {
  const { what, content, texts, images } = row;
  const bytes = onePage({ ...MALFORMED_PAGE, content });
  for (const [who, look] of Object.entries(OBSERVERS))
    test(`${what}: ${who}`, () =>
      withDocument(bytes, (doc) => {
        const [seen, wanted] = look(doc, doc.pages()[0] as Ref, row);
        assert.deepEqual(seen, wanted);
      }));
  for (const [who, rewrite] of Object.entries(REWRITERS))
    test(`${what}: after ${who}`, () =>
      withDocument(bytes, (doc) => {
        rewrite(doc, doc.pages()[0] as Ref);
        assert.deepEqual(elements(doc), { texts, images });
      }));
  test(`${what}: without images`, () =>
    withDocument(bytes, (doc) => {
      removeImages(doc);
      assert.deepEqual(elements(doc), { texts, images: [] });
    }));
}
