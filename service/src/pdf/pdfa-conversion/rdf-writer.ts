// Writes properties back as an XMP packet.
import type { RdfNode } from '../conformance/xmp/rdf.ts';
import { escapeXml } from '../metadata/xml-tree.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const NAME = /^[A-Za-z_\u00c0-\uffef][\w.\u00b7-\uffef-]*$/;

export const isXmlName = (text: string): boolean => NAME.test(text);

export function writePacket(properties: readonly RdfNode[]): Uint8Array {
  const prefixes = new Map<string, string>();
  for (const node of properties) bind(node, prefixes);
  const bindings = [...prefixes]
    .map(([namespace, prefix]) => ` xmlns:${prefix}="${escapeXml(namespace)}"`)
    .join('');
  const body = properties.map((node) => element(node, prefixes)).join('\n');
  const text = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="${RDF}">
<rdf:Description rdf:about=""${bindings}>
${body}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
  return Buffer.from(text, 'utf8');
}

/** Every namespace gets one prefix: its own where no other has it. */
function bind(node: RdfNode, prefixes: Map<string, string>): void {
  if (node.namespace !== RDF && !prefixes.has(node.namespace)) {
    const taken = new Set(['rdf', 'x', 'xml', ...prefixes.values()]);
    let prefix = isXmlName(node.prefix) ? node.prefix : 'ns';
    for (let number = 1; taken.has(prefix); number += 1) prefix = `${node.prefix || 'ns'}${number}`;
    prefixes.set(node.namespace, prefix);
  }
  for (const inner of [...node.items, ...node.fields]) bind(inner, prefixes);
}

function element(node: RdfNode, prefixes: ReadonlyMap<string, string>): string {
  const name =
    node.namespace === RDF ? `rdf:${node.local}` : `${prefixes.get(node.namespace) ?? 'ns'}:${node.local}`;
  const lang = node.lang === undefined ? '' : ` xml:lang="${escapeXml(node.lang)}"`;
  const inner = (nodes: readonly RdfNode[]): string => nodes.map((each) => element(each, prefixes)).join('');
  if (node.kind === 'simple') return `<${name}${lang}>${escapeXml(node.value)}</${name}>`;
  if (node.kind === 'struct')
    return `<${name}${lang} rdf:parseType="Resource">${inner(node.fields)}</${name}>`;
  return `<${name}${lang}><rdf:${node.kind}>${inner(node.items)}</rdf:${node.kind}></${name}>`;
}

const bare = (namespace: string, prefix: string, local: string): RdfNode => ({
  namespace,
  prefix,
  local,
  kind: 'simple',
  value: '',
  items: [],
  fields: [],
  lang: undefined,
});

export const simple = (namespace: string, prefix: string, local: string, value: string): RdfNode => ({
  ...bare(namespace, prefix, local),
  value,
});

const struct = (namespace: string, prefix: string, local: string, fields: RdfNode[]): RdfNode => ({
  ...bare(namespace, prefix, local),
  kind: 'struct',
  fields,
});

export const array = (
  namespace: string,
  prefix: string,
  local: string,
  kind: 'Bag' | 'Seq' | 'Alt',
  items: RdfNode[],
): RdfNode => ({ ...bare(namespace, prefix, local), kind, items });

export const item = (value: string, lang?: string): RdfNode => ({ ...simple(RDF, 'rdf', 'li', value), lang });
export const structItem = (fields: RdfNode[]): RdfNode => struct(RDF, 'rdf', 'li', fields);
