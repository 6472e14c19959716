// Which font draws which characters: the look that was asked for first, then fonts made for the script.
import { lookup } from '../../contract/lookup.ts';
import type { FaceFacts } from './face-facts.ts';
import type { Font } from './font.ts';
import type { FontIndex } from './font-index.ts';
import { EAST_ASIAN, EUROPEAN, isEastAsianCharacter, isEmoji, isIgnorable, type Script } from './scripts.ts';

export type Look = 'helvetica' | 'times' | 'courier';

export interface Style {
  bold: boolean;
  italic: boolean;
}

/** The region whose forms of Chinese characters are drawn. */
export type Region = 'JP' | 'KR' | 'SC' | 'TC';

const LOOKS: Record<Look, { class: FaceFacts['class']; families: readonly string[] }> = {
  helvetica: { class: 'sans', families: ['Liberation Sans', 'Arimo', 'DejaVu Sans', 'Noto Sans'] },
  times: {
    class: 'serif',
    families: ['Liberation Serif', 'Tinos', 'DejaVu Serif', 'Noto Serif', 'DejaVu Sans'],
  },
  courier: {
    class: 'mono',
    families: ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono', 'DejaVu Sans'],
  },
};

const IMAGES = ['Noto Emoji', 'Symbola', 'Noto Sans Symbols2', 'Noto Sans Symbols 2'];
const SYMBOLS = ['Noto Sans Symbols', ...IMAGES, 'Noto Sans Math', 'Noto Music'];

const MAX_REMEMBERED = 5000;
const MAX_REMEMBERED_LENGTH = 16;

export class FontChoice {
  private readonly index: FontIndex;
  private readonly look: Look;
  private readonly region: Region;
  private readonly style: Style | undefined;
  private readonly lists = new Map<string, Font[]>();
  private readonly chosen = new Map<string, Font | undefined>();

  constructor(index: FontIndex, look: Look, region: Region, style: Style) {
    this.style = style.bold || style.italic ? style : undefined;
    this.index = index;
    this.look = look;
    this.region = region;
  }

  /** The font for a cluster; undefined when none has all its characters. */
  font(cluster: string, script: Script): Font | undefined {
    const key = `${script} ${cluster}`;
    if (this.chosen.has(key)) return this.chosen.get(key);
    const wanted = forms(cluster);
    const font =
      this.preferred(kindOf(cluster, script)).find((candidate) => hasAll(candidate, wanted)) ??
      this.index.all().find((candidate) => hasAll(candidate, wanted));
    if (cluster.length <= MAX_REMEMBERED_LENGTH && this.chosen.size < MAX_REMEMBERED)
      this.chosen.set(key, font);
    return font;
  }

  /** The font that blanks and unknown things take, and whose measures an empty line has. */
  base(): Font | undefined {
    return this.preferred('Common')[0] ?? this.index.all()[0];
  }

  has(font: Font, cluster: string): boolean {
    return hasAll(font, forms(cluster));
  }

  /** Whether any font has this character at all. */
  isDrawable(codePoint: number): boolean {
    const has = (font: Font): boolean => font.has(codePoint);
    return this.index.own().some(has) || this.index.all().some(has);
  }

  private preferred(kind: string): Font[] {
    let list = this.lists.get(kind);
    if (!list) {
      const wanted = LOOKS[this.look].class;
      const own = this.index.own();
      const { index, style } = this;
      const families = this.families(kind).map((name) =>
        style && EUROPEAN.has(kind) ? index.styled(name, style) : index.family(name),
      );
      // The operator's fonts stand before the system's; in European text only those of the look.
      const first = EUROPEAN.has(kind) ? own.filter((font) => font.class === wanted) : own;
      const all = [...first, ...families, ...own];
      list = [...new Set(all.filter((font) => font !== undefined))];
      this.lists.set(kind, list);
    }
    return list;
  }

  private families(kind: string): string[] {
    const { families } = LOOKS[this.look];
    if (kind === 'emoji') return [...IMAGES, ...families];
    if (EAST_ASIAN.has(kind)) return [...this.eastAsian(kind), ...families];
    if (EUROPEAN.has(kind)) return [...families, ...this.eastAsian(kind), ...SYMBOLS];
    const name = kind.replaceAll('_', ' ');
    const serif = kind === 'Arabic' ? ['Noto Naskh Arabic'] : [`Noto Serif ${name}`];
    const sans = [`Noto Sans ${name}`];
    return [...(this.look === 'times' ? [...serif, ...sans] : [...sans, ...serif]), ...families];
  }

  private eastAsian(kind: string): string[] {
    const style = { helvetica: 'Sans', times: 'Serif', courier: 'Sans Mono' }[this.look];
    const region = REGION_OF[kind] ?? this.region;
    return ['CJK ', ''].flatMap((word) => [`Noto ${style} ${word}${region}`, `Noto Sans ${word}${region}`]);
  }
}

const REGION_OF: Readonly<Record<string, Region>> = lookup({
  Hiragana: 'JP',
  Katakana: 'JP',
  Hangul: 'KR',
  Bopomofo: 'TC',
});

function kindOf(cluster: string, script: Script): string {
  if (script !== 'Common') return script;
  if (isEmoji(cluster)) return 'emoji';
  return isEastAsianCharacter(cluster) ? 'Han' : script;
}

/** The visible characters of a cluster, as written, composed and decomposed: a font may have any of these. */
function forms(cluster: string): number[][] {
  const texts = new Set([cluster, cluster.normalize('NFC'), cluster.normalize('NFD')]);
  return [...texts].map((text) => visible(text));
}

export const visible = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0).filter((code) => !isIgnorable(code));

const hasAll = (font: Font, wanted: readonly number[][]): boolean =>
  wanted.some((codes) => codes.every((code) => font.has(code)));
