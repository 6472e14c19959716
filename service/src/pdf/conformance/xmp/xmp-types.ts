// Value types of XMP: whether a value is what its property asks for.
import { lookup } from '../../../contract/lookup.ts';
import type { RdfNode } from './rdf.ts';
import { XMP_SCHEMAS, XMP_STRUCTURES } from './xmp-schemas.ts';

/** The edition of the XMP specification a part refers to. */
export type Edition = 2004 | 2005;

/** Types by lower-case name, those an extension schema defines among them. */
export type TypeTable = ReadonlyMap<string, StructureType>;
export interface StructureType {
  namespace: string;
  /** Undefined fields: any will do. */
  fields: ReadonlyMap<string, string> | undefined;
}

const LIKE_TEXT = [
  'text',
  'propername',
  'agentname',
  'uri',
  'url',
  'xpath',
  'guid',
  'renditionclass',
  'any',
  'mimetype',
  'locale',
  'gpscoordinate',
  'rational',
] as const;

const PATTERNS: Readonly<Record<string, RegExp>> = lookup({
  integer: /^[+-]?\d+$/,
  real: /^[+-]?(?:\d+\.?\d*|\.\d+)$/,
  boolean: /^(?:True|False)$/,
  date: /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/,
  mimetype: /^[-\w+.]+\/[-\w+.]+(?:\s*;.*)?$/,
  locale: /^[a-zA-Z0-9]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/,
  rational: /^-?\d+\/-?\d+$/,
  gpscoordinate: /^\d{1,3},\d{1,2}(?:,\d{1,2}|\.\d+)[NSEW]$/,
  ...Object.fromEntries(
    LIKE_TEXT.filter((type) => !['mimetype', 'locale', 'rational', 'gpscoordinate'].includes(type)).map(
      (type) => [type, /^/],
    ),
  ),
});

/** Structures whose fields are not looked into. */
const OPEN_STRUCTURES = [
  'projectlink',
  'timecode',
  'time',
  'marker',
  'media',
  'timescalestretch',
  'resampleparams',
  'beatsplicestretch',
];

const STRUCTURES: TypeTable = new Map<string, StructureType>([
  ...Object.entries(XMP_STRUCTURES).map(([name, { namespace, rows }]): [string, StructureType] => [
    name.toLowerCase(),
    { namespace, fields: readRows(rows, 2005) },
  ]),
  ...OPEN_STRUCTURES.map((name): [string, StructureType] => [name, { namespace: '', fields: undefined }]),
]);

/** Names of properties to their types. */
function readRows(rows: string, edition: Edition): Map<string, string> {
  const read = new Map<string, string>();
  for (const row of rows
    .trim()
    .replace(/\n {2}/g, ' ')
    .split('\n')) {
    const colon = row.indexOf(':');
    const [, year, type = ''] = /^(?:(2004|2005) )?(.*)$/.exec(row.slice(0, colon)) ?? [];
    if (year !== undefined && Number(year) !== edition) continue;
    for (const property of row
      .slice(colon + 1)
      .trim()
      .split(/\s+/))
      read.set(property, type);
  }
  return read;
}

const PREDEFINED = new Map<Edition, Map<string, Map<string, string>>>();

/** Namespaces to their properties and types. */
export function predefinedSchemas(edition: Edition): Map<string, Map<string, string>> {
  let known = PREDEFINED.get(edition);
  if (!known) {
    known = new Map(
      XMP_SCHEMAS.map(({ namespace, rows }): [string, Map<string, string>] => [
        namespace,
        readRows(rows, edition),
      ]),
    );
    for (const [namespace, properties] of known) if (properties.size === 0) known.delete(namespace);
    PREDEFINED.set(edition, known);
  }
  return known;
}

/** A type as written in a schema, in one spelling. */
export const plainType = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\b(?:open|closed) choice(?: of)?\s*/g, '')
    .replace(/^choice of /, '')
    .replace(/^(bag|seq|alt) of /, '$1 ')
    .trim() || 'text';

export function isKnownType(written: string, own: TypeTable): boolean {
  const type = plainType(written).replace(/^(?:(?:bag|seq|alt) )+/, '');
  if (type === 'lang alt' || type === 'bag' || type === 'seq' || type === 'alt') return true;
  return PATTERNS[type] !== undefined || STRUCTURES.has(type) || own.has(type);
}

export function fitsType(node: RdfNode, written: string, own: TypeTable, depth = 0): boolean {
  const type = plainType(written);
  if (depth > 20) return false;
  if (type === 'lang alt') return isLangAlt(node);
  const array = /^(bag|seq|alt)(?: (.*))?$/.exec(type);
  if (array) {
    const item = array[2] ?? 'text';
    return (
      node.kind.toLowerCase() === array[1] && node.items.every((each) => fitsType(each, item, own, depth + 1))
    );
  }
  const pattern = PATTERNS[type];
  if (pattern) return node.kind === 'simple' && pattern.test(node.value);
  const structure = own.get(type) ?? STRUCTURES.get(type);
  if (!structure || node.kind !== 'struct') return false;
  const { fields, namespace } = structure;
  if (!fields) return true;
  return node.fields.every((field) => {
    const fieldType = field.namespace === namespace ? fields.get(field.local) : undefined;
    return fieldType !== undefined && fitsType(field, fieldType, own, depth + 1);
  });
}

const isLangAlt = (node: RdfNode): boolean =>
  node.kind === 'Alt' && node.items.every((item) => item.kind === 'simple' && item.lang !== undefined);
