// Which glyph of its program a simple font draws for a code (ISO 32000-1, 9.6.6.2 and 9.6.6.4).

import { contentOf } from '../../filters/content-data.ts';
import { charactersOf } from '../../fonts/glyph-names.ts';
import type { CffFont } from '../../fonts/programs/cff.ts';
import { unlessDamaged } from '../../fonts/programs/damage.ts';
import type { TrueTypeFont } from '../../fonts/programs/truetype.ts';
import { charstringNamed, nameOfCode, type Type1Font, type1Width } from '../../fonts/programs/type1.ts';
import { MAC_CODES, STANDARD_NAMES } from '../../fonts/simple-encodings.ts';
import { Ref } from '../../objects.ts';
import { ContentReader } from '../../syntax/content-reader.ts';
import type { FontFacts } from './font-under-test.ts';

export interface SimpleGlyph {
  /** In TrueType programs. */
  glyph?: number;
  name: string | undefined;
  isPresent: boolean | undefined;
  width: number | undefined;
}

const UNKNOWN: SimpleGlyph = { name: undefined, isPresent: undefined, width: undefined };

/** Standard fonts with an encoding of their own. */
const SYMBOLS = /^(?:Symbol|ZapfDingbats)/;

export function simpleGlyph(facts: FontFacts, code: number): SimpleGlyph {
  const { program } = facts;
  if (facts.subtype === 'Type3') return drawnGlyph(facts, code);
  if (!program)
    return facts.isSymbolic || SYMBOLS.test(facts.baseFont ?? '')
      ? UNKNOWN
      : { ...UNKNOWN, name: STANDARD_NAMES[code] };
  if (program.kind === 'type1') return inType1(facts, program.font, code);
  if (program.kind === 'cff') return inCff(facts, program.font, code);
  // OpenType with CFF outlines, held by a Type 1 font.
  if (program.cff && facts.subtype !== 'TrueType') return inCff(facts, program.cff, code);
  return inTrueType(facts, program.font, code);
}

/** A Type 3 glyph says how wide it is by d0 or d1, before it draws anything. */
function drawnGlyph({ doc, font, encoding }: FontFacts, code: number): SimpleGlyph {
  const name = encoding.nameOf(code);
  const drawing = name === undefined ? undefined : doc.dict(font.get('CharProcs'))?.get(name);
  if (!(drawing instanceof Ref)) return { ...UNKNOWN, name };
  const first = new ContentReader(contentOf(doc, drawing)).next();
  const isMeasured = first?.operator === 'd0' || first?.operator === 'd1';
  return { name, isPresent: true, width: isMeasured ? (doc.number(first.operands[0]) ?? 0) : 0 };
}

function inType1(facts: FontFacts, program: Type1Font, code: number): SimpleGlyph {
  const name = facts.encoding.nameOf(code) ?? nameOfCode(program, code) ?? STANDARD_NAMES[code];
  if (name === undefined) return { ...UNKNOWN, isPresent: false };
  const charstring = charstringNamed(program, name);
  return { name, isPresent: charstring !== undefined, width: charstring && type1Width(program, charstring) };
}

function inCff(facts: FontFacts, program: CffFont, code: number): SimpleGlyph {
  if (!program.names) return UNKNOWN;
  const listed = facts.encoding.nameOf(code);
  const glyph = listed === undefined ? program.glyphOfCode(code) : program.glyphNamed(listed);
  if (glyph === undefined)
    return { name: listed, isPresent: false, width: unlessDamaged(() => program.width(0)) };
  return {
    name: listed ?? program.names[glyph],
    isPresent: true,
    width: unlessDamaged(() => program.width(glyph)),
  };
}

function inTrueType(facts: FontFacts, program: TrueTypeFont, code: number): SimpleGlyph {
  const name = facts.encoding.nameOf(code);
  const direct = (): number => byCode(program, code);
  const named = (): number => (name === undefined ? 0 : byName(program, name));
  const glyph = facts.isSymbolic ? direct() || named() : named() || direct();
  const isPresent = glyph > 0 && glyph < program.glyphCount;
  return { name, glyph, isPresent, width: program.width(isPresent ? glyph : 0) };
}

function byCode(program: TrueTypeFont, code: number): number {
  const symbol = program.cmaps.find(({ platform, encoding }) => platform === 3 && encoding === 0);
  for (const high of symbol ? [0, 0xf000, 0xf100, 0xf200] : []) {
    const glyph = symbol?.glyph(high + code) ?? 0;
    if (glyph > 0) return glyph;
  }
  const mac = program.cmaps.find(({ platform, encoding }) => platform === 1 && encoding === 0);
  const glyph = mac?.glyph(code) ?? 0;
  return glyph > 0 || symbol || mac ? glyph : (program.cmaps[0]?.glyph(code) ?? 0);
}

function byName(program: TrueTypeFont, name: string): number {
  const character = charactersOf(name)?.codePointAt(0);
  const unicode = program.cmaps.find(
    ({ platform, encoding }) => (platform === 3 && (encoding === 1 || encoding === 10)) || platform === 0,
  );
  const found = character === undefined ? 0 : (unicode?.glyph(character) ?? 0);
  if (found > 0) return found;
  const mac = program.cmaps.find(({ platform, encoding }) => platform === 1 && encoding === 0);
  const macCode = MAC_CODES.get(name);
  const macGlyph = macCode === undefined ? 0 : (mac?.glyph(macCode) ?? 0);
  return macGlyph > 0 ? macGlyph : (program.glyphNamed(name) ?? 0);
}
