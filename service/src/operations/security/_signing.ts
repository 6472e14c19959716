// What security/cert-sign needs before it signs: a file that can be appended to, and the look of the box.
import { readFileSync } from 'node:fs';
import type { Content, InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { isoDate, momentOf } from '../../pdf/metadata/pdf-dates.ts';
import { BOX_MARGIN, SIGNATURE_BOX } from '../../pdf/security/signature-adding.ts';
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
  const bytes = () => ('bytes' in content ? content.bytes : readFileSync(content.path));
  return { doc: engine.qpdf.open({ ...file, content, bytes, head: bytes }), content };
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

const LARGEST_SIZE = 9;
const LEAST_SIZE = 2;

/** As large as fits into the box. */
export function layOutBox(text: Engines['text'], { name, date, reason, location }: BoxWords): LaidOutText {
  const words = [
    `Signed by ${name}`,
    isoDate(momentOf(date)).replace('T', ' ').replace('Z', ' UTC'),
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...(location === undefined ? [] : [`Location: ${location}`]),
  ].map((line) => line.replace(/\s+/g, ' '));
  const room = { width: SIGNATURE_BOX.right - 2 * BOX_MARGIN, height: SIGNATURE_BOX.top - 2 * BOX_MARGIN };
  for (let size = LARGEST_SIZE; ; size -= 0.5) {
    const laidOut = text.layout(words.join('\n'), {
      size,
      maxWidth: room.width,
      field: 'name, reason or location',
    });
    if (laidOut.height <= room.height || size <= LEAST_SIZE) return laidOut;
  }
}
