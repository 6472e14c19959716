// Drawn text: any Unicode, shaped and placed with the fonts of this machine (operations 1.6). What comes out is
// drawn by pdf/text/drawn-text.ts and embedded by pdf/text/font-embedding.ts.
import { LIMITS } from '../../contract/limits.ts';
import { computeOnce } from '../../contract/maps.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { FindFont } from '../../pdf/pdfa-conversion/font-substitution.ts';
import type { LaidOutText } from '../../pdf/text/drawn-text-shapes.ts';
import type { Direction } from './bidi.ts';
import { FontChoice, type Look, type Region, type Style } from './fallback.ts';
import { type FontFolders, fontFolders, NO_FONTS } from './font-folders.ts';
import { FontIndex } from './font-index.ts';
import { type LineOptions, layOut } from './layout.ts';
import { loadShaper } from './shaper.ts';
import { loadSubsetter } from './subsetter.ts';
import { substituteFor } from './substitutes.ts';

const ALPHABETS = ['roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai'] as const;
export type Alphabet = (typeof ALPHABETS)[number];

export interface TextOptions {
  /** In points. */
  size: number;
  /** The look of Latin text; other scripts get what comes nearest. */
  family?: Look;
  /** Of European text; other scripts have what their fonts have. */
  bold?: boolean;
  italic?: boolean;
  /** "Only a hint (it settles Han variants)." */
  alphabet?: Alphabet;
  /** Of each line; auto takes that of its first letter. */
  direction?: Direction;
  /** Lines are broken to fit, and aligned within it. Absent: only where the text says. */
  maxWidth?: number;
  /** `start` is left, or right where a line reads from right to left. */
  align?: LineOptions['align'];
  /** From baseline to baseline, in sizes. Absent: what the fonts ask for. */
  lineHeight?: number;
  /** The field that brought the text: refusals name it. */
  field?: string;
}

export interface Text {
  /** A font that stands in for one a document only names: nearest in look, with all these characters. */
  substitute: FindFont;
  /** Lays text out in lines. Characters no font has are refused, naming them. */
  layout(text: string, options: TextOptions): LaidOutText;
}

interface Known {
  folders: FontFolders;
  index: FontIndex;
  choices: Map<string, FontChoice>;
}

/** What this process has learnt of its fonts. */
let known: Known | undefined;

export async function createText(): Promise<Text> {
  const [shaper, subsetter] = await Promise.all([loadShaper(), loadSubsetter()]);
  const folders = fontFolders();
  if (known?.folders !== folders) {
    known = { folders, index: new FontIndex(folders, () => subsetter), choices: new Map() };
  }
  const fonts = known;
  return {
    substitute: (wanted, characters) => substituteFor(fonts.index, wanted, characters),
    layout(text, options) {
      if (text.length > LIMITS.textCharacters * 10) {
        throw invalidParameter(`${options.field ?? 'The text'} is too long to be drawn.`);
      }
      const region = regionOf(text, options.alphabet ?? 'roman');
      const { family = 'helvetica', bold = false, italic = false } = options;
      const choice = choose(fonts, family, region, { bold, italic });
      if (!choice.base()) throw new Problem('missing_dependency', NO_FONTS);
      return layOut(text, complete(options), { shaper, choice, region });
    },
  };
}

function complete(options: TextOptions): LineOptions {
  return {
    size: options.size,
    direction: options.direction ?? 'auto',
    maxWidth: options.maxWidth,
    align: options.align ?? 'start',
    lineHeight: options.lineHeight,
    field: options.field ?? 'text',
  };
}

function choose({ index, choices }: Known, look: Look, region: Region, style: Style): FontChoice {
  const key = `${look} ${region} ${style.bold} ${style.italic}`;
  return computeOnce(choices, key, () => new FontChoice(index, look, region, style));
}

/** Whose forms of Chinese characters: the hint, else what the rest of the text tells. */
function regionOf(text: string, alphabet: Alphabet): Region {
  if (alphabet === 'japanese') return 'JP';
  if (alphabet === 'korean') return 'KR';
  if (/\p{Script=Bopomofo}/u.test(text)) return 'TC';
  if (alphabet === 'chinese') return 'SC';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'JP';
  return /\p{Script=Hangul}/u.test(text) ? 'KR' : 'SC';
}
