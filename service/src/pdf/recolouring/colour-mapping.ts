// Content whose colours are exchanged one for one; all else stays as it was written.

import { ColourReading } from '../content/colour-reading.ts';
import type { Rgb } from '../content/colour-spaces.ts';
import { ContentInterpreter } from '../content/content-interpreter.ts';
import { ContentOutput } from '../content/content-output.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { formatName, formatNumber } from '../syntax/object-syntax.ts';

/** What is done with a colour of grey, red-green-blue or the like; undefined leaves it. */
export interface ColourMap {
  /** Families of colour spaces that are exchanged. */
  families: ReadonlySet<string>;
  /** Values of the new colour, one, three or four of them. */
  of(rgb: Rgb): readonly number[];
  /** An image within the content, written anew; undefined leaves it. */
  inlineImage?(entries: Dict, data: Uint8Array, resources: Dict): string | undefined;
}

const OPERATORS = { fill: { 1: 'g', 3: 'rg', 4: 'k' }, stroke: { 1: 'G', 3: 'RG', 4: 'K' } } as const;

export function mapColours(
  doc: PdfDocument,
  content: Uint8Array,
  resources: Dict,
  map: ColourMap,
): Uint8Array {
  const reading = new ColourReading(doc);
  const output = new ContentOutput(content);
  const interpreter = new ContentInterpreter(doc, {
    content: () => content,
    resources,
    state: INITIAL_STATE,
  });
  interpreter.run({
    drawInlineImage(entries, operation) {
      const { data } = operation;
      const image = data && map.inlineImage?.(entries, content.subarray(data.start, data.end), resources);
      if (image !== undefined) output.replace(operation, image);
    },
    setColour(target, operation, { state }) {
      const { pattern } = state[target];
      const { space, values } = reading.of(state[target]);
      // A pattern without colours of its own is painted with one of the space below.
      const base = pattern ? space?.base : space;
      if (!base || !map.families.has(base.family) || (pattern && values.length === 0)) return;
      const made = map.of(base.rgb(values)).map(short).join(' ');
      const set = pattern
        ? `${made} ${formatName(pattern.name)} ${operation.operator}`
        : `${made} ${OPERATORS[target][made.split(' ').length as 1 | 3 | 4]}`;
      output.replace(operation, ` ${set} `);
    },
    // Each form is taken by itself.
    drawForm: () => undefined,
  });
  return output.isChanged ? output.finish() : content;
}

const short = (value: number): string => formatNumber(Math.round(value * 10_000) / 10_000);
