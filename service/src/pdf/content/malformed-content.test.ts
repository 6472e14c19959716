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
import { IDENTITY } from '../geometry/matrix.ts';
import { drawnImages, drawsImage } from '../images/drawn-images.ts';
import { removeImages } from '../images/image-removal.ts';
import { Dict, PdfString, type Ref } from '../objects.ts';
import { ContentCropper } from '../pages/content-cropping.ts';
import { invisibleText } from '../pdfa-conversion/invisible-text.ts';
import { convertColours, INKS } from '../recolouring/colour-conversion.ts';
import { repaintDocument } from '../recolouring/two-colours-document.ts';
import { ContentWork } from '../redaction/content-work.ts';
import { quadThrough } from '../redaction/quads.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { contentParts, joinContent } from './page-content.ts';

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
    redaction: (doc, page, { texts }) => {
      const { glyphs } = new ContentWork(doc).listPage(page);
      const [first] = glyphs;
      return [
        [
          glyphs.map(({ text }) => text).join(''),
          first && [rounded(first.origin.x), rounded(first.origin.y)],
        ],
        [texts.map(([text]) => text).join(''), texts[0]?.slice(1)],
      ];
    },
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
      joinContent(doc, contentParts(doc, page)),
      resources,
      WHOLE_PAGE,
    );
    doc.edit(page).set('Contents', doc.addStream(new Dict(), cropped.content));
    doc.edit(page).set('Resources', cropped.resources);
  },
  redaction(doc, page) {
    const far = quadThrough(IDENTITY, { left: 1900, bottom: 1900, right: 1901, top: 1901 });
    new ContentWork(doc).cutPage(page, { isGone: () => false, isSpanGone: () => false, quads: [far] });
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

/** Strings that no reader shows, or only one that guesses: whoever opens the file reads them all the same. */
const BESIDE = [
  '(SECRET) 5 Tj',
  '(SECRET) TJ',
  '[(SECRET)] Tj',
  '(SECRET) (a) Tj',
  "(SECRET) (a) '",
  '(SECRET) q Q',
  '(SECRET) 1 w',
  '(SECRET) 0 0 5 5 re f',
  '(SECRET) BT ET',
  '(SECRET) ET',
  '(SECRET) foo',
  '[[(SECRET)]] foo',
  '(SECRET) /P BMC EMC',
  '(SECRET) /Span <</MCID 0>> BDC EMC',
  '(SECRET) /Span <</ActualText (a)>> BDC EMC',
  '(SECRET) /P MP',
  '(SECRET) /GS gs',
  '(SECRET) /Im Do',
  '(SECRET) 1 cm',
  '(SECRET) EMC',
  '(b) Tj (SECRET)',
  '(b) Tj [(a) (SECRET)',
];

for (const beside of BESIDE)
  test(`redaction finds and removes what an operation holds besides its operands: ${beside}`, () =>
    withDocument(
      onePage({
        ...MALFORMED_PAGE,
        content: `BT /F 10 Tf 9 9 Td ${beside.startsWith('(b)') ? beside : `${beside} (b) Tj`}`,
      }),
      (doc) => {
        const page = doc.pages()[0] as Ref;
        const work = new ContentWork(doc);
        const { glyphs, texts, spans } = work.listPage(page);
        const said = [...texts, ...spans.map(({ text }) => text), glyphs.map(({ text }) => text).join('')];
        assert.ok(
          said.some((text) => text.includes('SECRET')),
          said.join(),
        );
        const isSecret = (text: string): boolean => text.includes('SECRET');
        const plan = { isGone: () => false, isSpanGone: () => false, isSecret, quads: [] };
        work.cutPage(page, { ...plan, isSecretName: isSecret });
        const left = Buffer.from(joinContent(doc, contentParts(doc, page))).toString('latin1');
        assert.doesNotMatch(left, /SECRET/);
        assert.equal(elements(doc).texts.at(-1)?.[0], 'b', left);
      },
    ));
