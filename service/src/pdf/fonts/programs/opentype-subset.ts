// Fonts in TrueType's container, with outlines of either kind.
import { CffProgram } from './cff-subset.ts';
import { readSoundSfnt, type Sfnt, writeSfnt } from './sfnt.ts';
import type { FontProgram } from './subset.ts';
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
  return cff && wrapInSfnt(sfnt, cff, dropped);
}

const sizeOf = ({ tables }: Sfnt): number =>
  [...tables.values()].reduce((sum, { length }) => sum + length, 0);

function withoutLayout({ version, tables }: Sfnt): Sfnt {
  return {
    version,
    tables: new Map([...tables].filter(([tag]) => !NOT_FOR_DRAWING.includes(tag))),
  };
}

/** CFF outlines in a container; `dropped`: bytes of its tables that were left out already. */
const wrapInSfnt = ({ version, tables }: Sfnt, cff: CffProgram, dropped: number): FontProgram => ({
  // Readers differ in whether the container's map of characters counts for a simple font.
  glyphsOf: (shown) => (shown.kind === 'simple' ? undefined : cff.glyphsOf(shown)),
  draws: (shown) => cff.draws(shown),
  select(glyphs) {
    const selection = cff.select(glyphs);
    return (
      selection && {
        ...selection,
        spared: selection.spared + dropped,
        cut: () => ({
          bytes: writeSfnt({
            version,
            tables: new Map(tables).set('CFF ', Buffer.from(selection.cut().bytes)),
          }),
        }),
      }
    );
  },
});
