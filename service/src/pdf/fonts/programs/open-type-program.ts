// Fonts in TrueType's container, with outlines of either kind.
import { CffProgram } from './cff-subset.ts';
import type { CutProgram, FontProgram, GlyphSelection, Shown } from './program.ts';
import { readSoundSfnt, type Sfnt, writeSfnt } from './sfnt.ts';
import { TrueTypeProgram } from './truetype-subset.ts';

/**
 * What sets lines of text, fits glyphs to old screens, names the font, or proves the whole file: nothing that is asked for when the
 * text stands in a PDF, and nothing that is true of a part.
 */
const NOT_FOR_DRAWING = [
  'DSIG',
  'GPOS',
  'GDEF',
  'JSTF',
  'BASE',
  'kern',
  'hdmx',
  'VDMX',
  'LTSH',
  'PCLT',
  'meta',
  'name',
];

export function openTypeProgram(bytes: Buffer): FontProgram | undefined {
  const whole = readSoundSfnt(bytes);
  if (!whole) return undefined;
  const sfnt = withoutLayout(whole);
  const dropped = sizeOf(whole) - sizeOf(sfnt);
  const outlines = sfnt.tables.get('CFF ');
  if (outlines && sfnt.tables.has('glyf')) return undefined;
  if (!outlines) return TrueTypeProgram.read(sfnt, dropped);
  const cff = CffProgram.read(outlines);
  return cff && new WrappedCff(sfnt, cff, dropped);
}

const sizeOf = ({ tables }: Sfnt): number =>
  [...tables.values()].reduce((sum, { length }) => sum + length, 0);

function withoutLayout({ version, tables }: Sfnt): Sfnt {
  return {
    version,
    tables: new Map([...tables].filter(([tag]) => !NOT_FOR_DRAWING.includes(tag))),
  };
}

class WrappedCff implements FontProgram {
  private readonly sfnt: Sfnt;
  private readonly cff: CffProgram;
  private readonly dropped: number;

  constructor(sfnt: Sfnt, cff: CffProgram, dropped: number) {
    this.dropped = dropped;
    this.sfnt = sfnt;
    this.cff = cff;
  }

  /** Readers differ in whether the container's map of characters counts for a simple font. */
  glyphsOf(shown: Shown): readonly number[] | undefined {
    return shown.kind === 'simple' ? undefined : this.cff.glyphsOf(shown);
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined {
    const selection = this.cff.select(glyphs);
    if (!selection) return undefined;
    return { ...selection, spared: selection.spared + this.dropped, cut: () => this.wrap(selection.cut()) };
  }

  private wrap({ bytes }: CutProgram): CutProgram {
    const { version, tables } = this.sfnt;
    return { bytes: writeSfnt({ version, tables: new Map(tables).set('CFF ', Buffer.from(bytes)) }) };
  }
}
