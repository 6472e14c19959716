// Text and HTML out of RTF, as Outlook stores bodies (MS-OXRTFEX: HTML wrapped in RTF comes out as it went in).
import { lookup } from '../contract/lookup.ts';
import { decoderOf } from './code-pages.ts';

export interface RtfBody {
  html?: string;
  text?: string;
}

interface Group {
  skipped: boolean;
  /** Between \htmlrtf and \htmlrtf0: there only for readers of RTF. */
  forRtf: boolean;
  /** Characters that stand in for each \u. */
  standIns: number;
  font: number;
}

const MAX_DEPTH = 1000;
const SKIPPED = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'generator',
  'listtable',
  'listoverridetable',
  'themedata',
  'header',
  'footer',
  'footnote',
]);
const WORDS: Record<string, string> = lookup({
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
  endash: '\u2013',
  emdash: '\u2014',
  emspace: '\u2003',
  enspace: '\u2002',
});
const CHARSET_PAGES: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi;

export function readRtf(rtf: string): RtfBody {
  const isHtml = /\\fromhtml1?\b/.test(rtf.slice(0, 4096));
  const out = new Output(Number(/\\ansicpg(\d+)/.exec(rtf.slice(0, 4096))?.[1] ?? 1252));
  const fonts = fontPages(rtf);
  const stack: Group[] = [];
  let group: Group = { skipped: false, forRtf: false, standIns: 1, font: -1 };
  let afterStar = false;
  let toSkip = 0;
  const write = (text: string): void => {
    if (!group.skipped && !(isHtml && group.forRtf)) out.text(text);
  };
  for (const [token, word, digits, hex, symbol, brace, plain] of rtf.matchAll(TOKEN)) {
    if (brace === '{') {
      if (stack.length >= MAX_DEPTH) break;
      stack.push(group);
      group = { ...group };
    } else if (brace === '}') {
      group = stack.pop() ?? group;
      toSkip = 0;
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else if (!group.skipped && !(isHtml && group.forRtf))
        out.byte(Number.parseInt(hex, 16), fonts.get(group.font));
    } else if (plain !== undefined) {
      const kept = plain.slice(toSkip);
      toSkip = Math.max(0, toSkip - plain.length);
      write(kept);
    } else if (symbol !== undefined) {
      if (symbol === '*') afterStar = true;
      else if ('\\{}'.includes(symbol)) write(symbol);
      else if (symbol === '~') write('\u00a0');
      else if (symbol === '_') write('\u2011');
      else if (symbol === '\n' || symbol === '\r') write('\n');
      if (symbol === '*') continue;
    } else if (word !== undefined) {
      const name = word.toLowerCase();
      const value = digits === undefined ? undefined : Number(digits);
      if (SKIPPED.has(name) || (afterStar && !(isHtml && name === 'htmltag'))) group.skipped = true;
      else if (name === 'htmlrtf') group.forRtf = value !== 0;
      else if (name === 'uc') group.standIns = Math.min(10, Math.max(0, value ?? 1));
      else if (name === 'f') group.font = value ?? -1;
      else if (name === 'u' && value !== undefined) {
        write(String.fromCharCode(value < 0 ? value + 65536 : value));
        toSkip = group.standIns;
      } else if (WORDS[name] !== undefined && !(isHtml && name === 'cell')) write(WORDS[name] ?? '');
    } else if (token !== '\\') continue;
    afterStar = false;
  }
  const body = out.finish().trim();
  return isHtml ? { html: body } : { text: body };
}

/** Which code page each font of the table writes. */
function fontPages(rtf: string): Map<number, number> {
  const pages = new Map<number, number>();
  const at = rtf.indexOf('\\fonttbl');
  if (at < 0) return pages;
  for (const [, font, charset] of rtf
    .slice(at, at + 50_000)
    .matchAll(/\\f(\d{1,5})\b[^{};]{0,80}?\\fcharset(\d{1,3})/g)) {
    const page = CHARSET_PAGES[Number(charset)];
    if (page !== undefined && !pages.has(Number(font))) pages.set(Number(font), page);
  }
  return pages;
}

/** Characters, and bytes of a code page that become characters when others follow. */
class Output {
  private readonly parts: string[] = [];
  private bytes: number[] = [];
  private page: number;
  private readonly defaultPage: number;

  constructor(defaultPage: number) {
    this.defaultPage = defaultPage;
    this.page = defaultPage;
  }

  text(text: string): void {
    this.settle();
    this.parts.push(text);
  }

  byte(byte: number, page = this.defaultPage): void {
    if (page !== this.page) this.settle();
    this.page = page;
    this.bytes.push(byte);
  }

  finish(): string {
    this.settle();
    return this.parts.join('');
  }

  private settle(): void {
    if (this.bytes.length === 0) return;
    this.parts.push(decoderOf(this.page).decode(Uint8Array.from(this.bytes)));
    this.bytes = [];
  }
}
