// Names and attributes of RDF written as XML: what may stand on a node, and what on a property (RDF/XML Syntax, 7.2).
import { unescapeXml, type XmlElement } from '../../metadata/xml-tree.ts';

export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XML = 'http://www.w3.org/XML/1998/namespace';

export type Scope = ReadonlyMap<string, string>;

export interface Scoped {
  element: XmlElement;
  scope: Scope;
}

export interface QualifiedName {
  namespace: string;
  prefix: string;
  local: string;
}

export interface AttributeValue extends QualifiedName {
  value: string;
}

/** RDF that is not written as XMP asks. */
export class Unsound extends Error {}

/** Terms of RDF that are no properties. */
const NO_PROPERTIES = new Set(
  'RDF ID about parseType resource nodeID datatype Description li aboutEach aboutEachPrefix bagID'.split(' '),
);

/** A node has one name at most; its other attributes are properties. */
export function nodeAttributes(node: Scoped): AttributeValue[] {
  const stated = attributesOf(node);
  if (stated.filter(isIdentity).length > 1) throw new Unsound();
  const properties = stated.filter((each) => !isIdentity(each) && each.namespace !== XML);
  if (!properties.every(isProperty)) throw new Unsound();
  return properties;
}

/** Names without prefix are RDF's own, as older writers spell them. */
const isIdentity = ({ namespace, local }: QualifiedName): boolean =>
  namespace === RDF ? ['about', 'ID', 'nodeID'].includes(local) : namespace === '' && isOldIdentity(local);
const isOldIdentity = (local: string): boolean => local === 'about' || local === 'ID';

/** What a property says of its value beside language, type and address: the value's own properties. */
export function propertyAttributes(property: Scoped): AttributeValue[] {
  const properties = attributesOf(property).filter(
    ({ namespace, local }) =>
      !(namespace === XML && local === 'lang') &&
      !(namespace === RDF && ['datatype', 'resource', 'parseType', 'nodeID'].includes(local)),
  );
  if (!properties.every(isProperty)) throw new Unsound();
  return properties;
}

const isProperty = ({ namespace, local }: QualifiedName): boolean =>
  namespace !== '' && !(namespace === RDF && NO_PROPERTIES.has(local));

export const attributeOf = (scoped: Scoped, namespace: string, local: string): string | undefined =>
  attributesOf(scoped).find((each) => each.namespace === namespace && each.local === local)?.value;

const attributesOf = ({ element, scope }: Scoped): AttributeValue[] =>
  element.attributes
    .filter(({ name }) => !isBinding(name))
    .map(({ name, raw }) => ({
      ...(name.includes(':') ? nameOf(name, scope) : { namespace: '', prefix: '', local: name }),
      value: unescapeXml(raw),
    }));

/** Binds a prefix, on whatever element. */
const isBinding = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

/** An element with the prefixes that hold in it, each of which is bound. */
export function within(element: XmlElement, outer: Scope): Scoped {
  const bound = element.attributes.filter(({ name }) => isBinding(name));
  if (bound.some(({ name, raw }) => name === 'xmlns:xmlns' || (name !== 'xmlns' && raw === '')))
    throw new Unsound();
  const scope =
    bound.length === 0
      ? outer
      : new Map([
          ...outer,
          ...bound.map(({ name, raw }): [string, string] => [name.slice(6), unescapeXml(raw)]),
        ]);
  attributesOf({ element, scope });
  return { element, scope };
}

export function nameOf(name: string, scope: Scope): QualifiedName {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const namespace = scope.get(prefix);
  if (namespace === undefined && prefix !== '') throw new Unsound();
  return { namespace: namespace ?? '', prefix, local: name.slice(colon + 1) };
}
