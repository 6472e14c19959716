// An XMP packet read as RDF: properties with their shapes, and whether it is serialised as XMP asks.
import {
  elementsOf,
  parseXml,
  textIn,
  unescapeXml,
  type XmlElement,
  type XmlNode,
} from '../../metadata/xml-tree.ts';
import { decodeXmp, xmpEncoding } from '../../metadata/xmp-encoding.ts';

export type RdfKind = 'simple' | 'struct' | 'Bag' | 'Seq' | 'Alt';

export interface RdfNode {
  namespace: string;
  prefix: string;
  local: string;
  kind: RdfKind;
  /** Of simple values. */
  value: string;
  /** Of arrays. */
  items: RdfNode[];
  /** Of structures. */
  fields: RdfNode[];
  lang: string | undefined;
}

export interface RdfPacket {
  isSound: boolean;
  isUtf8: boolean;
  /** Attributes of the packet's header that are no longer allowed. */
  header: { bytes?: string; encoding?: string };
  properties: RdfNode[];
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XML = 'http://www.w3.org/XML/1998/namespace';
const MAX_DEPTH = 60;

type Scope = ReadonlyMap<string, string>;

class Unsound extends Error {}

export function readRdfPacket(bytes: Uint8Array): RdfPacket {
  const { text, isUtf8 } = decode(bytes);
  const header = headerOf(text);
  const nothing = { isSound: false, isUtf8, header, properties: [] };
  const nodes = parseXml(text.replace(/^\s*<\?xml\s[^>]*\?>/, ''));
  if (!nodes || elementsOf(nodes).length !== 1 || nodes.some(isStrayText)) return nothing;
  const properties: RdfNode[] = [];
  try {
    for (const rdf of findRdf(nodes, new Map([['xml', XML]]), 0)) readDescriptions(rdf, properties);
    refuseDuplicates(properties);
    return { isSound: true, isUtf8, header, properties };
  } catch (error) {
    if (!(error instanceof Unsound)) throw error;
    return { ...nothing, properties };
  }
}

/** Words beside the one element of a document, which hold neither comment nor instruction. */
const isStrayText = (node: XmlNode): boolean =>
  typeof node === 'string' && !node.startsWith('<') && /[^\s\ufeff\0]/.test(node);

const decode = (bytes: Uint8Array): { text: string; isUtf8: boolean } => ({
  text: decodeXmp(bytes),
  isUtf8: xmpEncoding(bytes) === 'utf-8',
});

function headerOf(text: string): RdfPacket['header'] {
  const header = /<\?xpacket\s([^?]*)\?>/.exec(text)?.[1] ?? '';
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
      .exec(header)
      ?.slice(1)
      .find((each) => each !== undefined);
  const [bytes, encoding] = [attribute('bytes'), attribute('encoding')];
  return { ...(bytes === undefined ? {} : { bytes }), ...(encoding === undefined ? {} : { encoding }) };
}

interface Scoped {
  element: XmlElement;
  scope: Scope;
}

function findRdf(nodes: readonly XmlNode[], scope: Scope, depth: number): Scoped[] {
  if (depth > 5) return [];
  return elementsOf(nodes).flatMap((element) => {
    const inner = within(element, scope);
    const { namespace, local } = nameOf(element.name, inner);
    if (namespace === RDF && local === 'RDF') return [{ element, scope: inner }];
    return findRdf(element.children, inner, depth + 1);
  });
}

function readDescriptions({ element, scope }: Scoped, properties: RdfNode[]): void {
  for (const child of elementsOf(element.children)) {
    const inner = within(child, scope);
    const { namespace, local } = nameOf(child.name, inner);
    if (namespace !== RDF || local !== 'Description') throw new Unsound();
    properties.push(...fieldsOf({ element: child, scope: inner }, 0));
  }
}

/** The properties of a description: its attributes and its elements. */
function fieldsOf({ element, scope }: Scoped, depth: number): RdfNode[] {
  return [...attributeFields({ element, scope }), ...elementFields({ element, scope }, depth)];
}

function attributeFields({ element, scope }: Scoped): RdfNode[] {
  return element.attributes.flatMap(({ name, raw }) => {
    if (isBinding(name)) return [];
    // Names without prefix are RDF's own, as older writers spell them.
    if (!name.includes(':')) return [];
    const named = nameOf(name, scope);
    if (named.namespace === RDF || named.namespace === XML) return [];
    return [{ ...named, ...EMPTY, value: unescapeXml(raw) }];
  });
}

function elementFields({ element, scope }: Scoped, depth: number): RdfNode[] {
  if (depth > MAX_DEPTH) throw new Unsound();
  if (hasText(element) && elementsOf(element.children).length > 0) throw new Unsound();
  return elementsOf(element.children).map((child) =>
    propertyOf({ element: child, scope: within(child, scope) }, depth),
  );
}

const EMPTY = { kind: 'simple' as const, value: '', items: [], fields: [], lang: undefined };

function propertyOf({ element, scope }: Scoped, depth: number): RdfNode {
  const named = nameOf(element.name, scope);
  const attribute = (namespace: string, local: string): string | undefined => {
    const found = element.attributes.find(({ name }) => {
      if (!name.includes(':') || isBinding(name)) return false;
      const each = nameOf(name, scope);
      return each.namespace === namespace && each.local === local;
    });
    return found && unescapeXml(found.raw);
  };
  const base = { ...named, ...EMPTY, lang: attribute(XML, 'lang') };
  const parseType = attribute(RDF, 'parseType');
  if (parseType === 'Resource') return structure(base, elementFields({ element, scope }, depth + 1));
  if (parseType !== undefined) throw new Unsound();
  const resource = attribute(RDF, 'resource');
  if (resource !== undefined) return { ...base, value: resource };
  const [child, ...others] = elementsOf(element.children);
  if (!child) {
    const shorthand = attributeFields({ element, scope });
    if (shorthand.length > 0) return structure(base, shorthand);
    return { ...base, value: textIn(element) };
  }
  if (others.length > 0 || hasText(element)) throw new Unsound();
  return nodeValue(base, { element: child, scope: within(child, scope) }, depth + 1);
}

function nodeValue(base: RdfNode, { element, scope }: Scoped, depth: number): RdfNode {
  const { namespace, local } = nameOf(element.name, scope);
  if (namespace !== RDF) throw new Unsound();
  if (local === 'Description') return structure(base, fieldsOf({ element, scope }, depth));
  if (local !== 'Bag' && local !== 'Seq' && local !== 'Alt') throw new Unsound();
  const items = elementFields({ element, scope }, depth);
  if (items.some((item) => item.namespace !== RDF || item.local !== 'li')) throw new Unsound();
  return { ...base, kind: local, items };
}

/** A structure with rdf:value is that value, qualified. */
function structure(base: RdfNode, fields: RdfNode[]): RdfNode {
  const value = fields.find(({ namespace, local }) => namespace === RDF && local === 'value');
  if (value)
    return { ...base, kind: value.kind, value: value.value, items: value.items, fields: value.fields };
  refuseDuplicates(fields);
  return { ...base, kind: 'struct', fields };
}

function refuseDuplicates(nodes: readonly RdfNode[]): void {
  const seen = new Set(nodes.map(({ namespace, local }) => `${namespace} ${local}`));
  if (seen.size !== nodes.length) throw new Unsound();
}

const hasText = (element: XmlElement): boolean =>
  element.children.some(
    (child) => typeof child === 'string' && !child.startsWith('<') && child.trim() !== '',
  );

/** Binds a prefix, on whatever element. */
const isBinding = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

function within(element: XmlElement, outer: Scope): Scope {
  const bound = element.attributes.filter(({ name }) => isBinding(name));
  if (bound.length === 0) return outer;
  return new Map([
    ...outer,
    ...bound.map(({ name, raw }): [string, string] => [name.slice(6), unescapeXml(raw)]),
  ]);
}

function nameOf(name: string, scope: Scope): { namespace: string; prefix: string; local: string } {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const namespace = scope.get(prefix);
  if (namespace === undefined && prefix !== '') throw new Unsound();
  return { namespace: namespace ?? '', prefix, local: name.slice(colon + 1) };
}
