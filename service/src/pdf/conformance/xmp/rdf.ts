// An XMP packet read as RDF: properties with their shapes, and whether it is serialised as XMP asks.
import { elementsOf, parseXml, textIn, type XmlElement, type XmlNode } from '../../metadata/xml-tree.ts';
import { decodeXmp, xmpEncoding } from '../../metadata/xmp-encoding.ts';
import {
  attributeOf,
  nameOf,
  nodeAttributes,
  propertyAttributes,
  type QualifiedName,
  RDF,
  type Scope,
  type Scoped,
  Unsound,
  within,
  XML,
} from './rdf-attributes.ts';
import { blankControls, isBlank, isWellFormed } from './xml-well-formedness.ts';

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

const MAX_DEPTH = 60;

export function readRdfPacket(bytes: Uint8Array): RdfPacket {
  const { text, isUtf8 } = decode(bytes);
  const header = headerOf(text);
  const nothing = { isSound: false, isUtf8, header, properties: [] };
  const nodes = isWellFormed(text) ? parseXml(text) : undefined;
  if (!nodes || elementsOf(nodes).length !== 1) return nothing;
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

const decode = (bytes: Uint8Array): { text: string; isUtf8: boolean } => ({
  text: blankControls(decodeXmp(bytes)),
  isUtf8: xmpEncoding(bytes) === 'utf-8',
});

/** What instructions before the first element say; the packet's end says nothing of it. */
function headerOf(text: string): RdfPacket['header'] {
  const start = text.search(/<[^?!]/);
  const head = start === -1 ? text : text.slice(0, start);
  const header = [...head.matchAll(/<\?xpacket\s([^?]*)\?>/g)].map(([, said]) => said).join(' ');
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
      .exec(header)
      ?.slice(1)
      .find((each) => each !== undefined);
  const [bytes, encoding] = [attribute('bytes'), attribute('encoding')];
  return { ...(bytes === undefined ? {} : { bytes }), ...(encoding === undefined ? {} : { encoding }) };
}

function findRdf(nodes: readonly XmlNode[], scope: Scope, depth: number): Scoped[] {
  if (depth > 5) return [];
  return elementsOf(nodes).flatMap((element) => {
    const inner = within(element, scope);
    const { namespace, local } = nameOf(element.name, inner.scope);
    if (namespace === RDF && local === 'RDF') return [inner];
    return findRdf(element.children, inner.scope, depth + 1);
  });
}

function readDescriptions({ element, scope }: Scoped, properties: RdfNode[]): void {
  if (hasText(element)) throw new Unsound();
  let described = '';
  for (const child of elementsOf(element.children)) {
    const inner = within(child, scope);
    const { namespace, local } = nameOf(child.name, inner.scope);
    if (namespace !== RDF || local !== 'Description') throw new Unsound();
    const about = attributeOf(inner, RDF, 'about') ?? '';
    if (about !== '' && described !== '' && about !== described) throw new Unsound();
    described ||= about;
    properties.push(...fieldsOf(inner, 0));
  }
}

/** The properties of a description: its attributes and its elements. */
const fieldsOf = (node: Scoped, depth: number): RdfNode[] => [
  ...nodeAttributes(node).map(simple),
  ...elementFields(node, depth),
];

function elementFields({ element, scope }: Scoped, depth: number): RdfNode[] {
  if (depth > MAX_DEPTH || hasText(element)) throw new Unsound();
  return elementsOf(element.children).map((child) => propertyOf(within(child, scope), depth));
}

const EMPTY = { kind: 'simple' as const, value: '', items: [], fields: [], lang: undefined };
const simple = (named: QualifiedName): RdfNode => ({ ...EMPTY, ...named });

function propertyOf(scoped: Scoped, depth: number): RdfNode {
  const { element, scope } = scoped;
  const base = { ...simple(nameOf(element.name, scope)), lang: attributeOf(scoped, XML, 'lang') };
  if (base.namespace === '') throw new Unsound();
  const parseType = attributeOf(scoped, RDF, 'parseType');
  if (parseType === 'Resource') return structure(base, elementFields(scoped, depth + 1));
  if (parseType !== undefined) throw new Unsound();
  const resource = attributeOf(scoped, RDF, 'resource');
  const shorthand = propertyAttributes(scoped).map(simple);
  const [child, ...others] = elementsOf(element.children);
  if (!child && !hasText(element)) {
    if (resource !== undefined) return { ...base, value: resource };
    return shorthand.length > 0 ? structure(base, shorthand) : { ...base, value: textIn(element) };
  }
  if (shorthand.length > 0 || resource !== undefined) throw new Unsound();
  if (!child) {
    if (element.children.some(isInstruction)) throw new Unsound();
    return { ...base, value: textIn(element) };
  }
  const isTyped = attributeOf(scoped, RDF, 'datatype') !== undefined;
  if (others.length > 0 || hasText(element) || isTyped) throw new Unsound();
  return nodeValue(base, within(child, scope), depth + 1);
}

function nodeValue(base: RdfNode, node: Scoped, depth: number): RdfNode {
  const { namespace, local } = nameOf(node.element.name, node.scope);
  if (namespace !== RDF) throw new Unsound();
  if (local === 'Description') return structure(base, fieldsOf(node, depth));
  if (local !== 'Bag' && local !== 'Seq' && local !== 'Alt') throw new Unsound();
  nodeAttributes(node);
  const items = elementFields(node, depth);
  if (items.some((item) => item.namespace !== RDF || item.local !== 'li')) throw new Unsound();
  return { ...base, kind: local, items };
}

/** A structure with rdf:value is that value, qualified. */
function structure(base: RdfNode, fields: RdfNode[]): RdfNode {
  const [value, ...more] = fields.filter(({ namespace, local }) => namespace === RDF && local === 'value');
  if (more.length > 0) throw new Unsound();
  if (value)
    return { ...base, kind: value.kind, value: value.value, items: value.items, fields: value.fields };
  refuseDuplicates(fields);
  return { ...base, kind: 'struct', fields };
}

function refuseDuplicates(nodes: readonly RdfNode[]): void {
  const seen = new Set(nodes.map(({ namespace, local }) => `${namespace} ${local}`));
  if (seen.size !== nodes.length) throw new Unsound();
}

/** Anything between the elements but blanks and comments. */
const hasText = (element: XmlElement): boolean =>
  element.children.some((child) => typeof child === 'string' && !child.startsWith('<!--') && !isBlank(child));

const isInstruction = (child: XmlNode): boolean => typeof child === 'string' && child.startsWith('<?');
