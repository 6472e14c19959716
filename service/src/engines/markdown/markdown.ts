// The door to Markdown: a text becomes a page to be printed. CommonMark with tables, task lists and strikethrough.
import MarkdownIt from 'markdown-it';
import { highlight } from './code.ts';
import { decodeText } from './decode.ts';
import { headingIds, taskLists } from './extensions.ts';
import { safeHtml } from './safe-html.ts';
import { PAGE_STYLE } from './style.ts';

export interface Markdown {
  /** A whole HTML page; its title is the first heading, else `title`. Holds no scripts and no styles but ours. */
  toPage(text: Uint8Array, title: string): string;
}

/** Metadata that other tools keep above the text. */
const FRONT_MATTER =
  /^---[ \t]*\r?\n(?:[\w-]+[ \t]*:.*\r?\n|[ \t]+.*\r?\n|- .*\r?\n|#.*\r?\n|\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const LONGEST_FRONT_MATTER = 10_000;

export function createMarkdown(): Markdown {
  const renderer = new MarkdownIt({ html: true, linkify: true, highlight }).use(taskLists).use(headingIds);
  // Where links must not lead is taken out afterwards; else they would stand in the text as they are written.
  renderer.validateLink = () => true;
  return {
    toPage(bytes, title) {
      const text = withoutFrontMatter(decodeText(bytes));
      const tokens = renderer.parse(text, {});
      const heading = tokens.findIndex(({ type }) => type === 'heading_open');
      const named = tokens[heading + 1]?.children
        ?.map(({ content }) => content)
        .join('')
        .trim();
      const body = safeHtml(renderer.renderer.render(tokens, renderer.options, {}));
      return (
        `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(heading >= 0 && named ? named : title)}</title>` +
        `<style>${PAGE_STYLE}</style></head><body>${body}</body></html>`
      );
    },
  };
}

function withoutFrontMatter(text: string): string {
  const found = FRONT_MATTER.exec(text.slice(0, LONGEST_FRONT_MATTER))?.[0] ?? '';
  return text.slice(found.length);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
