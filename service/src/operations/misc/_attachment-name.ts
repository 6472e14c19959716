// The field that names one of the attached files, and the files it names.
import { invalidParameter } from '../../contract/problems.ts';
import { type Attachment, attachmentsOf } from '../../pdf/attachments/attachments.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { text } from '../fields.ts';

export const attachmentName = text('Name of the attachment, as list-attachments tells it', {
  required: true,
  max: 1000,
});

/** "unknown: 400 naming it" (operations 7). */
export function attachmentsNamed(doc: PdfDocument, name: string): Attachment[] {
  const found = attachmentsOf(doc).filter(({ filename }) => filename === name);
  if (found.length > 0) return found;
  throw invalidParameter(`attachmentName: no attachment is called ${JSON.stringify(name)}.`);
}
