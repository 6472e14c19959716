// Write protection of forms: flags of fields, locks of signatures, access in XFA.
import type { PdfDocument } from '../document.ts';
import { type PdfValue, Ref, Stream } from '../objects.ts';
import { FLAG } from './form-fields.ts';
import { editForm, repairForm } from './form-repair.ts';
import { everyField, formOf, readFormTree } from './form-tree.ts';

/** Annotation flags (table 165): ReadOnly and LockedContents. */
const PROTECTED = 64 | 512;

/** Lifts the protection of every field. False: there is no form. */
export function unlockForm(doc: PdfDocument): boolean {
  repairForm(doc);
  const form = formOf(doc);
  const tree = readFormTree(doc);
  const xfa = form?.get('XFA');
  if (!form || (tree.length === 0 && doc.resolve(xfa) === null)) return false;
  for (const field of everyField(tree))
    for (const ref of [field.ref, ...field.widgets]) unlockField(doc, ref);
  for (const packet of xfaPackets(doc, xfa)) unlockPacket(doc, packet);
  editForm(doc).set('NeedAppearances', true);
  return true;
}

function unlockField(doc: PdfDocument, ref: Ref): void {
  const dict = doc.dict(ref);
  const flags = doc.number(dict?.get('Ff')) ?? 0;
  const annotation = doc.number(dict?.get('F')) ?? 0;
  if (flags & FLAG.readOnly) doc.edit(ref).set('Ff', flags & ~FLAG.readOnly);
  if (annotation & PROTECTED) doc.edit(ref).set('F', annotation & ~PROTECTED);
  if (dict?.has('Lock')) doc.edit(ref).delete('Lock');
}

/** One stream, or names and streams in turn. */
function xfaPackets(doc: PdfDocument, xfa: PdfValue | undefined): Ref[] {
  const values = doc.array(xfa) ?? [xfa ?? null];
  return values
    .slice(0, 1000)
    .filter((value): value is Ref => value instanceof Ref && doc.resolve(value) instanceof Stream);
}

/** Tags only: what stands between them is content. A tag holds no `>` but in quotes. */
const TAG = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/g;
const ACCESS = /(\s)access\s*=\s*(["'])(?:readOnly|protected)\2/g;
const READ_ONLY = /(\s)readOnly\s*=\s*(["'])(?:1|true)\2/g;

function unlockPacket(doc: PdfDocument, packet: Ref): void {
  const { bytes, decoded } = doc.streamData(packet);
  if (!decoded) return;
  // One character per byte: what is not changed stays as it is, in any encoding of these words.
  const before = Buffer.from(bytes).toString('latin1');
  if (!/readOnly|protected/.test(before)) return;
  const after = before.replace(TAG, (tag) =>
    tag.replace(ACCESS, '$1access=$2open$2').replace(READ_ONLY, '$1readOnly=$20$2'),
  );
  if (after !== before) doc.replaceStreamData(packet, Buffer.from(after, 'latin1'));
}
