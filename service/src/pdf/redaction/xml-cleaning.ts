// Terms in XML: in its texts, attributes, comments, instructions, and in names that its author chose.
import { computeOnce } from '../../contract/maps.ts';
import {
  escapeXml,
  parseXml,
  textIn,
  unescapeXml,
  writeXml,
  type XmlElement,
  type XmlNode,
} from '../metadata/xml-tree.ts';
import { cleanText } from './clean-text.ts';
import { isSecretName } from './secret-names.ts';
import type { Terms } from './terms.ts';

/** New text where the old holds a term; 'no-xml' where it is not well formed. */
export function cleanXml(text: string, terms: Terms): string | 'no-xml' | undefined {
  const nodes = /^\s*(?:\ufeff)?</.test(text)
    ? parseXml(text.replace(/^\s*<\?xml\s[^>]*\?>/, ''))
    : undefined;
  if (!nodes) return 'no-xml';
  const changed = new XmlCleaner(terms).nodes(nodes, { '': '' });
  const whole = nodes.map((node) => (typeof node === 'string' ? '' : textIn(node))).join(' ');
  // Terms that run over several elements.
  if (terms.isIn(withoutDates(whole))) {
    for (const node of nodes) if (typeof node !== 'string') node.children = [];
    return writeXml(nodes);
  }
  return changed ? writeXml(nodes) : undefined;
}

/** XML that is cut into several streams is none by itself: what stands between its tags is cleaned. */
export const cleanFragment = (text: string, terms: Terms): string =>
  text
    .split(/(<[^>]*>)/)
    .map((part) => {
      const cleaned = cleanText(unescapeXml(part), terms);
      if (cleaned === undefined) return part;
      return part.startsWith('<') ? cleaned : escapeXml(cleaned);
    })
    .join('');

const withoutDates = (text: string): string =>
  text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/g, ' ');

/** Vocabularies with published names: these tell nothing of the document. */
const PUBLISHED =
  /^(?:https?:\/\/(?:\w+\.)*(?:w3\.org|purl\.org|adobe\.com|xfa\.org|aiim\.org|npes\.org|iptc\.org|cipa\.jp|pdfa\.org|prismstandard\.org|microsoft\.com|creativecommons\.org)\/|adobe:|iX:|urn:)/i;

type Scope = Readonly<Record<string, string>>;

class XmlCleaner {
  private readonly terms: Terms;
  private readonly given = new Map<string, string>();

  constructor(terms: Terms) {
    this.terms = terms;
  }

  /** Whether anything changed. */
  nodes(nodes: XmlNode[], around: Scope): boolean {
    let changed = false;
    nodes.forEach((node, index) => {
      if (typeof node !== 'string') {
        if (this.element(node, around)) changed = true;
        return;
      }
      const cleaned = this.markup(node);
      if (cleaned === undefined) return;
      nodes[index] = cleaned;
      changed = true;
    });
    return changed;
  }

  private element(element: XmlElement, around: Scope): boolean {
    let changed = false;
    const scope: Record<string, string> = { ...around };
    for (const { name, raw } of element.attributes)
      if (/^xmlns(?::|$)/.test(name)) scope[name.slice(6)] = raw;
    const named = this.otherName(element.name, scope, '');
    if (named !== element.name) {
      element.name = named;
      changed = true;
    }
    for (const attribute of element.attributes) {
      const isSpace = /^xmlns(?::|$)/.test(attribute.name);
      if (isSpace && PUBLISHED.test(attribute.raw)) continue;
      const other = isSpace ? attribute.name : this.otherName(attribute.name, scope, 'none');
      const cleaned = cleanText(unescapeXml(attribute.raw), this.terms);
      if (other === attribute.name && cleaned === undefined) continue;
      attribute.name = other;
      if (cleaned !== undefined) attribute.raw = escapeXml(cleaned);
      attribute.quote = '"';
      changed = true;
    }
    return this.nodes(element.children, scope) || changed;
  }

  /** Names of published vocabularies stay; attributes without a prefix belong to their element's. */
  private otherName(name: string, scope: Scope, kind: '' | 'none'): string {
    const colon = name.indexOf(':');
    const [prefix, local] = colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
    if (prefix === 'xml' || (kind === 'none' && colon === -1 && PUBLISHED.test(scope[''] ?? ''))) return name;
    if (PUBLISHED.test(scope[prefix] ?? '')) return name;
    if (!isSecretName(local, this.terms)) return name;
    const other = computeOnce(this.given, local, () => `X${this.given.size + 1}`);
    return colon === -1 ? other : `${prefix}:${other}`;
  }

  private markup(node: string): string | undefined {
    const { terms } = this;
    if (node.startsWith('<?')) return !node.startsWith('<?xpacket') && terms.isIn(node) ? '' : undefined;
    if (node.startsWith('<!--')) return terms.isIn(unescapeXml(node)) ? '' : undefined;
    if (node.startsWith('<![CDATA[')) {
      const cleaned = cleanText(node.slice(9, -3), terms);
      return cleaned === undefined ? undefined : escapeXml(cleaned);
    }
    const cleaned = cleanText(unescapeXml(node), terms);
    return cleaned === undefined ? undefined : escapeXml(cleaned);
  }
}
