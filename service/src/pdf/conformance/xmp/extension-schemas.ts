// Extension schemas: properties and types a document describes itself (part 1, 6.7.8; part 2, 6.6.2.3.3).
import type { RdfNode, RdfPacket } from './rdf.ts';
import { EXTENSION } from './xmp-schemas.ts';
import { isKnownType, plainType, type StructureType } from './xmp-types.ts';

export interface ExtensionFault {
  /** What is wrong, by the name the table of rules has for it. */
  fault: string;
  where: string;
}

export interface Extensions {
  /** Namespaces to their properties and types. */
  properties: Map<string, Map<string, string>>;
  types: Map<string, StructureType>;
  faults: ExtensionFault[];
}

interface Shape {
  prefix: string;
  namespace: string;
  /** Field, and the fault it is when it is not as asked. */
  texts: Readonly<Record<string, string>>;
  lists: Readonly<Record<string, string>>;
}

const SHAPES = {
  schema: {
    prefix: 'pdfaSchema',
    namespace: 'http://www.aiim.org/pdfa/ns/schema#',
    texts: { schema: 'schema-name', namespaceURI: 'schema-namespace', prefix: 'schema-prefix' },
    lists: { property: 'schema-property', valueType: 'schema-value-type' },
  },
  property: {
    prefix: 'pdfaProperty',
    namespace: 'http://www.aiim.org/pdfa/ns/property#',
    texts: {
      name: 'property-name',
      valueType: 'property-value-type',
      category: 'property-category',
      description: 'property-description',
    },
    lists: {},
  },
  type: {
    prefix: 'pdfaType',
    namespace: 'http://www.aiim.org/pdfa/ns/type#',
    texts: {
      type: 'type-name',
      namespaceURI: 'type-namespace',
      prefix: 'type-prefix',
      description: 'type-description',
    },
    lists: { field: 'type-field' },
  },
  field: {
    prefix: 'pdfaField',
    namespace: 'http://www.aiim.org/pdfa/ns/field#',
    texts: { name: 'field-name', valueType: 'field-value-type', description: 'field-description' },
    lists: {},
  },
} as const satisfies Record<string, Shape>;

export function readExtensions(packet: RdfPacket): Extensions {
  const read: Extensions = { properties: new Map(), types: new Map(), faults: [] };
  const container = packet.properties.find(
    ({ namespace, local }) => namespace === EXTENSION && local === 'schemas',
  );
  if (!container) return read;
  if (container.kind !== 'Bag' || container.prefix !== 'pdfaExtension')
    read.faults.push({ fault: 'container', where: 'pdfaExtension:schemas' });
  // Types are defined before they are used, wherever they stand.
  for (const schema of container.items) defineTypes(schema, read);
  for (const schema of container.items) readSchema(schema, read);
  return read;
}

const fieldOf = (node: RdfNode, namespace: string, local: string): RdfNode | undefined =>
  node.fields.find((field) => field.namespace === namespace && field.local === local);

const textOf = (node: RdfNode, { namespace }: Shape, local: string): string =>
  fieldOf(node, namespace, local)?.value ?? '';

function defineTypes(schema: RdfNode, { types }: Extensions): void {
  for (const type of fieldOf(schema, SHAPES.schema.namespace, 'valueType')?.items ?? []) {
    const fields = new Map(
      (fieldOf(type, SHAPES.type.namespace, 'field')?.items ?? []).map((field) => [
        textOf(field, SHAPES.field, 'name'),
        textOf(field, SHAPES.field, 'valueType'),
      ]),
    );
    types.set(plainType(textOf(type, SHAPES.type, 'type')), {
      namespace: textOf(type, SHAPES.type, 'namespaceURI'),
      fields,
    });
  }
}

function readSchema(schema: RdfNode, read: Extensions): void {
  const where = `extension schema ${textOf(schema, SHAPES.schema, 'schema')}`;
  checkShape(schema, SHAPES.schema, where, read);
  const namespace = textOf(schema, SHAPES.schema, 'namespaceURI');
  const properties = read.properties.get(namespace) ?? new Map<string, string>();
  read.properties.set(namespace, properties);
  for (const property of fieldOf(schema, SHAPES.schema.namespace, 'property')?.items ?? []) {
    const name = textOf(property, SHAPES.property, 'name');
    const type = textOf(property, SHAPES.property, 'valueType');
    const at = `${where}, property ${name}`;
    checkShape(property, SHAPES.property, at, read);
    if (!isKnownType(type, read.types)) read.faults.push({ fault: 'property-value-type', where: at });
    if (!['internal', 'external'].includes(textOf(property, SHAPES.property, 'category')))
      read.faults.push({ fault: 'property-category', where: at });
    properties.set(name, type);
  }
  for (const type of fieldOf(schema, SHAPES.schema.namespace, 'valueType')?.items ?? []) {
    const at = `${where}, type ${textOf(type, SHAPES.type, 'type')}`;
    checkShape(type, SHAPES.type, at, read);
    for (const field of fieldOf(type, SHAPES.type.namespace, 'field')?.items ?? []) {
      const inner = `${at}, field ${textOf(field, SHAPES.field, 'name')}`;
      checkShape(field, SHAPES.field, inner, read);
      if (!isKnownType(textOf(field, SHAPES.field, 'valueType'), read.types))
        read.faults.push({ fault: 'field-value-type', where: inner });
    }
  }
}

/** Texts must be there as text, lists may be absent, all under the usual prefix, and nothing else may stand there. */
function checkShape(node: RdfNode, shape: Shape, where: string, { faults }: Extensions): void {
  const { namespace, prefix, texts, lists } = shape;
  for (const [local, fault] of Object.entries(texts)) {
    const field = fieldOf(node, namespace, local);
    if (field?.kind !== 'simple' || field.prefix !== prefix) faults.push({ fault, where });
  }
  for (const [local, fault] of Object.entries(lists)) {
    const field = fieldOf(node, namespace, local);
    if (field && (field.kind !== 'Seq' || field.prefix !== prefix)) faults.push({ fault, where });
  }
  const known = (field: RdfNode): boolean =>
    field.namespace === namespace && (Object.hasOwn(texts, field.local) || Object.hasOwn(lists, field.local));
  if (!node.fields.every(known)) faults.push({ fault: 'undefined-field', where });
}
