// The font a default appearance names: what it can show, and how wide.
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { isSubsetName } from '../fonts/font-descriptor.ts';
import { isEmbedded } from '../fonts/font-file.ts';
import { type Codes, simpleCodes, WIN_ANSI } from '../fonts/simple-encodings.ts';
import { isStandardName, type Look, nearestStandard, type StandardFont } from '../fonts/standard-fonts.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import { formOf } from './form-tree.ts';

/** A font of one-byte codes, ready to be used in an appearance. */
export interface FieldFont {
  /** Its name in the appearance's resources. */
  resource: string;
  value: PdfValue;
  /** In sizes. */
  ascent: number;
  descent: number;
  /** Codes and width in sizes; undefined where it lacks a character. */
  encode(text: string): { codes: Buffer; width: number } | undefined;
}

export interface FontChoices {
  look: Look;
  /** The field's own font, then one that every viewer has; none where only an embedded font will do. */
  fonts: FieldFont[];
}

export function fontChoices(doc: PdfDocument, resource: string, widget: Ref | undefined): FontChoices {
  const held = fontNamed(doc, resource, widget);
  const font = doc.dict(held);
  const baseName = doc.name(font?.get('BaseFont'));
  const nearest = nearestStandard(font ? (baseName ?? resource) : resource);
  if (!font || held === undefined) return { look: nearest.look, fonts: [standardFont(nearest, resource)] };
  const own = ownFont(doc, font, held, resource, nearest);
  if (isEmbedded(doc, font)) return { look: nearest.look, fonts: own ? [own] : [] };
  return { look: nearest.look, fonts: [...(own ? [own] : []), standardFont(nearest, `${resource}Latin`)] };
}

/** Fonts of the widget's present appearance count as well: some forms have no resources of their own. */
function fontNamed(doc: PdfDocument, resource: string, widget: Ref | undefined): PdfValue | undefined {
  const dict = widget && doc.dict(widget);
  const appearance = doc.dict(doc.dict(dict?.get('AP'))?.get('N'));
  const holders = [formOf(doc)?.get('DR'), dict?.get('DR'), appearance?.get('Resources')];
  for (const holder of holders) {
    const font = doc.dict(doc.dict(holder)?.get('Font'))?.get(resource);
    if (doc.dict(font)) return font;
  }
  return undefined;
}

function ownFont(
  doc: PdfDocument,
  font: Dict,
  value: PdfValue,
  resource: string,
  nearest: StandardFont,
): FieldFont | undefined {
  const subtype = doc.name(font.get('Subtype')) ?? '';
  if (!['Type1', 'MMType1', 'TrueType'].includes(subtype)) return undefined;
  const baseName = doc.name(font.get('BaseFont')) ?? '';
  // A subset has the glyphs that its document showed before; which, nothing tells for sure.
  if (isSubsetName(baseName) || /dingbats|symbol|wingdings|webdings/i.test(baseName)) return undefined;
  const builtIn = isStandardName(baseName) ? 'standard' : 'unknown';
  const codes = simpleCodes(doc, font, builtIn);
  if (!codes) return undefined;
  const widths = declaredWidths(doc, font);
  return fieldFont(resource, value, codes, nearest, (character, code) =>
    widths ? widths.get(code) : nearest.width(character),
  );
}

/** Widths by code, in sizes; undefined where the font leaves them to the viewer. */
function declaredWidths(doc: PdfDocument, font: Dict): Map<number, number> | undefined {
  const list = doc.array(font.get('Widths'));
  if (!list) return undefined;
  const first = doc.number(font.get('FirstChar')) ?? 0;
  const widths = new Map<number, number>();
  list.slice(0, 256).forEach((each, index) => {
    const width = doc.number(each) ?? 0;
    if (width > 0 && width < 10_000) widths.set(first + index, width / 1000);
  });
  return widths;
}

function standardFont(standard: StandardFont, resource: string): FieldFont {
  const font = Dict.of({
    Type: name('Font'),
    Subtype: name('Type1'),
    BaseFont: name(standard.name),
    Encoding: name('WinAnsiEncoding'),
  });
  return fieldFont(resource, font, WIN_ANSI, standard, (character) => standard.width(character));
}

function fieldFont(
  resource: string,
  value: PdfValue,
  codes: Codes,
  { ascent, descent }: StandardFont,
  widthOf: (character: string, code: number) => number | undefined,
): FieldFont {
  return {
    resource,
    value,
    ascent,
    descent,
    encode(text) {
      const bytes: number[] = [];
      let total = 0;
      for (const character of text) {
        const plain = PLAIN[character] ?? character;
        const code = codes.get(plain);
        const width = code === undefined ? undefined : widthOf(plain, code);
        if (code === undefined || width === undefined) return undefined;
        bytes.push(code);
        total += width;
      }
      return { codes: Buffer.from(bytes), width: total };
    },
  };
}

/** Blanks of other kinds look like the usual one. */
const PLAIN: Readonly<Record<string, string>> = lookup({
  '\u00a0': ' ',
  '\t': ' ',
  '\u202f': ' ',
  '\u2011': '-',
});
