// Where a signature goes and what it shows there (security/cert-sign).
import type { InputFile } from '../../contract/files.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { type Box, heightOf, intersection, widthOf } from '../../pdf/geometry/boxes.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { imageForm } from '../../pdf/images/image-xobjects.ts';
import { type EmptyField, emptyField } from '../../pdf/security/empty-field.ts';
import type { NewField } from '../../pdf/security/signature-adding.ts';
import { certificationOf, forbidsChanges, readSignatures } from '../../pdf/security/signature-fields.ts';
import { partsOfBox, type SignatureLook } from '../../pdf/security/signature-look.ts';
import { layOutBox, usualWords } from './_signing.ts';

interface Place {
  fieldName?: string | undefined;
  showSignature: boolean;
  pageNumber: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

type Field = EmptyField | NewField;

/** An empty field of that name, or where a new one is to be. */
export function fieldToSign(doc: PdfDocument, place: Place): Field {
  const { fieldName, showSignature, pageNumber } = place;
  const found = fieldName === undefined ? undefined : emptyField(doc, fieldName);
  if (found === 'signed') throw refusal('fieldName is signed already.');
  if (found === 'other') throw refusal('fieldName is no signature field.');
  if (found) {
    if (showSignature && (found.size.width < 1 || found.size.height < 1))
      throw refusal('showSignature: the field that fieldName names has no place on a page.');
    return found;
  }
  // A period parts the names of fields below each other (ISO 32000-2, 12.7.4.2).
  if (fieldName?.includes('.'))
    throw refusal('fieldName is that of no field, and a new one must not have a period in its name.');
  const page = doc.pages()[showSignature ? pageNumber - 1 : 0];
  if (!page)
    throw new Problem(
      'page_out_of_range',
      `pageNumber ${pageNumber}: the document has ${doc.pageCount} pages.`,
    );
  return { page, name: fieldName, box: showSignature ? boxOn(doc, page, place) : undefined };
}

function boxOn(doc: PdfDocument, page: NewField['page'], { x, y, width, height }: Place): Box {
  const box = { left: x, bottom: y, right: x + width, top: y + height };
  const shown = displayedPage(doc, page);
  if (!intersection(box, { left: 0, bottom: 0, right: shown.width, top: shown.height }))
    throw refusal('x and y put the box outside of the page.');
  return box;
}

/** Earlier signers decide whether there may be another signature, and where. */
export function checkSignable(
  doc: PdfDocument,
  field: Field,
  { certificationLevel, showSignature }: { certificationLevel?: number | undefined; showSignature: boolean },
): void {
  if (forbidsChanges(doc)) throw refusal('fileInput is certified, and its certification forbids changes.');
  if (certificationLevel !== undefined && readSignatures(doc).length > 0)
    throw refusal(
      'certificationLevel: fileInput is signed already; only the first signature of a document can certify it.',
    );
  if (showSignature && !('ref' in field) && certificationOf(doc) === 2)
    throw refusal(
      'showSignature: the certification of fileInput permits no new box on a page; name an empty field in fieldName, or sign without a box.',
    );
}

interface Shown {
  image: InputFile | undefined;
  /** What the caller wants to have there. */
  text: string | undefined;
  words: Parameters<typeof usualWords>[0];
}

export async function lookOf(
  engine: Pick<Engines, 'text' | 'sharp'>,
  doc: PdfDocument,
  field: Field,
  { image, text, words }: Shown,
): Promise<SignatureLook> {
  const size = 'ref' in field ? field.size : sizeOf(field.box);
  const picture = image && imageForm(doc, await engine.sharp.read(image, { field: 'signatureImage' }));
  const lines = (text ?? usualWords(words)).replaceAll('\\n', '\n');
  const hasText = lines.trim() !== '';
  const room = partsOfBox(size, picture, hasText).text;
  return { image: picture, text: hasText ? layOutBox(engine.text, lines, room) : undefined };
}

const sizeOf = (box: Box | undefined) => ({
  width: box ? widthOf(box) : 0,
  height: box ? heightOf(box) : 0,
});

const refusal = (detail: string): Problem => invalidParameter(detail);
