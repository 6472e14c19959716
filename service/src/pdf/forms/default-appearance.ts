// Default appearance strings (DA): which font, how large, in which colour (ISO 32000-1, 12.7.3.3).
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { PdfString, type Ref } from '../objects.ts';
import { attribute } from './form-fields.ts';
import { formOf } from './form-tree.ts';

export interface DefaultAppearance {
  /** The font's name in the form's resources; absent where the string names none. */
  font: string | undefined;
  /** 0: chosen to fit. */
  size: number;
  /** Operators that set the colour of text; empty: black. */
  colour: string;
}

const MAX_SIZE = 2000;
const COLOUR_OPERANDS: Readonly<Record<string, number>> = lookup({ g: 1, rg: 3, k: 4 });

/** The widget's own, the field's, or that of the form. */
export function defaultAppearance(doc: PdfDocument, widget: Ref): DefaultAppearance | undefined {
  const held = attribute(doc, widget, 'DA') ?? doc.resolve(formOf(doc)?.get('DA'));
  return held instanceof PdfString ? readDefaultAppearance(held) : undefined;
}

export function readDefaultAppearance({ bytes }: PdfString): DefaultAppearance {
  const tokens =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/[^\s/[\]()<>{}%]*|[^\s/]+/g) ?? [];
  const found: DefaultAppearance = { font: undefined, size: 0, colour: '' };
  tokens.forEach((token, at) => {
    if (token === 'Tf') {
      const font = tokens[at - 2];
      if (font?.startsWith('/')) found.font = unescaped(font.slice(1));
      found.size = sizeOf(tokens[at - 1]);
    }
    const operands = COLOUR_OPERANDS[token];
    if (operands === undefined || at < operands) return;
    const numbers = tokens.slice(at - operands, at).map(Number);
    if (numbers.every((number) => Number.isFinite(number))) found.colour = [...numbers, token].join(' ');
  });
  return found;
}

/** A size below zero turns letters upside down in some viewers; it is meant as its amount. */
function sizeOf(token: string | undefined): number {
  const size = Math.abs(Number(token));
  return Number.isFinite(size) ? Math.min(size, MAX_SIZE) : 0;
}

const unescaped = (name: string): string =>
  name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
