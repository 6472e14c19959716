// Plain text as a book: paragraphs as they are, headings where lines read like them.
import { escapeHtml } from '../markup/escape-html.ts';
import type { Book, ContentsEntry } from './book.ts';

const HEADING =
  /^\s*(?:(?:chapter|part|book|kapitel|teil|chapitre|partie|cap[ií]tulo|parte)\s+(?:\d{1,4}|[ivxlcdm]{1,8}|[a-z-]{2,12})\b.{0,80}|prologue|epilogue|preface|introduction|prolog|epilog|vorwort)\s*$/i;
const STYLE = '<style>p{margin:0 0 .7em;white-space:pre-wrap}</style>';
const PATH = 'book.html';

export function readTxt(text: string, name: string): Book {
  const contents: ContentsEntry[] = [];
  const blocks = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\f/g, '\n\n')
    .split(/\n[ \t]*\n/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      if (block.length > 120 || !HEADING.test(block)) return `<p>${escapeHtml(block)}</p>`;
      const title = block.trim().replace(/\s+/g, ' ');
      const id = `heading-${contents.length}`;
      contents.push({ title, target: `${PATH}#${id}`, children: [] });
      return `<h2 id="${id}">${escapeHtml(title)}</h2>`;
    });
  return {
    title: name,
    author: '',
    language: '',
    chapters: [{ path: PATH, html: `<head>${STYLE}</head><body>${blocks.join('\n')}</body>` }],
    contents,
    resource: async () => undefined,
  };
}
