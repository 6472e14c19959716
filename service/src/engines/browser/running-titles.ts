// Header and footer of printed pages. The browser fills in elements by class; what it would say of a page that has no
// address of its own is said here.
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';

/** The browser's own header appears where none is given. */
export const NO_TITLE = '<span></span>';

export function runningTitle(
  html: string | undefined,
  sides: { left: number; right: number },
  name?: string,
): string {
  if (html === undefined) return NO_TITLE;
  const filled = name === undefined ? html : named(html, name);
  // The browser draws these without style; unless told otherwise they are small, between the margins of the text.
  const style =
    `box-sizing:border-box;width:100%;padding:0 ${sides.right}pt 0 ${sides.left}pt;` +
    'font-family:sans-serif;font-size:8pt;-webkit-print-color-adjust:exact';
  return `<div style="${style}">${filled}</div>`;
}

type Node = DefaultTreeAdapterTypes.ChildNode;

const DEEPEST = 200;

function named(html: string, name: string): string {
  if (!/url/i.test(html)) return html;
  const fragment = parseFragment(html);
  nameIn(fragment.childNodes, name, 0);
  return serialize(fragment);
}

function nameIn(nodes: readonly Node[], name: string, depth: number): void {
  if (depth > DEEPEST) return;
  for (const node of nodes) {
    if (!('attrs' in node)) continue;
    const classes = node.attrs.find((attribute) => attribute.name === 'class');
    if (classes?.value.split(/\s+/).includes('url')) {
      classes.value = classes.value.replace(/(?<!\S)url(?!\S)/g, '').trim();
      node.childNodes = [{ nodeName: '#text', value: name, parentNode: node }];
    } else nameIn(node.childNodes, name, depth + 1);
  }
}
