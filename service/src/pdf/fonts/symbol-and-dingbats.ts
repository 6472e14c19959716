// Symbol and ZapfDingbats, which every reader has: what their codes mean and how wide their glyphs are (ISO 32000-1, annex
// D.5 and D.6; Adobe Core 14 metrics).
import { withoutSubsetTag } from './font-descriptor.ts';
import { charactersOf } from './glyph-names.ts';

export interface SymbolFont {
  /** By the font's own encoding. */
  character(code: number): string | undefined;
  /** By the name of a glyph that the font has. */
  named(name: string): string | undefined;
  /** In thousandths of the size. */
  widthOf(character: string): number | undefined;
}

/** Undefined for all other fonts. */
export function symbolFontOf(baseFont: string | undefined): SymbolFont | undefined {
  const base = withoutSubsetTag(baseFont ?? '');
  if (/^Symbol/.test(base)) return SYMBOL;
  return /^(?:ITC)?ZapfDingbats|^ZaDb$|^Dingbats$/.test(base) ? DINGBATS : undefined;
}

/** Symbol's own encoding, from code 0x20 and from 0xa0. */
const SYMBOL_LOW =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const SYMBOL_HIGH =
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u0000〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** Codes of ZapfDingbats that do not follow the order of Unicode. */
const DINGBATS_ODD: Readonly<Record<number, number>> = {
  32: 0x20,
  37: 0x260e,
  42: 0x261b,
  43: 0x261e,
  72: 0x2605,
  108: 0x25cf,
  110: 0x25a0,
  115: 0x25b2,
  116: 0x25bc,
  117: 0x25c6,
  119: 0x25d7,
  168: 0x2663,
  169: 0x2666,
  170: 0x2665,
  171: 0x2660,
  213: 0x2192,
  214: 0x2194,
  215: 0x2195,
};

/** In the order of the codes; first those of 0x20 to 0x7e, then those from 0xa0 (Symbol) or 0x80 (ZapfDingbats). */
const SYMBOL_WIDTHS = [
  `250 333 713 500 549 833 778 439 333 333 500 549 250 549 250 278 500 500 500 500 500 500 500 500 500 500 278 278
   549 549 549 444 549 722 667 722 612 611 763 603 722 333 631 722 686 889 722 722 768 741 556 592 611 690 439 768
   645 795 611 333 863 333 658 500 500 631 549 549 494 439 521 411 603 329 603 549 549 576 521 549 549 521 549 603
   439 576 713 686 493 686 494 480 200 480 549`,
  `750 620 247 549 167 713 500 753 753 753 753 1042 987 603 987 603 400 549 411 549 549 713 494 460 549 549 549 549
   1000 603 1000 658 823 686 795 987 768 768 823 768 768 713 713 713 713 713 713 713 768 713 790 790 890 823 549 250
   713 603 603 1042 987 603 987 603 494 329 790 790 786 713 384 384 384 384 384 384 494 494 494 494 0 329 274 686 686
   686 384 384 384 384 384 384 494 494 494`,
];
const DINGBAT_WIDTHS = [
  `278 974 961 974 980 719 789 790 791 690 960 939 549 855 911 933 911 945 974 755 846 762 761 571 677 763 760 759
   754 494 552 537 577 692 786 788 788 790 793 794 816 823 789 841 823 833 816 831 923 744 723 749 790 792 695 776
   768 792 759 707 708 682 701 826 815 789 789 707 687 696 689 786 787 713 791 785 791 873 761 762 762 759 759 892
   892 788 784 438 138 277 415 392 392 668 668`,
  `390 390 317 317 276 276 509 509 410 410 234 234 334 334 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 732 544 544 910 667
   760 760 776 595 694 626 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788
   788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 788 894 838 1016 458 748 924 748 918 927 928 928 834
   873 828 924 924 917 930 931 463 883 836 836 867 867 696 696 874 0 874 760 946 771 865 771 888 967 888 831 873 927
   970 918`,
];

/** Numbers of the glyphs called a1, a2 and so on, in the order of the codes from 0x21, 0x80, 0xa1 and 0xf1. */
const DINGBAT_NUMBERS: readonly [first: number, numbers: string][] = [
  [
    0x21,
    `1 2 202 3 4 5 119 118 117 11 12 13 14 15 16 105 17 18 19 20 21 22 23 24 25 26 27 28 6 7 8 9 10 29 30 31 32 33 34
     35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72
     73 74 203 75 204 76 77 78 79 81 82 83 84 97 98 99 100`,
  ],
  [0x80, '89 90 93 94 91 92 205 85 206 86 87 88 95 96'],
  [
    0xa1,
    `101 102 103 104 106 107 108 112 111 110 109 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136
     137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 163 164 196
     165 192 166 167 168 169 170 171 172 173 162 174 175 176 177 178 179 193 180 199 181 200 182`,
  ],
  [0xf1, '201 183 184 197 185 194 198 186 195 187 188 189 190 191'],
];

const numbersOf = (text: string): number[] => text.trim().split(/\s+/).map(Number);

function symbolFont(
  character: (code: number) => string | undefined,
  named: (name: string) => string | undefined,
  widths: readonly [first: number, text: string][],
): SymbolFont {
  const byCharacter = new Map<string, number>();
  for (const [first, text] of widths)
    for (const [index, width] of numbersOf(text).entries()) {
      const drawn = character(first + index);
      if (drawn !== undefined && width > 0 && !byCharacter.has(drawn)) byCharacter.set(drawn, width);
    }
  return {
    character,
    named: (name) => {
      const drawn = named(name);
      return drawn !== undefined && byCharacter.has(drawn) ? drawn : undefined;
    },
    widthOf: (drawn) => byCharacter.get(drawn),
  };
}

function symbol(code: number): string | undefined {
  const character = code >= 0xa0 ? SYMBOL_HIGH[code - 0xa0] : SYMBOL_LOW[code - 0x20];
  return character === '\u0000' ? undefined : character;
}

function dingbat(code: number): string | undefined {
  const odd = DINGBATS_ODD[code];
  if (odd !== undefined) return String.fromCodePoint(odd);
  const inOrder = (first: number, last: number, start: number): string | undefined =>
    code >= first && code <= last ? String.fromCodePoint(start + code - first) : undefined;
  return (
    inOrder(0x21, 0x7e, 0x2701) ??
    inOrder(0x80, 0x8d, 0x2768) ??
    inOrder(0xa1, 0xa7, 0x2761) ??
    inOrder(0xac, 0xb5, 0x2460) ??
    inOrder(0xb6, 0xd4, 0x2776) ??
    inOrder(0xd8, 0xef, 0x2798) ??
    inOrder(0xf1, 0xfe, 0x27b1)
  );
}

const DINGBAT_CODES = new Map(
  DINGBAT_NUMBERS.flatMap(([first, text]) =>
    numbersOf(text).map((number, index): [string, number] => [`a${number}`, first + index]),
  ),
);

/** By the names that ZapfDingbats has for its glyphs; forms use them in other fonts too. */
export function dingbatNamed(name: string): string | undefined {
  const code = DINGBAT_CODES.get(name);
  return code === undefined ? undefined : dingbat(code);
}

const SYMBOL = symbolFont(symbol, charactersOf, [
  [0x20, SYMBOL_WIDTHS[0] ?? ''],
  [0xa0, SYMBOL_WIDTHS[1] ?? ''],
]);
const DINGBATS = symbolFont(dingbat, (name) => dingbatNamed(name) ?? charactersOf(name), [
  [0x20, DINGBAT_WIDTHS[0] ?? ''],
  [0x80, DINGBAT_WIDTHS[1] ?? ''],
]);
