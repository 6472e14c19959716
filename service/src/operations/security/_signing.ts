import type { Content, InputFile } from '../../contract/files.ts';
import type { Size } from '../../contract/raster.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { isoDate, momentOf } from '../../pdf/metadata/pdf-dates.ts';
import type { LaidOutText } from '../../pdf/text/drawn-text-shapes.ts';

interface Appendable {
  doc: PdfDocument;
  content: Content;
}

/** The file itself, or what it becomes when its damage is mended: a broken file cannot be appended to. */
export function appendable(engine: Pick<Engines, 'qpdf' | 'signatures'>, file: InputFile): Appendable {
  const doc = engine.qpdf.open(file);
  const isSound = !doc.wasRebuilt && !hasInventedPages(doc) && engine.signatures.canAppend(file.content);
  if (isSound) return { doc, content: file.content };
  const content = doc.save({ keepModificationDate: true, keepEncryption: true });
  return { doc: engine.qpdf.open(file.with(content)), content };
}

/** Pages that stand twice in the tree, or are no objects of their own, exist only in memory. */
function hasInventedPages(doc: PdfDocument): boolean {
  const size = doc.number(doc.trailer.get('Size')) ?? 0;
  return doc.pages().some(({ number }) => number >= size);
}

interface BoxWords {
  name: string;
  date: Date;
  reason: string | undefined;
  location: string | undefined;
}

/** What a box says where the caller does not. */
export const usualWords = ({ name, date, reason, location }: BoxWords): string =>
  [
    `Signed by ${name}`,
    isoDate(momentOf(date)).replace('T', ' ').replace('Z', ' UTC'),
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...(location === undefined ? [] : [`Location: ${location}`]),
  ]
    .map((line) => line.replace(/\s+/g, ' '))
    .join('\n');

const USUAL_SIZE = 9;
const LARGEST_SIZE = 36;
const LEAST_SIZE = 2;
/** Large boxes are filled by about so many lines. */
const LINES = 5;

/** As large as fits into the room. */
export function layOutBox(text: Engines['text'], words: string, room: Size): LaidOutText {
  const largest = Math.max(USUAL_SIZE, Math.min(LARGEST_SIZE, Math.floor(room.height / LINES)));
  for (let size = largest; ; size -= 0.5) {
    const laidOut = text.layout(words, {
      size,
      maxWidth: room.width,
      field: 'signatureText, name, reason or location',
    });
    if (laidOut.height <= room.height || size <= LEAST_SIZE) return laidOut;
  }
}
