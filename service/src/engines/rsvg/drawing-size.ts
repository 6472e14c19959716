// How large a drawing says it is, where it must be told so that it becomes a page.
import { firstElementAt } from '../../contract/xml-prolog.ts';

export interface Size {
  /** CSS lengths. */
  width: string;
  height: string;
}

const ROOT = /^<([\w.-]+:)?svg\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/;
const LENGTH = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*(?:px|pt|pc|mm|cm|in|em|ex|ch|rem|q)?\s*$/i;

/** What browsers draw letters with where nothing is said; librsvg takes 12. Any style of the drawing goes before it. */
const USUAL_LETTERS = ' font-size="16"';

/**
 * Operations 3: "Page size from width/height, else viewBox, else A4". A drawing that says neither gets `otherwise`; a
 * length of nothing, or a share of a page that there is not, counts as not said.
 */
export function withSize(svg: Uint8Array, otherwise: Size): Uint8Array {
  const text = Buffer.from(svg.buffer, svg.byteOffset, svg.length).toString('latin1');
  const before = text.slice(0, Math.max(0, firstElementAt(text)));
  const root = ROOT.exec(text.slice(before.length));
  if (!root) return svg;
  const [tag, prefix = '', attributes = ''] = root;
  const missing = missingLengths(attributes);
  const hasLetterSize = attributeOf(attributes, 'font-size') !== undefined;
  if (missing.length === 0 && hasLetterSize) return svg;
  const kept = missing.reduce((list, name) => list.replace(attribute(name), ''), attributes);
  const lengths = hasViewBox(attributes)
    ? ''
    : missing.map((name) => ` ${name}="${otherwise[name]}"`).join('');
  const added = hasLetterSize ? lengths : `${lengths}${USUAL_LETTERS}`;
  const rest = text.slice(before.length + tag.length);
  return Buffer.from(`${before}<${prefix}svg${added}${kept}>${rest}`, 'latin1');
}

function missingLengths(attributes: string): (keyof Size)[] {
  // What a style says goes before what attributes say.
  if (/\b(?:width|height)\s*:/.test(attributeOf(attributes, 'style') ?? '')) return [];
  return (['width', 'height'] as const).filter((name) => !isLength(attributeOf(attributes, name)));
}

const attribute = (name: string): RegExp => new RegExp(`(?<=\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);

function attributeOf(attributes: string, name: string): string | undefined {
  const found = attribute(name).exec(attributes);
  return found ? (found[1] ?? found[2] ?? '') : undefined;
}

/** A reference to a definition is taken for what it says. */
const isLength = (value = ''): boolean => value.includes('&') || Number(LENGTH.exec(value)?.[1] ?? 0) > 0;

function hasViewBox(attributes: string): boolean {
  const numbers = (attributeOf(attributes, 'viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0;
}
