// What the text of a web page looks like: families that fit those of the document, sizes relative to its running text,
// and its colours. Each look is a class of the page's own style sheet.
import { computeOnce } from '../contract/maps.ts';
import type { Block, LaidOutDocument, Run, TextStyle } from '../layout/model.ts';
import type { Family } from './font-families.ts';
import type { Letters } from './letters.ts';

/** Sizes that differ by less, in parts, are one; no text is smaller or larger than these. */
const SAME_SIZE = 0.06;
const [SMALLEST, LARGEST] = [0.75, 3.5];
const SIZE_STEP = 20;
/** Each of red, green and blue: what is paler is not seen on white, what is darker is black. */
const PALE = 200;
const DARK = 40;

export class Looks {
  /** That of running text. */
  readonly body: TextStyle;
  private readonly letters: Letters;
  private readonly classes = new Map<string, string>();

  constructor(document: Pick<LaidOutDocument, 'pages'>, letters: Letters) {
    this.letters = letters;
    this.body = mainStyle(document.pages.flatMap(({ blocks }) => blocks.flatMap(runsOf)));
  }

  /** The class of text that stands in text of another look; undefined where it looks the same. */
  classOf(style: TextStyle, within: TextStyle, { isOnColour = false } = {}): string | undefined {
    const rules: string[] = [];
    const [family, other] = [this.stack(style), this.stack(within)];
    if (family !== other) rules.push(`font-family:${family}`);
    const ratio = style.size / Math.max(1, within.size);
    if (!style.position && Math.abs(ratio - 1) > SAME_SIZE)
      rules.push(
        `font-size:${Math.round(Math.min(LARGEST, Math.max(SMALLEST, ratio)) * SIZE_STEP) / SIZE_STEP}em`,
      );
    if (style.color !== within.color && (isOnColour || isSeen(style.color)))
      rules.push(`color:${style.color}`);
    return rules.length === 0 ? undefined : this.named(rules.join(';'));
  }

  named(rules: string): string {
    return computeOnce(this.classes, rules, () => `look-${this.classes.size + 1}`);
  }

  /** To be written when all is. */
  sheet(): string {
    const body = `body{font-family:${this.stack(this.body)}}\n`;
    return body + [...this.classes].map(([rules, name]) => `.${name}{${rules}}\n`).join('');
  }

  private stack(style: TextStyle): string {
    const { name, substitute, shape } = this.letters.familyOf(style);
    return [...new Set([name, substitute, ...LIKE[shape]])].map(quoted).join(',');
  }
}

const LIKE: Readonly<Record<Family['shape'], readonly string[]>> = {
  roman: ['Times', 'serif'],
  swiss: ['Helvetica', 'sans-serif'],
  modern: ['Courier', 'monospace'],
};

const GENERIC = new Set(['serif', 'sans-serif', 'monospace']);
const quoted = (name: string): string => {
  const plain = name.replace(/[^\p{L}\p{N} -]/gu, '');
  return GENERIC.has(plain) || !plain.includes(' ') ? plain : `"${plain}"`;
};

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** A colour of its own that can be read on white. */
const isSeen = (color: string): boolean =>
  /^#[0-9a-f]{6}$/i.test(color) &&
  channels(color).some((value) => value > DARK) &&
  channels(color).some((value) => value < PALE);

/** The look that most of the text has. */
export function mainStyle(runs: readonly Run[]): TextStyle {
  const counts = new Map<string, { style: TextStyle; letters: number }>();
  let most: { style: TextStyle; letters: number } | undefined;
  for (const { style, text } of runs) {
    if (style.position) continue;
    const key = `${style.font} ${style.monospace} ${Math.round(style.size * 2)} ${style.color}`;
    const found = computeOnce(counts, key, () => ({ style, letters: 0 }));
    found.letters += text.length;
    if (!most || found.letters > most.letters) most = found;
  }
  return most?.style ?? runs[0]?.style ?? PLAIN;
}

const PLAIN: TextStyle = {
  font: 'Times New Roman',
  size: 10,
  bold: false,
  italic: false,
  monospace: false,
  color: '#000000',
};

function runsOf(block: Block): readonly Run[] {
  switch (block.kind) {
    case 'paragraph':
      return block.runs;
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.flatMap(runsOf));
    default:
      return [];
  }
}
