// Annotations that hold text a reader sees: fields, typed notes, stamps.
import type { FileSurvey } from '../file-survey.ts';
import type { Library, Pointer } from '../library.ts';

/** FPDFAnnot_GetSubtype. */
const FREE_TEXT = 3;
const STAMP = 13;
const WIDGET = 20;

const MAX_LOOKED_AT = 2_000;

/** The survey of the file may spare looking at the links of a page one by one. */
export function hasTextAnnotation(
  library: Library,
  page: Pointer,
  survey?: () => FileSurvey | undefined,
): boolean {
  const { native } = library;
  const count = Math.min(MAX_LOOKED_AT, native.FPDFPage_GetAnnotCount(page));
  if (count > 0 && survey?.()?.hasWritten === false) return false;
  for (let i = 0; i < count; i += 1) {
    const annotation = native.FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const subtype = native.FPDFAnnot_GetSubtype(annotation);
    native.FPDFPage_CloseAnnot(annotation);
    if (subtype === FREE_TEXT || subtype === STAMP || subtype === WIDGET) return true;
  }
  return false;
}
