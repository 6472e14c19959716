// Whether a graphics state lets things show through.
import type { PdfDocument } from '../../document.ts';
import { Dict, Name } from '../../objects.ts';

export function isTransparentState(doc: PdfDocument, dict: Dict): boolean {
  const mask = doc.resolve(dict.get('SMask'));
  if (mask instanceof Dict) return true;
  const blend = doc.resolve(dict.get('BM'));
  const mode = blend instanceof Name ? blend.value : doc.name(Array.isArray(blend) ? blend[0] : undefined);
  if (mode !== undefined && mode !== 'Normal' && mode !== 'Compatible') return true;
  return ['CA', 'ca'].some((key) => (doc.number(dict.get(key)) ?? 1) < 1);
}
