// Signs that are drawn in several pieces: tall delimiters and roots one below the other; negated relations and long
// arrows one over the other; dots beside each other.
import { lookup } from '../../contract/lookup.ts';
import { around, built, type Element, middleOf, widthOf } from './signs.ts';

const PIECE = /^[⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟⎷⎺|∥]$/;
/** Pieces touch or overlap; in parts of the size. */
const TOUCHING = 0.12;

/** One delimiter for its pieces. */
export function joinPieces(elements: readonly Element[]): Element[] {
  const pieces = elements.filter(({ text, grows }) => PIECE.test(text) && (grows || !/[|∥]/.test(text)));
  if (pieces.length < 2) return [...elements];
  const rest = elements.filter((element) => !pieces.includes(element));
  const columns: Element[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.top - b.top)) {
    const column = columns.find((other) => isBelow(piece, other));
    if (column) column.push(piece);
    else columns.push([piece]);
  }
  return [...rest, ...columns.map(joined)];
}

function isBelow(piece: Element, column: readonly Element[]): boolean {
  const last = column.at(-1) as Element;
  const reach = piece.size * TOUCHING;
  // The middle of a brace stands out to the side; all pieces of a column have one stem.
  return (
    Math.abs(piece.top - last.bottom) < reach + piece.size * 0.1 &&
    piece.left < last.right + reach &&
    last.left < piece.right + reach &&
    PIECE_SIDE(piece.text, last.text)
  );
}

const LEFT = /[⎛⎡⎣⎢⎧⎩⎨⎝⎜]/;
const RIGHT = /[⎞⎤⎦⎥⎫⎭⎬⎠⎟]/;
const PIECE_SIDE = (a: string, b: string): boolean => {
  if (/[|∥]/.test(a) || /[|∥]/.test(b)) return a === b;
  return !(LEFT.test(a) && RIGHT.test(b)) && !(RIGHT.test(a) && LEFT.test(b));
};

function joined(column: readonly Element[]): Element {
  const [only] = column;
  if (column.length === 1 && only && /[|∥]/.test(only.text)) return only;
  const extent = around(column);
  const text = meaningOf(column.map((piece) => piece.text).join(''));
  const { size } = column[0] as Element;
  return {
    ...built({ kind: 'sign', text, face: 'upright' }, extent, {
      size,
      level: (extent.top + extent.bottom) / 2,
      centred: true,
    }),
    text,
    grows: true,
  };
}

function meaningOf(pieces: string): string {
  if (/⎷/.test(pieces)) return '√';
  if (/[⎛⎝⎜]/.test(pieces)) return '(';
  if (/[⎞⎠⎟]/.test(pieces)) return ')';
  if (/[⎧⎨⎩]/.test(pieces)) return '{';
  if (/[⎫⎬⎭]/.test(pieces)) return '}';
  if (/[⎡⎢⎣]/.test(pieces)) return pieces.includes('⎣') ? (pieces.includes('⎡') ? '[' : '⌊') : '⌈';
  if (/[⎤⎥⎦]/.test(pieces)) return pieces.includes('⎦') ? (pieces.includes('⎤') ? ']' : '⌋') : '⌉';
  return pieces.startsWith('∥') ? '∥' : '|';
}

