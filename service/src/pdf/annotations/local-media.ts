// Media that only the machine which made the document could play. LibreOffice unpacks a sound of a presentation into
// its own profile and leaves a Screen annotation with that path: it plays nowhere, and tells where it was made.
import type { PdfDocument } from '../document.ts';
import { Dict, isName, PdfString, type PdfValue } from '../objects.ts';
import { removeAnnotations } from './annotation-removal.ts';

/** Removes Screen annotations whose media clip is a file of the local machine; tells whether there was one. */
export function removeLocalMedia(doc: PdfDocument): boolean {
  let found = false;
  removeAnnotations(doc, (annotation) => {
    const isLocal =
      isName(doc.resolve(annotation.get('Subtype')), 'Screen') && playsLocalFile(doc, annotation.get('A'));
    found ||= isLocal;
    return isLocal;
  });
  return found;
}

/** ISO 32000-1, 12.6.4.13: a rendition action, its rendition, the media clip's data, the file specification. */
function playsLocalFile(doc: PdfDocument, action: PdfValue | undefined): boolean {
  let at = action;
  for (const key of ['R', 'C', 'D']) at = doc.dict(at)?.get(key);
  const data = doc.resolve(at);
  const path = data instanceof Dict ? doc.resolve(data.get('F')) : data;
  return path instanceof PdfString && /^file:/i.test(Buffer.from(path.bytes).toString('latin1'));
}
