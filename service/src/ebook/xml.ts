// XML as books use it, read tolerantly: what is not closed is closed at the end, unknown entities stay as they are.
// Nothing outside is read and no entity is defined, so that nothing grows.

export interface XmlElement {
  /** Without prefix. */
  name: string;
  /** By name without prefix. */
  attributes: Map<string, string>;
  children: (XmlElement | string)[];
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!(?:[^[>]|\[[^\]]*\])*>|<\/([^\s>]+)\s*>|<([^\s/>!?][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)|</g;
const ATTRIBUTE = /([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const MAX_DEPTH = 400;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '\u2014',
  ndash: '\u2013',
  hellip: '\u2026',
  laquo: '\u00ab',
  raquo: '\u00bb',
  copy: '\u00a9',
};

export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: new Map(), children: [] };
  const open: XmlElement[] = [root];
  for (const [token, data, closing, opening, attributes, words] of text.matchAll(TOKEN)) {
    const top = open.at(-1) ?? root;
    if (data !== undefined) top.children.push(data);
    else if (words !== undefined) top.children.push(decodeEntities(words));
    else if (closing !== undefined) {
      const at = open.findLastIndex(({ name }) => name === localName(closing));
      if (at > 0) open.length = at;
    } else if (opening !== undefined) {
      const element = { name: localName(opening), attributes: attributesOf(attributes ?? ''), children: [] };
      top.children.push(element);
      if (!token.endsWith('/>') && open.length < MAX_DEPTH) open.push(element);
    }
  }
  return root;
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    if (!name.startsWith('xmlns')) found.set(localName(name), decodeEntities(double ?? single ?? ''));
  return found;
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,20}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

export const isElement = (node: XmlElement | string): node is XmlElement => typeof node !== 'string';

export const childrenOf = (element: XmlElement | undefined, name?: string): XmlElement[] =>
  (element?.children ?? []).filter(isElement).filter((child) => name === undefined || child.name === name);

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(element, name)[0];

/** All elements below, in order. */
export function* below(element: XmlElement | undefined): Generator<XmlElement> {
  for (const child of childrenOf(element)) {
    yield child;
    yield* below(child);
  }
}

export function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const each of below(element)) if (each.name === name) return each;
  return undefined;
}

export const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => (isElement(child) ? textOf(child) : child))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
