// Runs of text as GitHub Flavored Markdown: what would be taken for markup is escaped, emphasis is kept.
import type { Formula } from '../layout/formulas/formula.ts';
import type { LinkTarget, Run } from '../layout/model.ts';
import { latexOf } from './latex.ts';

export interface InlineOptions {
  /** Emphasis of the whole, as headings have it, says nothing. */
  emphasis: boolean;
  /** Within a cell of a table a bar would end it. */
  cell?: boolean;
}

interface Piece {
  text: string;
  bold: boolean;
  italic: boolean;
  code: boolean;
  strike: boolean;
  position: 'superscript' | 'subscript' | undefined;
  url: string | undefined;
  note: number | undefined;
  formula: Formula | undefined;
}

export function inlineMarkdown(runs: readonly Run[], options: InlineOptions): string {
  const pieces = mergePieces(runs.map((run) => pieceOf(run, options)));
  // Beside a formula a dollar would begin another.
  const dollars = pieces.some(({ formula }) => formula);
  let text = '';
  for (const [i, piece] of pieces.entries()) {
    const written = piece.formula
      ? formulaMarkdown(piece.formula, piece.text)
      : writePiece(piece, text, pieces[i + 1], options);
    text += dollars && !piece.formula ? written.replaceAll('$', '\\$') : written;
  }
  return text.replace(/[ \t]+/g, ' ').trim();
}

/** Between dollars; one on lines of its own between two on either side. */
function formulaMarkdown({ node, display, number }: Formula, text: string): string {
  const latex = latexOf(node) + (number ? `\\tag{${number.replace(/^[([]|[)\]]$/g, '')}}` : '');
  return display ? `$$${latex}$$` : `$${latex}$${/\s$/.test(text) ? ' ' : ''}`;
}

function pieceOf({ text, style, link, note, formula }: Run, { emphasis }: InlineOptions): Piece {
  return {
    text,
    bold: emphasis && style.bold,
    italic: emphasis && style.italic,
    // What is to be filled in is no code.
    code: style.monospace && !/_{5,}/.test(text),
    strike: style.strike === true,
    position: style.position,
    url: urlOf(link),
    note,
    formula,
  };
}

/** Text that has no markup of its own. */
export const plainMarkdown = (text: string): string => escapeText(text, true, { emphasis: true });

/** Only addresses a reader may follow: nothing that runs. */
export function urlOf(link: LinkTarget | undefined): string | undefined {
  if (!link || !('url' in link) || !/^(?:https?|ftp|mailto):/i.test(link.url)) return undefined;
  return link.url.replace(/[\s<>()\\]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (s) => (s === '(' ? '%28' : '%29')),
  );
}

/** Colours and sizes make runs of their own that markdown cannot tell apart. */
function mergePieces(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    const blank = piece.text.trim() === '' && piece.note === undefined;
    const alone = last?.formula || piece.formula;
    if (
      last &&
      !alone &&
      (blank || isAlike(last, piece)) &&
      last.note === undefined &&
      piece.note === undefined
    )
      last.text += piece.text;
    else merged.push({ ...piece });
  }
  return merged;
}

const isAlike = (a: Piece, b: Piece): boolean =>
  a.bold === b.bold &&
  a.italic === b.italic &&
  a.code === b.code &&
  a.strike === b.strike &&
  a.position === b.position &&
  a.url === b.url;

function writePiece(piece: Piece, before: string, next: Piece | undefined, options: InlineOptions): string {
  if (piece.note !== undefined) return `[^${piece.note + 1}]${/\s$/.test(piece.text) ? ' ' : ''}`;
  const [, lead = '', core = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(piece.text) ?? [];
  if (core === '') return piece.text;
  const marks = marksOf(piece);
  const after = trail !== '' ? ' ' : (next?.text[0] ?? ' ');
  const previous = lead !== '' ? ' ' : (before.at(-1) ?? ' ');
  let written = piece.code ? codeSpan(core) : escapeText(core, before === '' && options.emphasis, options);
  if (marks !== '' && canMark(core, previous, after))
    written = `${marks}${written}${[...marks].reverse().join('')}`;
  if (piece.position) {
    const tag = piece.position === 'superscript' ? 'sup' : 'sub';
    written = `<${tag}>${written}</${tag}>`;
  }
  if (piece.url !== undefined && /[\p{L}\p{N}]/u.test(core)) written = `[${written}](${piece.url})`;
  return lead + written + trail;
}

function marksOf({ bold, italic, code, strike, position }: Piece): string {
  if (code || position) return '';
  return `${bold ? '**' : ''}${italic ? '*' : ''}${strike ? '~~' : ''}`;
}

/** CommonMark takes a mark for one only beside a word's edge. */
function canMark(text: string, before: string, after: string): boolean {
  const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (!isWord(text[0] ?? '') && isWord(before)) return false;
  return isWord(text.at(-1) ?? '') || !isWord(after);
}

function codeSpan(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  return `\`\` ${text} \`\``;
}

const UNDERSCORES = /_+/g;

/** Within a word, and in a line to be filled in, they are no marks; a line of nothing else would be a rule. */
function escapeUnderscores(found: string, at: number, whole: string): string {
  const [before = ' ', after = ' '] = [whole[at - 1], whole[at + found.length]];
  const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  if (isWord(before) && isWord(after)) return found;
  if (found.length < BLANK || !/\s/.test(after)) return '\\_'.repeat(found.length);
  if (at > 0 && /\s/.test(before)) return found;
  return `\\${found}`;
}

/** So many in a row are a line to be filled in. */
const BLANK = 5;

function escapeText(text: string, atStart: boolean, { cell = false }: InlineOptions): string {
  let escaped = text
    .replace(/[\\`*[\]]/g, '\\$&')
    .replace(UNDERSCORES, (found, at: number, whole: string) => escapeUnderscores(found, at, whole))
    .replace(/<(?=[a-zA-Z/!?])/g, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/~~/g, '\\~\\~');
  if (cell) escaped = escaped.replace(/\|/g, '\\|');
  if (!atStart) return escaped;
  return escaped
    .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
    .replace(/^([-+>=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
