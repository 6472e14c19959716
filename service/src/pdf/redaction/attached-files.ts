// Files that a document carries. What is attached is what a file specification says: some programs write /EmbeddedFile
// into other streams too, as in the packets of a form's XML.
import type { PdfDocument } from '../document.ts';
import { formOf } from '../forms/form-tree.ts';
import { momentOf, pdfDate } from '../metadata/pdf-dates.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, PdfString, Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';

export interface AttachedFile {
  data: Ref;
  /** As the file specification says; may be empty. */
  name: string;
}

/** Each stream once, wherever it is named: attachments, media, what belongs to parts of the document. */
export function attachedFiles(doc: PdfDocument, refs: readonly Ref[]): AttachedFile[] {
  const found = new Map<string, AttachedFile>();
  changeDicts(doc, refs, (dict) => {
    for (const key of ['EF', 'RF'])
      for (const file of doc.dict(dict.get(key))?.values() ?? [])
        for (const data of doc.array(file) ?? [file])
          if (data instanceof Ref && !found.has(data.key))
            found.set(data.key, { data, name: nameIn(doc, dict) });
    return false;
  });
  const packets = formOf(doc)?.get('XFA');
  for (const packet of doc.array(packets) ?? [packets]) if (packet instanceof Ref) found.delete(packet.key);
  return [...found.values()];
}

function nameIn(doc: PdfDocument, spec: Dict): string {
  for (const key of ['UF', 'F', 'Unix', 'DOS', 'Mac']) {
    const text = doc.text(spec.get(key));
    if (text) return text;
  }
  return '';
}

/** Size and checksum of what was there before would tell of it. */
export function replaceAttached(
  doc: PdfDocument,
  data: Ref,
  bytes: Uint8Array,
  md5: Uint8Array,
  now: Date,
): void {
  doc.replaceStreamData(data, bytes, null, null);
  const stream = doc.edit(data);
  const held = stream.get('Params');
  const params = new Dict(doc.dict(held) ?? []);
  params.set('Size', bytes.length);
  params.set('CheckSum', new PdfString(md5));
  params.set('ModDate', textString(pdfDate(momentOf(now))));
  stream.set('Params', params);
}
