// EPUB 2 and 3: a package of XHTML files, the order of which a package document tells.
import { Problem } from '../contract/problems.ts';
import { childOf, childrenOf, find, parseXml, textOf, type XmlElement } from '../markup/xml.ts';
import {
  type Book,
  type Chapter,
  MAX_CHAPTERS,
  MAX_CHARACTERS,
  type PackageFiles,
  resolveAddress,
} from './book.ts';
import { contentsOfNavigation, contentsOfNcx } from './epub-contents.ts';
import { protectionOf } from './epub-protection.ts';
import { decodeText } from './text-decoding.ts';

interface Item {
  id: string;
  path: string;
  mediaType: string;
  properties: string;
}

const MARKUP = /html|xml$/i;
const IMAGE = /^image\//i;

export async function readEpub(files: PackageFiles, name: string): Promise<Book> {
  const text = async (path: string): Promise<string | undefined> => {
    const bytes = await files.read(path);
    return bytes && decodeText(bytes);
  };
  const container = parseXml((await text('META-INF/container.xml')) ?? '');
  const opfPath =
    find(container, 'rootfile')?.attributes.get('full-path') ??
    files.paths.find((path) => path.endsWith('.opf'));
  const opf = opfPath === undefined ? undefined : await text(opfPath);
  if (opfPath === undefined || opf === undefined)
    throw new Problem(
      'unsupported_file_type',
      `${name} is not an EPUB that can be read: it has no package document.`,
    );
  const root = find(parseXml(opf), 'package');
  const protection = await protectionOf(text, root, name);
  const metadata = childOf(root, 'metadata');
  const items = manifest(root, opfPath);
  const spine = spineItems(root, items);
  const chapters = await readChapters(spine, text);
  if (chapters.length === 0)
    throw new Problem(
      'unsupported_file_type',
      `${name} is not an EPUB that can be read: it has no chapters.`,
    );
  const all = [...(find(metadata, 'dc-metadata')?.children ?? []), ...(metadata?.children ?? [])];
  const said = (local: string): string =>
    textOf(all.find((each) => typeof each !== 'string' && each.name === local) as XmlElement | undefined);
  return {
    title: said('title'),
    author: childrenOf(metadata, 'creator').map(textOf).join(', '),
    language: said('language'),
    chapters,
    contents: await contents(root, items, text),
    cover: await coverOf(root, items, chapters),
    fixedPage: fixedPage(metadata, chapters),
    async resource(path) {
      const bytes = await files.read(path);
      if (!bytes) return undefined;
      const mediaType = [...items.values()].find((item) => item.path === path)?.mediaType;
      return { bytes: protection.clear(path, bytes), ...(mediaType ? { mediaType } : {}) };
    },
  };
}

function manifest(root: XmlElement | undefined, opfPath: string): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const { attributes } of childrenOf(childOf(root, 'manifest'), 'item')) {
    const id = attributes.get('id') ?? '';
    const path = resolveAddress(opfPath, attributes.get('href') ?? '')?.path;
    if (path === undefined || items.has(id)) continue;
    const mediaType = attributes.get('media-type') ?? '';
    items.set(id, { id, path, mediaType, properties: attributes.get('properties') ?? '' });
  }
  return items;
}

/** Parts beside the reading order (`linear="no"`) come where they stand. */
const spineItems = (root: XmlElement | undefined, items: Map<string, Item>): Item[] =>
  childrenOf(childOf(root, 'spine'), 'itemref')
    .flatMap(({ attributes }) => items.get(attributes.get('idref') ?? '') ?? [])
    .slice(0, MAX_CHAPTERS);

async function readChapters(
  spine: Item[],
  text: (path: string) => Promise<string | undefined>,
): Promise<Chapter[]> {
  const chapters: Chapter[] = [];
  const seen = new Set<string>();
  let characters = 0;
  for (const { path, mediaType } of spine) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (IMAGE.test(mediaType)) {
      chapters.push({ path, html: `<body><p><img src="/${path}" alt=""></p></body>` });
      continue;
    }
    const html = MARKUP.test(mediaType) ? await text(path) : undefined;
    if (html === undefined) continue;
    characters += html.length;
    if (characters > MAX_CHARACTERS) break;
    chapters.push({ path, html });
  }
  return chapters;
}

async function contents(
  root: XmlElement | undefined,
  items: Map<string, Item>,
  text: (path: string) => Promise<string | undefined>,
) {
  const list = [...items.values()];
  const navigation = list.find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties));
  const found = navigation && contentsOfNavigation((await text(navigation.path)) ?? '', navigation.path);
  if (found && found.length > 0) return found;
  const ncx =
    items.get(childOf(root, 'spine')?.attributes.get('toc') ?? '') ??
    list.find(({ mediaType }) => mediaType === 'application/x-dtbncx+xml');
  return ncx ? contentsOfNcx((await text(ncx.path)) ?? '', ncx.path) : [];
}

/** The cover, where no chapter near the beginning shows it. */
async function coverOf(root: XmlElement | undefined, items: Map<string, Item>, chapters: Chapter[]) {
  const named = childrenOf(childOf(root, 'metadata'), 'meta').find(
    ({ attributes }) => attributes.get('name') === 'cover',
  );
  const item =
    [...items.values()].find(({ properties }) => /(?:^|\s)cover-image(?:\s|$)/.test(properties)) ??
    items.get(named?.attributes.get('content') ?? '');
  if (!item || !IMAGE.test(item.mediaType)) return undefined;
  const file = item.path.split('/').at(-1) ?? item.path;
  const isShown = chapters
    .slice(0, 3)
    .some(({ html }) => html.includes(file) || html.includes(encodeURI(file)));
  return isShown ? undefined : item.path;
}

/** Books whose pages are laid out beforehand: as large as the first says it is. */
function fixedPage(metadata: XmlElement | undefined, chapters: Chapter[]): Book['fixedPage'] {
  const layout = childrenOf(metadata, 'meta').find(
    ({ attributes }) => attributes.get('property') === 'rendition:layout',
  );
  if (textOf(layout) !== 'pre-paginated') return undefined;
  for (const { html } of chapters) {
    const viewport = /<meta[^>]*name\s*=\s*["']viewport["'][^>]*>/i.exec(html)?.[0] ?? '';
    const width = Number(/width\s*=\s*(\d+)/i.exec(viewport.replace(/^<meta/i, ''))?.[1] ?? 0);
    const height = Number(/height\s*=\s*(\d+)/i.exec(viewport)?.[1] ?? 0);
    if (width >= 50 && height >= 50 && width <= 10_000 && height <= 10_000) return { width, height };
  }
  return undefined;
}
