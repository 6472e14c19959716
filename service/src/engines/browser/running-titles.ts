// Header and footer of printed pages. The browser fills in elements by class; what it would say of a page that has no
// address of its own is said here.

import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { isReproducible, momentToTell } from '../../contract/reproducible.ts';

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
    const told = name !== undefined && isFilled(node, 'url') ? name : dateFor(node);
    if (told === undefined) clean(node, name, depth + 1);
    else node.childNodes = [{ nodeName: '#text', value: told, parentNode: node }];
  }
}

/** A style sheet that waits for another makes printing fail. */
function withoutImports(style: Parent): void {
  for (const node of style.childNodes)
    if ('value' in node) node.value = node.value.replaceAll(/@import[^;]*;?/gi, '');
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });

/** The browser knows no date but today's. */
const dateFor = (node: Element): string | undefined =>
  isReproducible() && isFilled(node, 'date') ? DATE.format(momentToTell()) : undefined;

type Element = Extract<Node, { attrs: unknown }>;

/** An element that the browser would fill with what the class names; it no longer is. */
function isFilled(node: Element, word: 'url' | 'date'): boolean {
  const classes = node.attrs.find((attribute) => attribute.name === 'class');
  const words = classes?.value.split(/\s+/) ?? [];
  if (!classes || !words.includes(word)) return false;
  classes.value = words.filter((each) => each !== word).join(' ');
  return true;
}
