// Rules of filters: those of streams, and those of inline images.
import { Stream } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';

export const FILTER_RULES: readonly Rule[] = [
  {
    at: { 1: '6.1.10-1' },
    message: 'The filter LZWDecode is not used.',
    *find(subject) {
      for (const { filter, where } of filters(subject)) if (filter === 'LZWDecode') yield where;
    },
  },
  {
    at: { 1: '6.1.10-2' },
    message: 'Inline images do not use the filter LZWDecode.',
    *find({ drawn }) {
      for (const { filter, where } of drawn.inlineFilters)
        if (filter === 'LZWDecode' || filter === 'LZW') yield where;
    },
  },
  {
    at: { 2: '6.1.7.2-1', 4: '6.1.6.2-1' },
    message: 'Only filters of the standard are used, and not LZWDecode.',
    *find(subject) {
      for (const { filter, isIdentity, where } of filters(subject))
        if (!FILTERS.has(filter) && !(filter === 'Crypt' && isIdentity)) yield where;
    },
  },
  {
    at: { 2: '6.1.10-1', 4: '6.1.9-1' },
    message: 'Inline images use only filters of the standard, and not LZWDecode.',
    *find({ drawn }) {
      for (const { filter, where } of drawn.inlineFilters) if (!INLINE_FILTERS.has(filter)) yield where;
    },
  },
];

const FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
]);
const INLINE_FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'DCTDecode',
  'AHx',
  'A85',
  'Fl',
  'RL',
  'CCF',
  'DCT',
]);

function* filters({
  doc,
  objects,
}: Subject): Iterable<{ filter: string; isIdentity: boolean; where: string }> {
  for (const { object, where } of objects) {
    if (!(object instanceof Stream)) continue;
    const held = object.dict.get('Filter');
    const parms = object.dict.get('DecodeParms');
    for (const [index, each] of (doc.array(held) ?? [held ?? null]).entries()) {
      const filter = doc.name(each);
      const own = doc.dict(doc.array(parms)?.[index] ?? parms);
      if (filter !== undefined)
        yield { filter, isIdentity: isIdentityCrypt(doc.name(own?.get('Name'))), where };
    }
  }
}

/** "Identity is the default". */
const isIdentityCrypt = (name: string | undefined): boolean => name === undefined || name === 'Identity';
