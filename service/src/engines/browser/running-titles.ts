// Header and footer of printed pages. The browser fills in elements by class; what it would say of a page that has no
// address of its own is said here.
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';

/** The browser's own header appears where none is given. */
const NO_TITLE = '<span></span>';

export function runningTitle(
  html: string | undefined,
  sides: { left: number; right: number },
  name?: string,
): string {
  if (html === undefined) return NO_TITLE;
  // The browser draws these without style; unless told otherwise they are small, between the margins of the text.
  const style =
    `box-sizing:border-box;width:100%;padding:0 ${sides.right}pt 0 ${sides.left}pt;` +
    'font-family:sans-serif;font-size:8pt;-webkit-print-color-adjust:exact';
  return `<div style="${style}">${cleaned(html, name)}</div>`;
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const DEEPEST = 200;
/** Printing fails where a header holds a document of its own; and nothing in it runs or is fetched. */
const DROPPED =
  /^(?:applet|audio|base|body|embed|frame|frameset|head|html|iframe|link|meta|noscript|object|portal|script|template|title|video)$/;

function cleaned(html: string, name: string | undefined): string {
  const fragment = parseFragment(html);
  clean(fragment, name, 0);
  return serialize(fragment);
}

function clean(parent: Parent, name: string | undefined, depth: number): void {
  parent.childNodes = parent.childNodes.filter(
    ({ nodeName }) => !DROPPED.test(nodeName) && nodeName !== '#comment' && depth < DEEPEST,
  );
  for (const node of parent.childNodes) {
    if (!('attrs' in node)) continue;
    node.attrs = node.attrs.filter((attribute) => !/^on/i.test(attribute.name));
    if (node.nodeName === 'style') withoutImports(node);
    if (name === undefined || !isAddress(node)) clean(node, name, depth + 1);
    else node.childNodes = [{ nodeName: '#text', value: name, parentNode: node }];
  }
}

/** A style sheet that waits for another makes printing fail. */
function withoutImports(style: Parent): void {
  for (const node of style.childNodes)
    if ('value' in node) node.value = node.value.replaceAll(/@import[^;]*;?/gi, '');
}

/** An element that the browser would fill with the address; it no longer is. */
function isAddress(node: Extract<Node, { attrs: unknown }>): boolean {
  const classes = node.attrs.find((attribute) => attribute.name === 'class');
  if (!classes?.value.split(/\s+/).includes('url')) return false;
  classes.value = classes.value.replace(/(?<!\S)url(?!\S)/g, '').trim();
  return true;
}
