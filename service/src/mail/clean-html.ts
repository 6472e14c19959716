// HTML of a message, reduced to what shows: an allow list of elements and attributes. Scripts, forms, frames and
// whatever would be fetched from outside are gone; links stay, as links.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { escapeHtml } from '../markup/escape-html.ts';
import { cleanDeclarations, cleanSheet } from './clean-style.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

export interface CleanHtml {
  html: string;
  /** Rules of its style sheets. */
  sheet: string;
}

/** The address under which an image is found that the body names; undefined where the message has none of it. */
export type ImageAddress = (source: string, base: string | undefined) => string | undefined;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const KEPT = words(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn dir ' +
    'div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark menu nav ol p pre q ' +
    'rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
);
const EMPTY = words('br col hr img wbr');
const GONE = words(
  'script style iframe frame frameset noframes object embed applet template svg math canvas video audio source track link ' +
    'meta base title input select textarea option datalist param portal noembed plaintext xmp dialog map area',
);
const ATTRIBUTES = words(
  'abbr align bgcolor border cellpadding cellspacing class color colspan datetime dir face height hspace id lang name nowrap ' +
    'open rowspan scope size span start summary title type valign value vspace width',
);
const LINKS = /^(?:https?:|mailto:|tel:|#)/i;
const IMAGES = /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[a-z0-9+/=\s]*$/i;
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 500_000;

export function cleanHtml(html: string, picture: ImageAddress): CleanHtml {
  const sheets: string[] = [];
  const out: string[] = [];
  let elements = 0;
  let base: string | undefined;

  function visit(nodes: readonly Node[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const node of nodes) {
      if (node.nodeName === '#text' && 'value' in node) out.push(escapeHtml(node.value));
      else if ('tagName' in node) element(node, depth);
    }
  }

  function element(node: Element, depth: number): void {
    elements += 1;
    if (elements > MAX_ELEMENTS) return;
    const { tagName } = node;
    if (tagName === 'base') base ??= attribute(node, 'href');
    if (tagName === 'style') sheets.push(cleanSheet(textOf(node)));
    if (GONE.has(tagName)) return;
    if (tagName === 'html' || tagName === 'body') {
      frame(node, depth);
      return;
    }
    // Word's own elements, forms and all else unknown: what they hold stays.
    if (!KEPT.has(tagName)) visit(node.childNodes, depth + 1);
    else if (tagName === 'img') image(node);
    else {
      out.push(`<${tagName}${attributesOf(node)}>`);
      if (EMPTY.has(tagName)) return;
      visit(node.childNodes, depth + 1);
      out.push(`</${tagName}>`);
    }
  }

  /** The page is ours; its looks and the direction of its words are theirs. */
  function frame(node: Element, depth: number): void {
    const given = frameAttributes(node);
    if (given !== '') out.push(`<div${given}>`);
    visit(node.childNodes, depth + 1);
    if (given !== '') out.push('</div>');
  }

  function image(node: Element): void {
    const source = attribute(node, 'src')?.trim() ?? '';
    const own = IMAGES.test(source) ? source : source === '' ? undefined : picture(source, base);
    const alt = attribute(node, 'alt') ?? '';
    if (own) out.push(`<img src="${escapeHtml(own)}" alt="${escapeHtml(alt)}"${attributesOf(node)}>`);
    else if (alt.trim() !== '') out.push(`<span>${escapeHtml(alt)}</span>`);
  }

  visit(parse(html, { scriptingEnabled: false }).childNodes, 0);
  return { html: out.join(''), sheet: sheets.join('\n') };
}

const FRAME_ATTRIBUTES = words('class dir id lang style');

function frameAttributes({ attrs, tagName }: Element): string {
  const colours = [
    ['bgcolor', 'background-color'],
    ['text', 'color'],
  ].flatMap(([name, property]) => {
    const value = attrs.find((each) => each.name === name)?.value.trim() ?? '';
    return /^#?\w{1,30}$/.test(value) ? [`${property}:${value}`] : [];
  });
  const style = [...colours, attrs.find(({ name }) => name === 'style')?.value ?? '']
    .filter(Boolean)
    .join(';');
  const kept = attrs.filter(({ name }) => FRAME_ATTRIBUTES.has(name) && name !== 'style');
  return attributesOf({ attrs: style ? [...kept, { name: 'style', value: style }] : kept, tagName });
}

function attributesOf({ attrs, tagName }: Pick<Element, 'attrs' | 'tagName'>): string {
  return attrs
    .flatMap(({ name, value }) => {
      if (name === 'style') {
        const style = cleanDeclarations(value);
        return style === '' ? [] : [` style="${escapeHtml(style)}"`];
      }
      if (name === 'href')
        return tagName === 'a' && LINKS.test(value.trim()) ? [` href="${escapeHtml(value.trim())}"`] : [];
      return ATTRIBUTES.has(name) && value.length <= 1000 ? [` ${name}="${escapeHtml(value)}"`] : [];
    })
    .join('');
}

const attribute = ({ attrs }: Element, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value;

const textOf = ({ childNodes }: Element): string =>
  childNodes.map((child) => ('value' in child ? child.value : '')).join('');
