// Content whose colours are exchanged one for one; all else stays as it was written.

import type { Rgb } from '../content/colour-spaces.ts';
import { ColourStates } from '../content/colour-states.ts';
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { formatName, formatNumber } from '../syntax/object-syntax.ts';

/** What is done with a colour of grey, red-green-blue or the like; undefined leaves it. */
export interface ColourMap {
  /** Families of colour spaces that are exchanged. */
  families: ReadonlySet<string>;
  /** Values of the new colour, one, three or four of them. */
  of(rgb: Rgb): readonly number[];
  /** A image within the content, written anew; undefined leaves it. */
  inlineImage?(entries: Dict, data: Uint8Array, resources: Dict): string | undefined;
}

const OPERATORS = { fill: { 1: 'g', 3: 'rg', 4: 'k' }, stroke: { 1: 'G', 3: 'RG', 4: 'K' } } as const;

export function mapColours(
  doc: PdfDocument,
  content: Uint8Array,
  resources: Dict,
  map: ColourMap,
): Uint8Array {
  const states = new ColourStates(doc, resources);
  const reader = new ContentReader(content);
  const out: Uint8Array[] = [];
  let copied = 0;
  for (let operation = reader.next(); operation; operation = reader.next()) {
    const { data, operands } = operation;
    const [entries] = operands;
    const picture =
      data && entries instanceof Dict
        ? map.inlineImage?.(entries, content.subarray(data.start, data.end), resources)
        : undefined;
    if (picture !== undefined) {
      out.push(content.subarray(copied, operation.start), Buffer.from(picture, 'latin1'));
      copied = operation.end;
    }
    const target = states.apply(operation);
    if (!target) continue;
    const { space, values, pattern } = states.current[target];
    // A pattern without colours of its own is painted with one of the space below.
    const base = pattern === undefined ? space : space?.base;
    if (!base || !map.families.has(base.family) || (pattern !== undefined && values.length === 0)) continue;
    const made = map.of(base.rgb(values)).map(short).join(' ');
    const set =
      pattern === undefined
        ? `${made} ${OPERATORS[target][made.split(' ').length as 1 | 3 | 4]}`
        : `${made} ${formatName(pattern)} ${operation.operator}`;
    out.push(content.subarray(copied, operation.start), Buffer.from(` ${set} `, 'latin1'));
    copied = operation.end;
  }
  if (copied === 0) return content;
  out.push(content.subarray(copied));
  return Buffer.concat(out);
}

const short = (value: number): string => formatNumber(Math.round(value * 10_000) / 10_000);
