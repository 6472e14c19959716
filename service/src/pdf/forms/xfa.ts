// XFA forms (ISO 32000-1, 12.7.8): XML in one stream, or cut into named packets that follow each other.
import type { PdfDocument } from '../document.ts';
import {
  elementsOf,
  parseXml,
  textIn,
  writeXml,
  type XmlElement,
  type XmlNode,
} from '../metadata/xml-tree.ts';
import { Ref, Stream } from '../objects.ts';
import { formOf } from './form-tree.ts';

const MAX_PACKETS = 1000;

/** The streams of the form's XML. */
function xfaStreams(doc: PdfDocument): Ref[] {
  const held = formOf(doc)?.get('XFA');
  const parts = doc.array(held) ?? (held === undefined ? [] : [held]);
  return parts
    .filter((part): part is Ref => part instanceof Ref && doc.get(part) instanceof Stream)
    .slice(0, MAX_PACKETS);
}

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** The texts of all script elements, in order. */
export function xfaScripts(doc: PdfDocument): string[] {
  const scripts: string[] = [];
  const visit = (nodes: readonly XmlNode[]): void => {
    for (const element of elementsOf(nodes)) {
      if (localName(element) === 'script') scripts.push(textIn(element).trim());
      else visit(element.children);
    }
  };
  for (const ref of xfaStreams(doc)) visit(parseXml(xmlText(doc, ref)) ?? []);
  return scripts.filter((script) => script !== '');
}

/**
 * Takes elements of these names out of the form's XML. Where a packet cannot be read for certain and may hold
 * one, the XML goes as a whole; the plain form stays.
 */
export function removeXfaElements(doc: PdfDocument, names: ReadonlySet<string>): void {
  const changed = new Map<Ref, string>();
  for (const ref of xfaStreams(doc)) {
    const text = xmlText(doc, ref);
    const nodes = parseXml(text);
    if (nodes) {
      if (removeFrom(nodes, names)) changed.set(ref, writeXml(nodes));
    } else if (!isHarmlessFragment(text, names)) {
      removeXfa(doc);
      return;
    }
  }
  for (const [ref, text] of changed) doc.replaceStreamData(ref, Buffer.from(text, 'utf8'));
}

function removeXfa(doc: PdfDocument): void {
  const held = doc.catalog.get('AcroForm');
  const form = held instanceof Ref ? doc.edit(held) : doc.dict(doc.edit(doc.catalogRef).get('AcroForm'));
  form?.delete('XFA');
}

function removeFrom(nodes: XmlNode[], names: ReadonlySet<string>): boolean {
  let removed = false;
  for (let at = nodes.length - 1; at >= 0; at -= 1) {
    const node = nodes[at];
    if (node === undefined || typeof node === 'string') continue;
    if (names.has(localName(node))) {
      nodes.splice(at, 1);
      removed = true;
    } else if (removeFrom(node.children, names)) removed = true;
  }
  return removed;
}

/** The first and the last packet open and close the element around all others: no XML by themselves. */
function isHarmlessFragment(text: string, names: ReadonlySet<string>): boolean {
  if (/<!DOCTYPE|\0/i.test(text) || text.length > 10_000) return false;
  return [...text.matchAll(/<\/?(?:[^\s<>/]*:)?([^\s<>/:]+)/g)].every(
    ([, name = '']) => !names.has(name.toLowerCase()),
  );
}

function xmlText(doc: PdfDocument, ref: Ref): string {
  const { bytes } = doc.streamData(ref);
  const [first, second] = bytes;
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  const little = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  return new TextDecoder(big ? 'utf-16be' : little ? 'utf-16le' : 'utf-8').decode(bytes);
}
