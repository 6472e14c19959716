// Whether what a signature leaves out is its own Contents, by the words of the file. Without this question anybody
// could lend a signature dictionary of his own the byte range of a genuine one.
import { randomBytes } from 'node:crypto';
import type { ByteSource } from '../../contract/file-bytes.ts';
import { Dict, PdfString } from '../../pdf/objects.ts';
import type { DocumentSignature } from '../../pdf/security/signature-fields.ts';
import { parseObjectAt } from '../../pdf/syntax/object-syntax.ts';

/** How far before and behind its Contents a signature dictionary may reach. */
const MAX_DISTANCE = 256 * 1024;
/** The words that begin the object may stand in a string of it, too. */
const MAX_BEGINNINGS = 5;

/** Whether the bytes of the gap are written as Contents of the object that holds this signature. */
export function standsInGap(
  source: ByteSource,
  [from, to]: readonly [start: number, end: number],
  { holder, isDirect }: Pick<DocumentSignature, 'holder' | 'isDirect'>,
): boolean {
  if (!holder) return false;
  const before = source.read(Math.max(0, from - MAX_DISTANCE), from).toString('latin1');
  const after = source.read(to, Math.min(source.size, to + MAX_DISTANCE)).toString('latin1');
  // Nobody can have written this string elsewhere: where it is read, the gap is.
  const mark = randomBytes(16).toString('hex');
  const text = `${before}<${mark}>${after}`;
  const beginning = new RegExp(
    `(?<![0-9])${holder.number}[\\s\\0]+${holder.generation}[\\s\\0]+obj(?![A-Za-z])`,
    'g',
  );
  const places = [...before.matchAll(beginning)].slice(-MAX_BEGINNINGS);
  return places.some((place) => {
    const { value } = parseObjectAt(text, place.index + place[0].length);
    const dict = isDirect && value instanceof Dict ? value.get('V') : value;
    const contents = dict instanceof Dict ? dict.get('Contents') : undefined;
    return contents instanceof PdfString && Buffer.from(contents.bytes).toString('hex') === mark;
  });
}
