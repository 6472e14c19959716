// XMP packets: properties are read and changed, everything else stays as it stands.
import { lookup } from '../../contract/lookup.ts';
import {
  elementsOf,
  escapeXml,
  parseXml,
  textIn,
  unescapeXml,
  writeXml,
  type XmlAttribute,
  type XmlElement,
  type XmlNode,
} from './xml-tree.ts';
import { decodeXmp } from './xmp-encoding.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfx: 'http://ns.adobe.com/pdfx/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  pdfuaid: 'http://www.aiim.org/pdfua/ns/id/',
  pdfxid: 'http://www.npes.org/pdfx/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
} as const;

/** Our prefix, whatever prefix the packet uses: `dc:title`. */
export type XmpProperty = `${keyof typeof NAMESPACES}:${string}`;

/** Properties whose value is not plain text: an alternative of languages, an ordered list, a bag. */
const CONTAINERS: Record<string, 'Alt' | 'Seq' | 'Bag'> = lookup({
  'dc:title': 'Alt',
  'dc:description': 'Alt',
  'dc:rights': 'Alt',
  'dc:creator': 'Seq',
  'dc:subject': 'Bag',
});

type Scope = ReadonlyMap<string, string>;

interface Description {
  element: XmlElement;
  scope: Scope;
}

/** One place where a property stands. */
type Place = { description: Description } & ({ element: XmlElement } | { attribute: XmlAttribute });

export class XmpPacket {
  private readonly nodes: XmlNode[];
  private readonly rdf: Description;
  private known: Description[] | undefined;

  private constructor(nodes: XmlNode[], rdf: Description) {
    this.nodes = nodes;
    this.rdf = rdf;
  }

  /** Undefined where the bytes are no XMP. */
  static parse(bytes: Uint8Array): XmpPacket | undefined {
    const nodes = parseXml(decode(bytes));
    const rdf = nodes && findRdf(nodes, new Map(), 0);
    return nodes && rdf ? new XmpPacket(nodes, rdf) : undefined;
  }

  /** The values of a property: several of a list, the default language first of an alternative. */
  values(property: XmpProperty): string[] {
    const place = this.places(property)[0];
    if (!place) return [];
    if ('attribute' in place) return [unescapeXml(place.attribute.raw)];
    const items = listItems(place.element);
    return items ? items.map((item) => textIn(item).trim()) : [textIn(place.element).trim()];
  }

  get(property: XmpProperty): string | undefined {
    return this.values(property)[0];
  }

  has(property: XmpProperty): boolean {
    return this.places(property).length > 0;
  }

  /** Puts these values in the place of whatever the property held. */
  set(property: XmpProperty, ...values: string[]): void {
    const [first, ...others] = this.places(property);
    for (const place of others) removePlace(place);
    const container = CONTAINERS[property];
    if (first && 'attribute' in first && container === undefined) {
      first.attribute.raw = escapeXml(values.join(', '));
      first.attribute.quote = '"';
      return;
    }
    if (first && 'attribute' in first) removePlace(first);
    const element = first && 'element' in first ? first.element : this.addElement(property);
    element.attributes = element.attributes.filter(({ name }) => name.startsWith('xmlns'));
    element.children =
      container === undefined ? [escapeXml(values.join(', '))] : [this.list(container, values)];
  }

  remove(property: XmpProperty): void {
    for (const place of this.places(property)) removePlace(place);
  }

  /** Every property of a namespace, under our prefix. */
  removeAll(prefix: keyof typeof NAMESPACES): void {
    for (const { element, scope } of this.descriptions()) {
      const isOf = (name: string, inner: Scope): boolean =>
        inner.get(name.split(':').slice(0, -1).join(':')) === NAMESPACES[prefix];
      element.attributes = element.attributes.filter(
        ({ name }) => name.startsWith('xmlns') || !name.includes(':') || !isOf(name, scope),
      );
      element.children = element.children.filter(
        (child) => typeof child === 'string' || !isOf(child.name, within(child, scope)),
      );
    }
  }

  bytes(): Uint8Array {
    return Buffer.from(writeXml(this.nodes), 'utf8');
  }

  /** Every property is looked for in all of them: they are found once. */
  private descriptions(): Description[] {
    this.known ??= elementsOf(this.rdf.element.children)
      .map((element) => ({ element, scope: within(element, this.rdf.scope) }))
      .filter(({ element, scope }) => is(element.name, scope, RDF, 'Description'));
    return this.known;
  }