/** What two signs in one place mean, whichever was drawn first. */
const OVERLAID: Readonly<Record<string, string>> = lookup({
  '\u0338=': '≠',
  '\u0338∈': '∉',
  '/∈': '∉',
  '\u0338∋': '∌',
  '\u0338≡': '≢',
  '\u0338⊂': '⊄',
  '\u0338⊆': '⊈',
  '\u0338≤': '≰',
  '\u0338≥': '≱',
  '\u0338<': '≮',
  '\u0338>': '≯',
  '\u0338∼': '≁',
  '\u0338≈': '≉',
  '\u0338≃': '≄',
  '\u0338→': '↛',
  '\u0338|': '∤',
  '\u0338∥': '∦',
  '\u0338∃': '∄',
  '↦→': '↦',
});
/** What they mean beside each other, where they touch. */
const TOUCHED: Readonly<Record<string, string>> = lookup({
  '−→': '⟶',
  '←−': '⟵',
  '=⇒': '⟹',
  '⇐=': '⟸',
  '⇐⇒': '⟺',
  '←→': '⟷',
  '|=': '⊨',
  '⟵→': '⟷',
  '::': '∷',
  '↦⟶': '⟼',
});
const STACKED: Readonly<Record<string, string>> = lookup({ '∼=': '≅', '.=': '≐', '△=': '≜' });

export function joinOverlaid(elements: readonly Element[]): Element[] {
  const sorted = elements.toSorted((a, b) => a.left - b.left);
  const kept: Element[] = [];
  for (const element of sorted) {
    const at = kept.findLastIndex((other) => joint(other, element) !== undefined);
    // Only what is near may be one sign with it.
    const before = at >= 0 && kept.length - at <= 3 ? kept[at] : undefined;
    const text = before && joint(before, element);
    if (!before || text === undefined) {
      kept.push(element);
      continue;
    }
    const base = before.text === '\u0338' || before.text === '/' || before.text === '.' ? element : before;
    kept[at] = {
      ...base,
      ...around([before, element]),
      ...ends(before, element),
      text,
      node: { kind: 'sign', text, face: 'upright' },
    };
  }
  return joinDots(kept);
}

function joint(a: Element, b: Element): string | undefined {
  if (a.text === '' || b.text === '') return undefined;
  const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const least = Math.min(widthOf(a), widthOf(b));
  const sameLine = Math.abs(a.level - b.level) < a.size * 0.1;
  if (shared > least * 0.6 && sameLine) return OVERLAID[a.text + b.text] ?? OVERLAID[b.text + a.text];
  if (shared > least * 0.6) return a.top < b.top ? STACKED[a.text + b.text] : STACKED[b.text + a.text];
  if (sameLine && b.left - a.right < a.size * 0.03) {
    // A slanted stroke whose ink is drawn beside its letter.
    if (a.text === '\u0338' || b.text === '\u0338')
      return OVERLAID[a.text + b.text] ?? OVERLAID[b.text + a.text];
    return TOUCHED[a.text + b.text];
  }
  return undefined;
}

const ends = (first: Element, last: Element): Pick<Element, 'begin' | 'end'> => ({
  begin: Math.min(first.begin, last.begin),
  end: Math.max(first.end, last.end),
});

/** Three dots in a row are one sign. */
function joinDots(elements: readonly Element[]): Element[] {
  const others = elements.filter(({ text }) => !/^[.·]$/.test(text));
  if (elements.length - others.length < 3) return [...elements];
  const dots = elements
    .filter(({ text }) => /^[.·]$/.test(text))
    .sort((a, b) => a.level - b.level || a.left - b.left);
  const kept: Element[] = [];
  for (const element of dots) {
    const [first, second] = kept.slice(-2);
    if (first && second && areDots(first, second, element)) {
      kept.splice(-2);
      const text = element.text === '.' ? '…' : '⋯';
      kept.push({
        ...first,
        ...around([first, second, element]),
        ...ends(first, element),
        text,
        node: { kind: 'sign', text, face: 'upright' },
      });
    } else kept.push(element);
  }
  return [...others, ...kept].sort((a, b) => a.left - b.left);
}

function areDots(a: Element, b: Element, c: Element): boolean {
  if (!/^[.·]$/.test(a.text) || a.text !== b.text || b.text !== c.text) return false;
  const [one, two] = [middleOf(b) - middleOf(a), middleOf(c) - middleOf(b)];
  return Math.abs(one - two) < a.size * 0.06 && one < a.size * 0.7 && a.level === c.level;
}
