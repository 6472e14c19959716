// Makes a CFF font of a Type 1 font program. Outlines say the same in about half of the bytes, and are not encrypted: what
// is encrypted cannot be packed.

import { STANDARD_NAMES } from '../simple-encodings.ts';
import { type CffGlyph, writeCff } from './cff-writer.ts';
import { unlessDamaged } from './damage.ts';
import { charstringNamed, decryptEntry, type Entry, type Type1Font } from './type1.ts';
import { readPrivate, readType1Facts, type Type1Facts } from './type1-dictionaries.ts';
import { followOutline, type Type1Source } from './type1-outlines.ts';
import { toFixed, type2Number } from './type2-numbers.ts';
import { writeOutline } from './type2-outlines.ts';

/** For all outlines of a font together, and for one of them. */
const MAX_STEPS = 1_000_000;
const MAX_OUTLINE_STEPS = 50_000;
const NO_OUTLINE = '.notdef';
const PRIVATE = { commonWidth: 20, nominalWidth: 21 } as const;

interface Drawn {
  width: number;
  program: Buffer;
}

export class Type1Conversion {
  private readonly font: Type1Font;
  private readonly facts: Type1Facts | undefined;
  private readonly private: ReturnType<typeof readPrivate> | undefined;
  private readonly drawn = new Map<Entry, Drawn | undefined>();
  private steps = 0;

  constructor(font: Type1Font) {
    this.font = font;
    const secret = font.plain.toString('latin1', 0, font.charstrings[0]?.start ?? 0);
    this.facts = font.encoding.isComplete ? unlessDamaged(() => readType1Facts(font.clear)) : undefined;
    // Fonts for two kinds of devices may hold their subroutines twice.
    const isSingle = secret.indexOf('/Subrs') === secret.lastIndexOf('/Subrs');
    this.private = isSingle ? unlessDamaged(() => readPrivate(secret)) : undefined;
  }

  /** Undefined where something in the font is not understood. */
  write(outlines: Type1Font['charstrings']): Buffer | undefined {
    const { facts, private: closing } = this;
    if (
      !facts ||
      !closing ||
      new Set(this.font.charstrings.map(({ name }) => name)).size < this.font.charstrings.length
    )
      return undefined;
    const drawn = new Map<string, Drawn>();
    for (const outline of outlines) {
      const one = this.draw(outline);
      if (!one) return undefined;
      drawn.set(outline.name, one);
    }
    return unlessDamaged(() => {
      const common = commonWidth([...drawn.values()]);
      return writeCff({
        ...facts,
        private: new Map(closing).set(PRIVATE.commonWidth, [common]).set(PRIVATE.nominalWidth, [common]),
        hasStandardEncoding: this.font.encoding.isStandard,
        glyphs: this.glyphs(drawn, common),
      });
    });
  }

  private draw(outline: Entry): Drawn | undefined {
    if (!this.drawn.has(outline))
      this.drawn.set(
        outline,
        unlessDamaged(() => this.convert(outline)),
      );
    return this.drawn.get(outline);
  }

  private convert(outline: Entry): Drawn {
    const { font } = this;
    const program = (entry: Entry | undefined): Uint8Array | undefined => entry && decryptEntry(font, entry);
    const last = Math.min(MAX_STEPS, this.steps + MAX_OUTLINE_STEPS);
    const source: Type1Source = {
      subr: (number) => program(font.subrs.get(number)),
      component: (code) => program(charstringNamed(font, STANDARD_NAMES[code])),
      step: () => {
        this.steps += 1;
        if (this.steps > last) throw new RangeError('the font takes too long');
      },
    };
    const followed = followOutline(decryptEntry(font, outline), source);
    // Fractions of a unit take five bytes each, and text in a PDF goes by the widths of the font's dictionary.
    return { width: Math.round(followed.width), program: writeOutline(followed) };
  }

  private glyphs(drawn: ReadonlyMap<string, Drawn>, common: number): CffGlyph[] {
    const codes = new Map<string, number[]>();
    for (const [code, name] of this.font.encoding.isStandard ? [] : this.font.encoding.names)
      if (code >= 0 && code <= 0xff) codes.set(name, [...(codes.get(name) ?? []), code]);
    const glyph = (name: string, { width, program }: Drawn): CffGlyph => ({
      name,
      codes: codes.get(name) ?? [],
      outline:
        width === common
          ? program
          : Buffer.concat([Buffer.from(type2Number(toFixed(width - common))), program]),
    });
    const named = [...drawn].filter(([name]) => name !== NO_OUTLINE).map(([name, one]) => glyph(name, one));
    const first = (one: CffGlyph): number => one.codes[0] ?? 0x100;
    named.sort((one, other) => first(one) - first(other));
    const none = drawn.get(NO_OUTLINE) ?? {
      width: common,
      program: writeOutline({ width: common, steps: [] }),
    };
    return [glyph(NO_OUTLINE, none), ...named];
  }
}

function commonWidth(drawn: readonly Drawn[]): number {
  const counts = new Map<number, number>();
  for (const { width } of drawn) counts.set(width, (counts.get(width) ?? 0) + 1);
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0])[0];
}
