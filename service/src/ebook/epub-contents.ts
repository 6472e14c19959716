// Tables of contents of EPUB files: the navigation document of version 3, the NCX of version 2.

import { below, childOf, childrenOf, find, parseXml, textOf, type XmlElement } from '../markup/xml.ts';
import { type ContentsEntry, MAX_CONTENTS, MAX_CONTENTS_DEPTH, resolveAddress } from './book.ts';

export function contentsOfNavigation(text: string, path: string): ContentsEntry[] {
  const navs = [...below(parseXml(text))].filter(({ name }) => name === 'nav');
  const toc =
    navs.find(({ attributes }) => /(?:^|\s)toc(?:\s|$)/.test(attributes.get('type') ?? '')) ?? navs[0];
  const budget = { left: MAX_CONTENTS };
  const entries = (list: XmlElement | undefined, depth: number): ContentsEntry[] =>
    childrenOf(list, 'li').flatMap((item) => {
      if (budget.left <= 0 || depth > MAX_CONTENTS_DEPTH) return [];
      budget.left -= 1;
      const link = find(item, 'a');
      const label = childOf(item, 'a') ?? childOf(item, 'span') ?? link;
      const children = entries(childOf(item, 'ol') ?? childOf(item, 'ul'), depth + 1);
      return entry(textOf(label), path, link?.attributes.get('href'), children);
    });
  return entries(find(toc, 'ol') ?? find(toc, 'ul'), 1);
}

export function contentsOfNcx(text: string, path: string): ContentsEntry[] {
  const budget = { left: MAX_CONTENTS };
  const entries = (parent: XmlElement | undefined, depth: number): ContentsEntry[] =>
    childrenOf(parent, 'navPoint').flatMap((point) => {
      if (budget.left <= 0 || depth > MAX_CONTENTS_DEPTH) return [];
      budget.left -= 1;
      const title = textOf(childOf(point, 'navLabel'));
      return entry(title, path, childOf(point, 'content')?.attributes.get('src'), entries(point, depth + 1));
    });
  return entries(find(parseXml(text), 'navMap'), 1);
}

function entry(
  title: string,
  path: string,
  address: string | undefined,
  children: ContentsEntry[],
): ContentsEntry[] {
  const to = address === undefined ? undefined : resolveAddress(path, address);
  if (title === '' || !to) return children;
  return [
    { title: title.slice(0, 500), target: to.fragment ? `${to.path}#${to.fragment}` : to.path, children },
  ];
}
