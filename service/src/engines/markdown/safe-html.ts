// HTML inside Markdown, kept as far as it only formats. What is not known here loses its tags, or goes with all it
// holds; the page it becomes part of runs no scripts and reaches nothing anyway.
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

const KEPT = new Set(
  (
    'a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div ' +
    'dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li main mark nav ol p ' +
    'picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th ' +
    'thead time tr tt u ul var wbr'
  ).split(' '),
);

/** Their content is no text. */
const DROPPED = new Set(
  (
    'applet audio base canvas embed frame frameset head iframe link math meta noembed noframes noscript object param ' +
    'plaintext portal script select style svg template textarea title video xmp'
  ).split(' '),
);

const ATTRIBUTES = new Set(
  'abbr align alt border checked cite class colspan datetime dir disabled headers height href id lang name open reversed rowspan scope span src srcset start title type valign value width'.split(
    ' ',
  ),
);
const TEXT_ALIGN = /^text-align:\s*(?:left|center|right)$/;
/** Relative ones have no scheme. */
const SCHEME = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*):/i;
const LINKS = new Set(['http', 'https', 'mailto', 'tel', 'ftp']);
const SOURCES = new Set(['http', 'https', 'data']);
const DEEPEST = 500;

export function safeHtml(html: string): string {
  const fragment = parseFragment(html);
  clean(fragment, 0);
  return serialize(fragment);
}

function clean(parent: Parent, depth: number): void {
  parent.childNodes = parent.childNodes.flatMap((node) => cleaned(node, depth));
  for (const node of parent.childNodes) node.parentNode = parent;
}

function cleaned(node: Node, depth: number): Node[] {
  if (node.nodeName === '#text') return [node];
  if (!('tagName' in node) || DROPPED.has(node.tagName) || depth > DEEPEST) return [];
  clean(node, depth + 1);
  if (!KEPT.has(node.tagName)) return node.childNodes;
  if (
    node.tagName === 'input' &&
    !node.attrs.some(({ name, value }) => name === 'type' && value === 'checkbox')
  )
    return [];
  node.attrs = node.attrs.filter(({ name, value }) => isSafe(node, name, value));
  return [node];
}

function isSafe({ tagName }: Element, name: string, value: string): boolean {
  if (name === 'style') return TEXT_ALIGN.test(value);
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'srcset') return !/[a-z][a-z0-9+.-]*:/i.test(value);
  const scheme = SCHEME.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined || (name !== 'href' && name !== 'src' && name !== 'cite')) return true;
  return (tagName === 'a' || name === 'cite' ? LINKS : SOURCES).has(scheme);
}
