// Extension schemas for properties no schema of XMP knows (part 1, 6.7.8; part 2, 6.6.2.3.3).
import { lookup } from '../../contract/lookup.ts';
import type { RdfNode } from '../conformance/xmp/rdf.ts';
import { EXTENSION } from '../conformance/xmp/xmp-schemas.ts';
import { array, simple, structItem } from './rdf-writer.ts';

const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#';

/** Descriptions of schemas many documents use. */
const KNOWN: Readonly<Record<string, string>> = lookup({
  'http://www.aiim.org/pdfua/ns/id/': 'PDF/UA identification schema',
  'http://ns.adobe.com/pdfx/1.3/': 'Document information of other programs',
});

/** The type of a value as it stands; undefined for structures, which would need a type of their own. */
export function typeOf(node: RdfNode): string | undefined {
  if (node.kind === 'simple') return 'Text';
  if (node.kind === 'struct' || !node.items.every(({ kind }) => kind === 'simple')) return undefined;
  if (node.kind === 'Alt' && node.items.every(({ lang }) => lang !== undefined)) return 'Lang Alt';
  return `${node.kind.toLowerCase()} Text`;
}

export function extensionSchemas(unknown: readonly RdfNode[]): RdfNode[] {
  const namespaces = [...new Set(unknown.map(({ namespace }) => namespace))];
  if (namespaces.length === 0) return [];
  const schemas = namespaces.map((namespace) => {
    const own = unknown.filter((node) => node.namespace === namespace);
    return structItem([
      simple(
        SCHEMA,
        'pdfaSchema',
        'schema',
        KNOWN[namespace] ?? `Schema of ${own[0]?.prefix ?? 'other programs'}`,
      ),
      simple(SCHEMA, 'pdfaSchema', 'namespaceURI', namespace),
      simple(SCHEMA, 'pdfaSchema', 'prefix', own[0]?.prefix ?? 'ns'),
      array(SCHEMA, 'pdfaSchema', 'property', 'Seq', own.map(propertyOf)),
    ]);
  });
  return [array(EXTENSION, 'pdfaExtension', 'schemas', 'Bag', schemas)];
}

const propertyOf = (node: RdfNode): RdfNode =>
  structItem([
    simple(PROPERTY, 'pdfaProperty', 'name', node.local),
    simple(
      PROPERTY,
      'pdfaProperty',
      'valueType',
      node.namespace.includes('pdfua') ? 'Integer' : (typeOf(node) ?? 'Text'),
    ),
    simple(PROPERTY, 'pdfaProperty', 'category', 'external'),
    simple(PROPERTY, 'pdfaProperty', 'description', node.local),
  ]);
