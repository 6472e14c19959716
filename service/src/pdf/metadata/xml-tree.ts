// A small XML reader for metadata packets. What is not changed is written back as it stood. There are no
// document types and no entities but the five of XML itself, so nothing can be fetched or blown up.
import { lookup } from '../../contract/lookup.ts';

export interface XmlAttribute {
  name: string;
  /** As written between the quotes. */
  raw: string;
  quote: '"' | "'";
}

export interface XmlElement {
  name: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
}

/** Text, comments, instructions and CDATA stay markup. */
export type XmlNode = XmlElement | string;

const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_DEPTH = 200;

const NAME = /[^\s=<>"'/&!?]+/y;
const ATTRIBUTE = /\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const TAG_END = /\s*(\/?)>/y;

/** The nodes of a document, or undefined where it is not well formed. */
export function parseXml(source: string): XmlNode[] | undefined {
  if (source.length > MAX_CHARACTERS) return undefined;
  const top: XmlElement = { name: '', attributes: [], children: [] };
  const open: XmlElement[] = [top];
  let at = 0;
  while (at < source.length) {
    const current = open.at(-1) as XmlElement;
    const tag = source.indexOf('<', at);
    if (tag !== at) current.children.push(source.slice(at, tag === -1 ? undefined : tag));
    if (tag === -1) break;
    const markupEnd = endOfMarkup(source, tag);
    if (markupEnd === undefined) return undefined;
    if (markupEnd > tag) {
      current.children.push(source.slice(tag, markupEnd));
      at = markupEnd;
      continue;
    }
    if (source[tag + 1] === '/') {
      const close = source.indexOf('>', tag);
      if (close === -1 || open.length === 1 || source.slice(tag + 2, close).trim() !== current.name)
        return undefined;
      open.pop();
      at = close + 1;
      continue;
    }
    const read = readTag(source, tag + 1);
    if (!read || open.length > MAX_DEPTH) return undefined;
    current.children.push(read.element);
    if (!read.closed) open.push(read.element);
    at = read.end;
  }
  return open.length === 1 ? top.children : undefined;
}

/** Where a comment, instruction or CDATA section ends; the place itself where a tag stands there. */
function endOfMarkup(source: string, at: number): number | undefined {
  const after = (start: string, end: string): number | undefined => {
    const found = source.indexOf(end, at + start.length);
    return found === -1 ? undefined : found + end.length;
  };
  if (source.startsWith('<?', at)) return after('<?', '?>');
  if (source.startsWith('<!--', at)) return after('<!--', '-->');
  if (source.startsWith('<![CDATA[', at)) return after('<![CDATA[', ']]>');
  return source.startsWith('<!', at) ? undefined : at;
}

function readTag(
  source: string,
  at: number,
): { element: XmlElement; closed: boolean; end: number } | undefined {
  NAME.lastIndex = at;
  const name = NAME.exec(source)?.[0];
  if (name === undefined) return undefined;
  const element: XmlElement = { name, attributes: [], children: [] };
  let end = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(source);
    if (!match) break;
    const [, attribute = '', double, single] = match;
    element.attributes.push({
      name: attribute,
      raw: double ?? single ?? '',
      quote: double === undefined ? "'" : '"',
    });
    end = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = end;
  const finish = TAG_END.exec(source);
  return finish ? { element, closed: finish[1] === '/', end: TAG_END.lastIndex } : undefined;
}

export function writeXml(nodes: readonly XmlNode[]): string {
  const out: string[] = [];
  for (const node of nodes) writeNode(node, out);
  return out.join('');
}

function writeNode(node: XmlNode, out: string[]): void {
  if (typeof node === 'string') {
    out.push(node);
    return;
  }
  out.push('<', node.name);
  for (const { name, raw, quote } of node.attributes) out.push(' ', name, '=', quote, raw, quote);
  if (node.children.length === 0) {
    out.push('/>');
    return;
  }
  out.push('>');
  for (const child of node.children) writeNode(child, out);
  out.push('</', node.name, '>');
}

export const elementsOf = (nodes: readonly XmlNode[]): XmlElement[] =>
  nodes.filter((node): node is XmlElement => typeof node !== 'string');

/** The text inside an element, without markup. */
export function textIn(element: XmlElement): string {
  let text = '';
  for (const child of element.children) {
    if (typeof child !== 'string') text += textIn(child);
    else if (child.startsWith('<![CDATA[')) text += child.slice(9, -3);
    else if (!child.startsWith('<')) text += unescapeXml(child);
  }
  return text;
}

const ENTITIES: Record<string, string> = lookup({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });

export function unescapeXml(raw: string): string {
  return raw.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, word) => {
    if (word !== undefined) return ENTITIES[word] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}

/** Text for content or attributes; what XML cannot hold is left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));
}
