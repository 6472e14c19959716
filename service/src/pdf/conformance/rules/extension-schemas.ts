// Rules of extension schemas: how metadata describes properties of its own.
import { readExtensions } from '../xmp/extension-schemas.ts';
import type { Rule } from './rule.ts';

const ROWS: readonly [fault: string, one: number, two: string, message: string][] = [
  ['undefined-field', 1, '6.6.2.3.2-1', 'Extension schemas hold only the fields the part defines.'],
  ['container', 2, '6.6.2.3.3-1', 'Extension schemas stand in a bag under the prefix pdfaExtension.'],
  ['schema-name', 3, '6.6.2.3.3-2', 'An extension schema has a description (schema).'],
  ['schema-namespace', 4, '6.6.2.3.3-3', 'An extension schema has a namespaceURI.'],
  ['schema-prefix', 5, '6.6.2.3.3-4', 'An extension schema has a prefix.'],
  ['schema-property', 6, '6.6.2.3.3-5', 'The properties of an extension schema are a sequence.'],
  ['schema-value-type', 7, '6.6.2.3.3-6', 'The value types of an extension schema are a sequence.'],
  ['property-name', 8, '6.6.2.3.3-7', 'A property of an extension schema has a name.'],
  [
    'property-value-type',
    9,
    '6.6.2.3.3-8',
    'A property of an extension schema has a value type that is defined.',
  ],
  ['property-category', 10, '6.6.2.3.3-9', 'The category of a property is internal or external.'],
  ['property-description', 11, '6.6.2.3.3-10', 'A property of an extension schema has a description.'],
  ['type-name', 12, '6.6.2.3.3-11', 'A value type has a name (type).'],
  ['type-namespace', 13, '6.6.2.3.3-12', 'A value type has a namespaceURI.'],
  ['type-prefix', 14, '6.6.2.3.3-13', 'A value type has a prefix.'],
  ['type-description', 15, '6.6.2.3.3-14', 'A value type has a description.'],
  ['type-field', 16, '6.6.2.3.3-15', 'The fields of a value type are a sequence.'],
  ['field-name', 17, '6.6.2.3.3-16', 'A field of a value type has a name.'],
  ['field-value-type', 18, '6.6.2.3.3-17', 'A field of a value type has a value type that is defined.'],
  ['field-description', 19, '6.6.2.3.3-18', 'A field of a value type has a description.'],
];

export const EXTENSION_SCHEMA_RULES: readonly Rule[] = ROWS.map(([fault, one, two, message]) => ({
  at: { 1: `6.7.8-${one}`, 2: two },
  message,
  *find({ metadata }) {
    for (const { packet: held, where } of metadata)
      for (const found of readExtensions(held).faults)
        if (found.fault === fault) yield `${where}, ${found.where}`;
  },
}));
