// The fonts every viewer has, and which of them comes nearest to another (ISO 32000-1, 9.6.2.2).
import { lookup } from '../../contract/lookup.ts';
import { withoutSubsetTag } from './font-descriptor.ts';
import { LATIN_GLYPHS } from './latin-glyphs.ts';

export type Look = 'helvetica' | 'times' | 'courier';

export interface StandardFont {
  name: string;
  look: Look;
  /** In sizes; with the room between lines that readers expect. */
  ascent: number;
  descent: number;
  /** Width of a character, in sizes. */
  width(character: string): number | undefined;
}

interface Style {
  look: Look;
  bold: boolean;
  italic: boolean;
}

/** As forms and their resources are used to name them. */
const SHORT_NAMES: Readonly<Record<string, Style>> = lookup({
  Helv: { look: 'helvetica', bold: false, italic: false },
  HeBo: { look: 'helvetica', bold: true, italic: false },
  HeOb: { look: 'helvetica', bold: false, italic: true },
  HeBO: { look: 'helvetica', bold: true, italic: true },
  TiRo: { look: 'times', bold: false, italic: false },
  TiBo: { look: 'times', bold: true, italic: false },
  TiIt: { look: 'times', bold: false, italic: true },
  TiBI: { look: 'times', bold: true, italic: true },
  Cour: { look: 'courier', bold: false, italic: false },
  CoBo: { look: 'courier', bold: true, italic: false },
  CoOb: { look: 'courier', bold: false, italic: true },
  CoBO: { look: 'courier', bold: true, italic: true },
});

const NAMES: Readonly<Record<Look, readonly [string, string, string, string]>> = {
  helvetica: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  times: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  courier: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
};

const MEASURES: Readonly<Record<Look, { ascent: number; descent: number }>> = {
  helvetica: { ascent: 0.931, descent: 0.225 },
  times: { ascent: 0.898, descent: 0.218 },
  courier: { ascent: 0.85, descent: 0.25 },
};

const COURIER_WIDTH = 0.6;
const BY_CHARACTER = new Map(LATIN_GLYPHS.map(({ character, widths }) => [character, widths]));

export const isStandardName = (name: string): boolean =>
  Object.values(NAMES).some((names) => names.includes(name));

/** With those two whose glyphs are signs (table 111). */
export const isStandard14Name = (name: string): boolean =>
  isStandardName(name) || name === 'Symbol' || name === 'ZapfDingbats';

/** By the font's own name: what it looks like is told by words in it. */
export function nearestStandard(name: string): StandardFont {
  return standardFont(SHORT_NAMES[name] ?? styleOf(name));
}

function styleOf(name: string): Style {
  const words = withoutSubsetTag(name);
  const look: Look = /cour|mono|consol|typewriter|fixed/i.test(words)
    ? 'courier'
    : /times|tiro|serif|georgia|garamond|roman|minion|cambria|palatino|bookman|century/i.test(words) &&
        !/sans/i.test(words)
      ? 'times'
      : 'helvetica';
  return { look, bold: /bold|black|heavy|demi/i.test(words), italic: /ital|obli/i.test(words) };
}

function standardFont({ look, bold, italic }: Style): StandardFont {
  const column = look === 'helvetica' ? (bold ? 1 : 0) : 2 + (bold ? 1 : 0) + (italic ? 2 : 0);
  return {
    name: NAMES[look][(bold ? 1 : 0) + (italic ? 2 : 0)] ?? NAMES[look][0],
    look,
    ...MEASURES[look],
    width(character) {
      const widths = BY_CHARACTER.get(character);
      if (look === 'courier') return widths && COURIER_WIDTH;
      const width = widths?.[column];
      return width === undefined ? undefined : width / 1000;
    },
  };
}
