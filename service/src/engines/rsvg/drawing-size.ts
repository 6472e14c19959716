// How large a drawing says it is, where it must be told so that it becomes a page.
import { firstElementAt } from '../../contract/xml-prolog.ts';

export interface Size {
  /** CSS lengths. */
  width: string;
  height: string;
}

const ROOT = /^<([\w.-]+:)?svg\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/;
const LENGTH = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*(?:px|pt|pc|mm|cm|in|em|ex|ch|rem|q)?\s*$/i;

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
  // What a style says goes before what attributes say.
  if (/\b(?:width|height)\s*:/.test(attributeOf(attributes, 'style') ?? '')) return svg;
  const missing = (['width', 'height'] as const).filter((name) => !isLength(attributeOf(attributes, name)));
  if (missing.length === 0) return svg;
  const kept = missing.reduce((list, name) => list.replace(attribute(name), ''), attributes);
  const added = hasViewBox(attributes) ? '' : missing.map((name) => ` ${name}="${otherwise[name]}"`).join('');
  const rest = text.slice(before.length + tag.length);
  return Buffer.from(`${before}<${prefix}svg${added}${kept}>${rest}`, 'latin1');
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
