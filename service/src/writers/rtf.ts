// Rich text: paragraphs, headings, lists and tables with fonts, sizes and colours; a page ends where the document's does.
import { computeOnce } from '../contract/maps.ts';
import type { Block, Flow, LaidOutDocument, List, Run, Table, TableCell } from '../layout/model.ts';
import { urlOf } from './markdown-text.ts';

const TWIPS = 20;
const INDENT = 360;

/** ASCII only: every other character is written by its number. */
export function writeRtf(document: LaidOutDocument): string {
  const writer = new RtfWriter();
  const pages = document.pages.map(({ blocks }) => blocks.map((block) => writer.block(block, 0)).join(''));
  const notes = document.notes.map((note, i) => writer.note(note, i));
  const body =
    pages.join('\\page\n') + (notes.length > 0 ? `\\pard\\brdrt\\brdrs\\par\n${notes.join('')}` : '');
  return `{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0\n${writer.fontTable()}\n${writer.colorTable()}\n${body}}\n`;
}

class RtfWriter {
  private readonly fonts = new Map<string, number>([['Times New Roman', 0]]);
  private readonly colors = new Map<string, number>([['#000000', 1]]);

  block(block: Block, depth: number): string {
    switch (block.kind) {
      case 'heading':
        return `\\pard\\keepn\\sb240\\sa120\\outlinelevel${block.level - 1}${alignment(block)} ${this.runs(block.runs)}\\par\n`;
      case 'paragraph': {
        const first = Math.round(Math.max(-72, Math.min(72, block.firstLineIndent)) * TWIPS);
        return `\\pard\\sa120${alignment(block)}\\li${depth * INDENT}\\fi${depth > 0 ? 0 : first} ${this.runs(block.runs)}\\par\n`;
      }
      case 'code':
        return `\\pard\\sa120 {\\f${this.font('Courier New')}\\fs18 ${block.text.split('\n').map(escapeRtf).join('\\line\n')}}\\par\n`;
      case 'list':
        return this.list(block, depth + 1);
      case 'table':
        return this.table(block);
      case 'figure':
        return block.caption ? `\\pard\\sa120 ${this.runs(block.caption.runs)}\\par\n` : '';
    }
  }

  note({ runs }: Flow, index: number): string {
    return `\\pard\\sa60 {\\super ${index + 1}} ${this.runs(runs)}\\par\n`;
  }

  private list({ items, ordered }: List, depth: number): string {
    return items
      .map(({ marker, blocks }) =>
        blocks
          .map((block, i) => {
            if (i > 0 || block.kind !== 'paragraph') return this.block(block, depth);
            const sign = ordered ? escapeRtf(marker) : "\\'95";
            return `\\pard\\sa60\\li${depth * INDENT}\\fi-${INDENT}\\tx${depth * INDENT} ${sign}\\tab ${this.runs(block.runs)}\\par\n`;
          })
          .join(''),
      )
      .join('');
  }

  private table({ rows, columnEdges, caption }: Table): string {
    const left = columnEdges[0] ?? 0;
    const written = rows.map(({ cells }) => {
      const edge = ({ column, columnSpan }: TableCell): number =>
        Math.round(((columnEdges[column + columnSpan] ?? left) - left) * TWIPS);
      const borders = '\\clbrdrt\\brdrs\\clbrdrl\\brdrs\\clbrdrb\\brdrs\\clbrdrr\\brdrs';
      const shape = cells.map((cell) => `${borders}\\cellx${edge(cell)}`).join('');
      const texts = cells.map((cell) => `\\pard\\intbl ${this.cell(cell)}\\cell\n`).join('');
      return `\\trowd\\trgaph80${shape}\n${texts}\\row\n`;
    });
    return `${caption ? `\\pard\\sa60 ${this.runs(caption.runs)}\\par\n` : ''}${written.join('')}\\pard\\par\n`;
  }

  private cell({ blocks }: TableCell): string {
    return blocks
      .flatMap((block) =>
        block.kind === 'list'
          ? block.items.map(
              ({ marker, blocks: inner }) =>
                `${escapeRtf(marker)} ${inner.map((part) => (part.kind === 'paragraph' ? this.runs(part.runs) : '')).join(' ')}`,
            )
          : [this.runs(block.runs)],
      )
      .join('\\line ');
  }

  private runs(runs: readonly Run[]): string {
    return runs.map((run) => this.run(run)).join('');
  }

  private run({ text, style, link, note }: Run): string {
    if (note !== undefined) return `{\\super ${note + 1}}${/\s$/.test(text) ? ' ' : ''}`;
    const marks = `${style.bold ? '\\b' : ''}${style.italic ? '\\i' : ''}${style.underline ? '\\ul' : ''}${style.strike ? '\\strike' : ''}${style.position === 'superscript' ? '\\super' : style.position === 'subscript' ? '\\sub' : ''}`;
    const size = Math.max(2, Math.round(style.size * 2));
    const look = `\\f${this.font(style.font)}\\fs${size}\\cf${this.color(style.color)}${marks}`;
    const url = urlOf(link);
    const written = `{${look} ${escapeRtf(text)}}`;
    return url === undefined
      ? written
      : `{\\field{\\*\\fldinst HYPERLINK "${escapeRtf(url)}"}{\\fldrslt ${written}}}`;
  }

  private font(name: string): number {
    return numberOf(this.fonts, name.replace(/[^\w .-]/g, '') || 'Times New Roman', 0);
  }

  private color(color: string): number {
    return numberOf(this.colors, color, 1);
  }

  fontTable(): string {
    return `{\\fonttbl${[...this.fonts].map(([name, number]) => `{\\f${number}\\fnil ${name};}`).join('')}}`;
  }

  colorTable(): string {
    const parts = [...this.colors.keys()].map((color) => {
      const value = Number.parseInt(color.slice(1), 16);
      return `\\red${(value >> 16) & 255}\\green${(value >> 8) & 255}\\blue${value & 255};`;
    });
    return `{\\colortbl;${parts.join('')}}`;
  }
}

function numberOf(known: Map<string, number>, name: string, base: number): number {
  return computeOnce(known, name, () => known.size + base);
}

const alignment = ({ align, direction }: Pick<Flow, 'align' | 'direction'>): string => {
  const side = { left: '\\ql', right: '\\qr', center: '\\qc', justify: '\\qj' }[align];
  return direction === 'rtl' ? `\\rtlpar${align === 'left' ? '\\qr' : side}` : side;
};

function escapeRtf(text: string): string {
  let escaped = '';
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === 0x5c || unit === 0x7b || unit === 0x7d) escaped += `\\${text[i]}`;
    else if (unit === 0x09) escaped += '\\tab ';
    else if (unit < 0x20) escaped += ' ';
    else if (unit < 0x80) escaped += text[i];
    // Sixteen bits with a sign, one unit of UTF-16 at a time.
    else escaped += `\\u${unit > 0x7fff ? unit - 0x10000 : unit}?`;
  }
  return escaped;
}
