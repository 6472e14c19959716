// The fields of a form as labels and values.
import type { DocumentData } from '../../contract/document-data.ts';
import type { PdfDocument } from '../document.ts';
import { listPlacedFields } from './form-listing.ts';

const MAX_VALUE = 10_000;

/** Fields that hold something, each once, where it is first seen. Buttons that are off hold nothing. */
export function fieldPairs(doc: PdfDocument): DocumentData['pairs'] {
  return listPlacedFields(doc).flatMap(({ name, label, tooltip, value, type, widgets }) => {
    const on = widgets.find(({ exportValue }) => exportValue !== undefined && exportValue === value);
    const [first] = on ? [on] : widgets;
    if (!first || !value || value === 'Off' || type === 'signature') return [];
    const { pageIndex, x, y, width, height } = first;
    return [
      {
        key: (tooltip?.trim() || label).slice(0, MAX_VALUE),
        value: value.slice(0, MAX_VALUE),
        page: pageIndex + 1,
        box: { x, y, width, height },
        confidence: 1,
        source: 'field' as const,
        field: name,
      },
    ];
  });
}
