// What GitHub adds to lists and headings.
import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const TASK = /^\[([ xX])\][ \t]+/;

/** `- [x] done`: a box to tick before the text. */
export function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task-lists', ({ tokens }: StateCore) => {
    for (const [at, token] of tokens.entries()) {
      const item = tokens[at - 2];
      const first = token.children?.[0];
      if (token.type !== 'inline' || item?.type !== 'list_item_open' || first?.type !== 'text') continue;
      const [mark, state] = TASK.exec(first.content) ?? [];
      if (mark === undefined) continue;
      first.content = first.content.slice(mark.length);
      const box = Object.assign(Object.create(Object.getPrototypeOf(first)), {
        ...first,
        type: 'html_inline',
        content: `<input type="checkbox" disabled${state === ' ' ? '' : ' checked'}> `,
      }) as Token;
      token.children?.unshift(box);
      item.attrJoin('class', 'task');
    }
  });
}

/** Headings are called by their words, so that links inside the document find them. */
export function headingIds(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading-ids', ({ tokens }: StateCore) => {
    const used = new Map<string, number>();
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const words = tokens[at + 1]?.children?.map(({ content }) => content).join('') ?? '';
      const slug = words
        .toLowerCase()
        .trim()
        .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
        .replaceAll(' ', '-');
      const count = used.get(slug) ?? 0;
      used.set(slug, count + 1);
      token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
    }
  });
}
