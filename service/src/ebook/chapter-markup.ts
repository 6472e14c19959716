// One chapter's markup: read, cleared of what runs or loads, its ids and addresses made those of the whole page.
import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import { type Chapter, idIn } from './book.ts';
import { boundUrls, type SheetSource } from './style-sheets.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type Address = (given: string) => string | undefined;

export interface ReadChapter {
  sheets: SheetSource[];
  headings: { id: string; text: string }[];
  /** Classes, direction and language of the document around the body. */
  frame: Record<'class' | 'dir' | 'lang', string>;
  /** Classes and style of the body. */
  body: Record<'class' | 'style', string>;
  write(link: Address, resource: Address): string;
}

const GONE =
  /^(?:script|iframe|frame|frameset|object|embed|applet|audio|video|source|track|link|meta|base|title|style|template|input|select|textarea|button|noscript|portal|foreignobject|animate|set)$/i;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const SELF_CLOSED = /<([a-zA-Z][\w:.-]*)((?:"[^"]*"|'[^']*'|[^"'<>/]|\/(?!>))*)\/>/g;
const MAX_DEPTH = 300;
const MAX_HEADINGS = 2000;

/** `ids` gathers the ids of all chapters. */
export function chapterOf({ path, html }: Chapter, number: number, ids: Map<string, number>): ReadChapter {
  const document = parse(opened(html), { scriptingEnabled: false });
  const sheets: SheetSource[] = [];
  const headings: ReadChapter['headings'] = [];
  const body = first(document.childNodes, 'body');
  for (const element of elements(document.childNodes, 0)) gatherSheets(element, path, sheets);
  const kept = body?.childNodes ?? [];
  for (const element of elements(body ? [body] : [], 0)) {
    for (const attribute of element.attrs) {
      const isId = attribute.name === 'id' || (attribute.name === 'name' && element.tagName === 'a');
      if (!isId || attribute.value === '') continue;
      attribute.name = 'id';
      attribute.value = idIn(number, attribute.value);
      ids.set(attribute.value, number);
    }
    if (/^h[1-3]$/.test(element.tagName) && headings.length < MAX_HEADINGS) {
      const text = textOf(element).replace(/\s+/g, ' ').trim();
      let id = element.attrs.find(({ name }) => name === 'id')?.value;
      if (id === undefined) {
        id = idIn(number, `heading.${headings.length}`);
        element.attrs.push({ name: 'id', value: id });
        ids.set(id, number);
      }
      if (text !== '') headings.push({ id, text: text.slice(0, 300) });
    }
  }
  const root = first(document.childNodes, 'html');
  return {
    sheets,
    headings,
    frame: {
      class: attributeIn(root, 'class'),
      dir: attributeIn(root, 'dir'),
      lang: attributeIn(root, 'lang') || attributeIn(root, 'xml:lang'),
    },
    body: { class: attributeIn(body, 'class'), style: attributeIn(body, 'style') },
    write(link, resource) {
      const holder = document as DefaultTreeAdapterTypes.ParentNode;
      holder.childNodes = kept.filter((node) => clean(node, link, resource, 0));
      const attributes = (body?.attrs ?? []).filter(({ name }) => /^(?:class|dir|lang|id)$/.test(name));
      const style = body?.attrs.find(({ name }) => name === 'style');
      if (style) attributes.push({ name: 'style', value: boundUrls(style.value, resource) });
      const shown = attributes.map(
        ({ name, value }) =>
          ` ${name}="${value.replace(/[&"]/g, (mark) => (mark === '&' ? '&amp;' : '&quot;'))}"`,
      );
      return `<div${shown.join('')}>${serialize(holder)}</div>`;
    },
  };
}

/** XHTML closes elements that HTML leaves open: `<a id="x"/>` would swallow the rest. */
const opened = (html: string): string =>
  html
    .replace(/^\ufeff/, '')
    .replace(/<\?xml[^>]*\?>/i, '')
    .replace(SELF_CLOSED, (whole, name: string, attributes: string) =>
      VOID.test(name) ? whole : `<${name}${attributes}></${name}>`,
    );

/** Whether the node stays; below it nothing is left that should not. */
function clean(node: Node, link: Address, resource: Address, depth: number): boolean {
  if (node.nodeName === '#text') return true;
  if (!('tagName' in node) || GONE.test(node.tagName) || depth > MAX_DEPTH) return false;
  node.attrs = node.attrs.flatMap(({ name, value, ...rest }) => {
    const changed = attributeOf(node, name.toLowerCase(), value, link, resource);
    return changed === undefined ? [] : [{ name, value: changed, ...rest }];
  });
  node.childNodes = node.childNodes.filter((child) => clean(child, link, resource, depth + 1));
  return true;
}

function attributeOf(
  element: Element,
  name: string,
  value: string,
  link: Address,
  resource: Address,
): string | undefined {
  const isImage = /^(?:img|image|feimage)$/i.test(element.tagName);
  if (
    name.startsWith('on') ||
    /^(?:srcset|poster|background|action|formaction|ping|data|srcdoc|longdesc|cite)$/.test(name)
  )
    return undefined;
  if (name === 'style') return boundUrls(value, resource);
  if (name === 'src') return isImage ? resource(value) : undefined;
  if (name === 'href' || name === 'xlink:href') {
    if (isImage) return resource(value);
    if (element.tagName === 'a') return link(value);
    return value.startsWith('#') ? link(value) : undefined;
  }
  return value;
}

function gatherSheets(element: Element, path: string, sheets: SheetSource[]): void {
  const attribute = (wanted: string) => element.attrs.find(({ name }) => name === wanted)?.value ?? '';
  if (element.tagName === 'style') sheets.push({ path, text: textOf(element) });
  else if (
    element.tagName === 'link' &&
    /\bstylesheet\b/i.test(attribute('rel')) &&
    !/\balternate\b/i.test(attribute('rel'))
  )
    sheets.push({ path, href: attribute('href') });
}

function* elements(nodes: readonly Node[], depth: number): Generator<Element> {
  for (const node of nodes) {
    if (!('tagName' in node) || depth > MAX_DEPTH) continue;
    yield node;
    yield* elements(node.childNodes, depth + 1);
  }
}

const first = (nodes: readonly Node[], tagName: string): Element | undefined => {
  for (const element of elements(nodes, 0)) if (element.tagName === tagName) return element;
  return undefined;
};

const attributeIn = (element: Element | undefined, wanted: string): string =>
  element?.attrs.find(({ name }) => name === wanted)?.value.trim() ?? '';

const textOf = (element: Element): string =>
  element.childNodes
    .map((child) => ('value' in child ? child.value : 'tagName' in child ? textOf(child) : ''))
    .join('');
