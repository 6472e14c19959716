// Streams that hold text rather than drawings: metadata packets, form data in XML, scripts, maps from codes to text,
// private data of programs.
import type { PdfDocument } from '../document.ts';
import { escapeXml, parseXml, textIn, unescapeXml, writeXml, type XmlNode } from '../metadata/xml-tree.ts';
import { Dict, isName, type Ref, Stream } from '../objects.ts';
import { cleanText } from './clean-text.ts';
import type { Terms } from './terms.ts';

/** Entries that tell streams whose data is no text: images, fonts, profiles, functions, meshes, screens. */
const BINARY_KEYS = [
  'Length1',
  'Length2',
  'Length3',
  'FunctionType',
  'ShadingType',
  'HalftoneType',
  'PatternType',
  'BitsPerSample',
  'Alternate',
  'N',
];
const BINARY_SUBTYPES = ['Image', 'Form', 'Type1C', 'CIDFontType0C', 'OpenType', 'PS', 'U3D', 'PRC'];

/** Replaces terms in streams of text; tells how many held one. `content` are streams of drawings. */
export function cleanTextStreams(
  doc: PdfDocument,
  refs: readonly Ref[],
  content: ReadonlySet<string>,
  terms: Terms,
): number {
  let count = 0;
  for (const ref of textStreams(doc, refs, content)) {
    const cleaned = cleanedData(doc, ref, terms);
    if (!cleaned) continue;
    doc.replaceStreamData(ref, cleaned);
    count += 1;
  }
  return count;
}

/** Streams of text that hold a term. */
export const secretStreams = (
  doc: PdfDocument,
  refs: readonly Ref[],
  content: ReadonlySet<string>,
  terms: Terms,
): number =>
  textStreams(doc, refs, content).filter((ref) => cleanedData(doc, ref, terms) !== undefined).length;

function textStreams(doc: PdfDocument, refs: readonly Ref[], content: ReadonlySet<string>): Ref[] {
  return refs.filter((ref) => {
    const stream = doc.get(ref);
    if (!(stream instanceof Stream) || content.has(ref.key)) return false;
    const { dict } = stream;
    // "Attachment contents are not searched."
    if (isName(dict.get('Type'), 'EmbeddedFile')) return false;
    if (BINARY_SUBTYPES.includes(doc.name(dict.get('Subtype')) ?? '')) return false;
    return !BINARY_KEYS.some((key) => dict.has(key));
  });
}

/** New data where the old holds a term. */
function cleanedData(doc: PdfDocument, ref: Ref, terms: Terms): Uint8Array | undefined {
  const { bytes } = doc.streamData(ref);
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (isCMap(doc.dict(ref) ?? new Dict(), text)) return cleanedMap(text, terms);
  if (!isReadable(text)) return undefined;
  const nodes = /^\s*(?:\ufeff)?</.test(text)
    ? parseXml(text.replace(/^\s*<\?xml\s[^>]*\?>/, ''))
    : undefined;
  if (nodes) return cleanedXml(nodes, terms);
  if (!terms.isIn(text) && !terms.isIn(unescapeXml(text))) return undefined;
  const cleaned = text.trimStart().startsWith('<') ? cleanedFragment(text, terms) : cleanText(text, terms);
  return Buffer.from(cleaned === undefined || terms.isIn(unescapeXml(cleaned)) ? '' : cleaned, 'utf8');
}

/** XML that is cut into several streams is none by itself: what stands between its tags is cleaned. */
const cleanedFragment = (text: string, terms: Terms): string =>
  text
    .split(/(<[^>]*>)/)
    .map((part) => {
      if (part.startsWith('<')) return part;
      const cleaned = cleanText(unescapeXml(part), terms);
      return cleaned === undefined ? part : escapeXml(cleaned);
    })
    .join('');

function encodingOf([first, second]: Uint8Array): 'utf-16be' | 'utf-16le' | 'utf-8' {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0) ? 'utf-16le' : 'utf-8';
}

/** In data of other kinds words stand by chance. */
function isReadable(text: string): boolean {
  const sample = text.slice(0, 20_000);
  const odd = sample.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return odd * 20 <= sample.length;
}

const isCMap = (dict: Dict, text: string): boolean =>
  isName(dict.get('Type'), 'CMap') || text.includes('begincmap') || text.includes('beginbfchar');

/** A code may stand for a whole word; such entries tell it to whoever looks. */
function cleanedMap(text: string, terms: Terms): Uint8Array | undefined {
  let changed = false;
  const cleaned = text.replace(/<([0-9a-fA-F\s]{8,})>/g, (whole, digits: string) => {
    const bytes = Buffer.from(digits.replace(/\s/g, ''), 'hex');
    const said = Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
    if (said.length < 2 || !terms.isIn(said)) return whole;
    changed = true;
    return '<FFFD>';
  });
  return changed ? Buffer.from(cleaned, 'latin1') : undefined;
}

function cleanedXml(nodes: XmlNode[], terms: Terms): Uint8Array | undefined {
  const changed = cleanNodes(nodes, terms);
  const whole = nodes.map((node) => (typeof node === 'string' ? '' : textIn(node))).join(' ');
  // Terms that run over several elements.
  if (terms.isIn(withoutDates(whole))) {
    for (const node of nodes) if (typeof node !== 'string') node.children = [];
    return Buffer.from(writeXml(nodes), 'utf8');
  }
  return changed ? Buffer.from(writeXml(nodes), 'utf8') : undefined;
}

const withoutDates = (text: string): string =>
  text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/g, ' ');

function cleanNodes(nodes: XmlNode[], terms: Terms): boolean {
  let changed = false;
  nodes.forEach((node, index) => {
    if (typeof node !== 'string') {
      for (const attribute of node.attributes) {
        if (attribute.name.startsWith('xmlns')) continue;
        const cleaned = cleanText(unescapeXml(attribute.raw), terms);
        if (cleaned === undefined) continue;
        attribute.raw = escapeXml(cleaned);
        attribute.quote = '"';
        changed = true;
      }
      if (cleanNodes(node.children, terms)) changed = true;
      return;
    }
    const cleaned = cleanMarkup(node, terms);
    if (cleaned === undefined) return;
    nodes[index] = cleaned;
    changed = true;
  });
  return changed;
}

function cleanMarkup(node: string, terms: Terms): string | undefined {
  if (node.startsWith('<?')) return undefined;
  if (node.startsWith('<!--')) return terms.isIn(node) ? '' : undefined;
  if (node.startsWith('<![CDATA[')) {
    const cleaned = cleanText(node.slice(9, -3), terms);
    return cleaned === undefined ? undefined : escapeXml(cleaned);
  }
  const cleaned = cleanText(unescapeXml(node), terms);
  return cleaned === undefined ? undefined : escapeXml(cleaned);
}