  private places(property: XmpProperty): Place[] {
    const { namespace, local } = split(property);
    return this.descriptions().flatMap((description) => {
      const { element, scope } = description;
      const attributes = element.attributes.filter(
        ({ name }) => name.includes(':') && is(name, scope, namespace, local),
      );
      const children = elementsOf(element.children).filter((child) =>
        is(child.name, within(child, scope), namespace, local),
      );
      return [
        ...attributes.map((attribute) => ({ description, attribute })),
        ...children.map((child) => ({ description, element: child })),
      ];
    });
  }

  private addElement(property: XmpProperty): XmlElement {
    const { prefix, namespace } = split(property);
    const description = this.descriptions()[0] ?? this.addDescription();
    const element: XmlElement = { name: property, attributes: [], children: [] };
    // The packet may use our prefix for something else: bind it here unless it already means the same.
    if (description.scope.get(prefix) !== namespace) {
      element.attributes.push({ name: `xmlns:${prefix}`, raw: namespace, quote: '"' });
    }
    description.element.children.push(element, '\n');
    return element;
  }

  private addDescription(): Description {
    const about: XmlAttribute = { name: this.rdfName('about'), raw: '', quote: '"' };
    const element: XmlElement = { name: this.rdfName('Description'), attributes: [about], children: [] };
    this.rdf.element.children.push(element, '\n');
    this.known = undefined;
    return { element, scope: this.rdf.scope };
  }

  private list(container: 'Alt' | 'Seq' | 'Bag', values: string[]): XmlElement {
    const items = values.map(
      (value): XmlElement => ({
        name: this.rdfName('li'),
        attributes: container === 'Alt' ? [{ name: 'xml:lang', raw: 'x-default', quote: '"' }] : [],
        children: [escapeXml(value)],
      }),
    );
    return { name: this.rdfName(container), attributes: [], children: items };
  }

  /** A name of RDF under the packet's own prefix. */
  private rdfName(local: string): string {
    const prefix = this.rdf.element.name.split(':').slice(0, -1).join(':');
    return prefix === '' ? local : `${prefix}:${local}`;
  }
}

function split(property: XmpProperty): { prefix: string; namespace: string; local: string } {
  const colon = property.indexOf(':');
  const prefix = property.slice(0, colon) as keyof typeof NAMESPACES;
  return { prefix, namespace: NAMESPACES[prefix], local: property.slice(colon + 1) };
}

function removePlace(place: Place): void {
  const { element } = place.description;
  if ('attribute' in place)
    element.attributes = element.attributes.filter((other) => other !== place.attribute);
  else element.children = element.children.filter((other) => other !== place.element);
}

/** The items of a list or alternative, the default language first. */
function listItems(element: XmlElement): XmlElement[] | undefined {
  const container = elementsOf(element.children).find(({ name }) => /(?:^|:)(?:Alt|Seq|Bag)$/.test(name));
  if (!container) return undefined;
  const items = elementsOf(container.children).filter(({ name }) => /(?:^|:)li$/.test(name));
  const isDefault = ({ attributes }: XmlElement) =>
    attributes.some(({ name, raw }) => name === 'xml:lang' && raw.toLowerCase() === 'x-default');
  return [...items.filter(isDefault), ...items.filter((item) => !isDefault(item))];
}

function findRdf(nodes: readonly XmlNode[], scope: Scope, depth: number): Description | undefined {
  if (depth > 5) return undefined;
  for (const element of elementsOf(nodes)) {
    const inner = within(element, scope);
    if (is(element.name, inner, RDF, 'RDF')) return { element, scope: inner };
    const found = findRdf(element.children, inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** The prefixes bound inside an element. */
function within(element: XmlElement, outer: Scope): Scope {
  const bound = element.attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (bound.length === 0) return outer;
  return new Map([
    ...outer,
    ...bound.map(({ name, raw }): [string, string] => [name.slice(6), unescapeXml(raw)]),
  ]);
}

function is(name: string, scope: Scope, namespace: string, local: string): boolean {
  const colon = name.indexOf(':');
  return name.slice(colon + 1) === local && scope.get(colon === -1 ? '' : name.slice(0, colon)) === namespace;
}

/** What is written back is UTF-8: a declaration of another encoding would lie. */
const decode = (bytes: Uint8Array): string => decodeXmp(bytes).replace(/^\s*<\?xml\s[^>]*\?>/, '');
