// FictionBook 2: one XML file that tells what things are, not how they look; images are in it as base64.
import { lookup } from '../contract/lookup.ts';
import { escapeHtml } from '../markup/escape-html.ts';
import { childOf, childrenOf, find, isElement, parseXml, textOf, type XmlElement } from '../markup/xml.ts';
import { type Book, type ContentsEntry, MAX_CONTENTS } from './book.ts';

const PATH = 'book.html';
const STYLE =
  '<style>p{margin:0;text-indent:1.5em;text-align:justify}h1,h2,h3,h4,h5,h6{text-align:center;break-after:avoid}' +
  '.epigraph,.cite{margin:1em 0 1em 3em}.poem{margin:1em 0 1em 3em}.stanza{margin:.6em 0}.stanza p{text-indent:0}' +
  '.text-author{font-style:italic}.note{font-size:90%}.picture{text-align:center;text-indent:0}</style>';

const PLAIN: Record<string, string> = lookup({
  p: 'p',
  v: 'p',
  strong: 'strong',
  emphasis: 'em',
  strikethrough: 's',
  sub: 'sub',
  sup: 'sup',
  code: 'code',
  table: 'table',
  tr: 'tr',
  td: 'td',
  th: 'th',
});
const BLOCKS = new Set(['epigraph', 'cite', 'poem', 'stanza', 'annotation']);

/** Undefined where the text is no such book. */
export function readFb2(text: string): Book | undefined {
  const root = find(parseXml(text), 'FictionBook');
  const bodies = childrenOf(root, 'body');
  if (!root || bodies.length === 0) return undefined;
  const info = find(childOf(root, 'description'), 'title-info');
  const title = textOf(childOf(info, 'book-title'));
  const author = childrenOf(info, 'author').map(personName).filter(Boolean).join(', ');
  const writer = new Writer();
  const parts = bodies.map((body) => writer.section(body, 1));
  const cover = find(childOf(info, 'coverpage'), 'image')?.attributes.get('href')?.replace(/^#/, '');
  const annotation = childOf(info, 'annotation');
  const front = `<h1>${escapeHtml(title)}</h1><p class="picture">${escapeHtml(author)}</p>${annotation ? writer.content(annotation, 1) : ''}`;
  const binaries = new Map(childrenOf(root, 'binary').map((each) => [each.attributes.get('id') ?? '', each]));
  return {
    title,
    author,
    language: textOf(childOf(info, 'lang')),
    chapters: [
      { path: 'front.html', html: `<head>${STYLE}</head><body>${front}</body>` },
      ...parts.map((html, index) => ({
        path: chapterPath(index),
        html: `<head>${STYLE}</head><body>${html}</body>`,
      })),
    ],
    contents: bodies.flatMap((_, index) => writer.entries[index] ?? []),
    cover: cover && binaries.has(cover) ? `images/${cover}` : undefined,
    async resource(path) {
      const binary = binaries.get(path.replace(/^images\//, ''));
      if (!binary) return undefined;
      const mediaType = binary.attributes.get('content-type');
      const bytes = Buffer.from(textOf(binary), 'base64');
      return { bytes, ...(mediaType ? { mediaType } : {}) };
    },
  };
}

const chapterPath = (index: number): string => (index === 0 ? PATH : `book-${index}.html`);

const personName = (author: XmlElement): string =>
  ['first-name', 'middle-name', 'last-name']
    .map((name) => textOf(childOf(author, name)))
    .filter(Boolean)
    .join(' ') || textOf(childOf(author, 'nickname'));

class Writer {
  /** Of each body. */
  readonly entries: ContentsEntry[][] = [];
  private sections = 0;
  private readonly stack: ContentsEntry[][] = [];

  section(element: XmlElement, level: number): string {
    const isBody = element.name === 'body';
    if (isBody) {
      const list: ContentsEntry[] = [];
      this.entries.push(list);
      this.stack.push(list);
    }
    const title = textOf(childOf(element, 'title'));
    const id = element.attributes.get('id') ?? `section-${this.sections}`;
    this.sections += 1;
    const children: ContentsEntry[] = [];
    if (title !== '' && this.sections < MAX_CONTENTS)
      this.stack.at(-1)?.push({ title, target: `${chapterPath(this.entries.length - 1)}#${id}`, children });
    this.stack.push(title === '' || isBody ? (this.stack.at(-1) ?? children) : children);
    const html = `<section id="${escapeHtml(id)}">${this.content(element, level)}</section>`;
    this.stack.pop();
    if (isBody) this.stack.pop();
    return html;
  }

  content(element: XmlElement, level: number): string {
    return element.children
      .map((child) => (isElement(child) ? this.element(child, level) : escapeHtml(child)))
      .join('');
  }

  private element(element: XmlElement, level: number): string {
    const { name, attributes } = element;
    const inner = () => this.content(element, level);
    const id = attributes.get('id');
    const mark = id ? ` id="${escapeHtml(id)}"` : '';
    if (name === 'section') return this.section(element, Math.min(6, level + 1));
    if (name === 'title') {
      const lines = childrenOf(element, 'p').map(textOf).map(escapeHtml).join('<br>');
      return `<h${level}>${lines || escapeHtml(textOf(element))}</h${level}>`;
    }
    if (name === 'subtitle') return `<h6${mark}>${inner()}</h6>`;
    if (name === 'empty-line') return '<p>&nbsp;</p>';
    if (name === 'text-author' || name === 'date') return `<p class="text-author">${inner()}</p>`;
    if (name === 'image') {
      const target = attributes.get('href')?.replace(/^#/, '') ?? '';
      const image = `<img src="images/${escapeHtml(encodeURIComponent(target))}" alt="${escapeHtml(attributes.get('alt') ?? '')}">`;
      return `<span class="picture"${mark}>${image}</span>`;
    }
    if (name === 'a')
      return `<a href="${escapeHtml(this.address(attributes.get('href') ?? ''))}"${mark}>${inner()}</a>`;
    if (BLOCKS.has(name)) return `<div class="${name}"${mark}>${inner()}</div>`;
    const tag = PLAIN[name];
    if (tag === undefined) return inner();
    return `<${tag}${mark}>${inner()}</${tag}>`;
  }

  /** Notes stand in a body of their own: which one is not known yet, so that ids are looked for in all. */
  private address(href: string): string {
    return href.startsWith('#') ? `*${href}` : href;
  }
}
