// Borders of paragraphs.
import type { Code, Heading, Paragraph } from '../../layout/model.ts';
import { hexColour } from '../ooxml.ts';

export type Flowing = Paragraph | Heading | Code;

/** One for all paragraphs that a box goes around. */
export interface Border {
  /** In points. */
  thickness: number;
  color: string;
  /** From the text to each side, in points. */
  space: { top: number; left: number; bottom: number; right: number };
  /** Where it ends at the right, on the page. */
  right: number;
  /** From the edge of the column to the text. */
  left: number;
  first: Flowing;
  last: Flowing;
}

export function borderXml(border: Border | undefined): string {
  if (!border) return '';
  const { thickness, color, space } = border;
  const size = Math.max(2, Math.min(96, Math.round(thickness * 8)));
  const side = (name: keyof Border['space']): string =>
    `<w:${name} w:val="single" w:sz="${size}" w:space="${space[name]}" w:color="${hexColour(color)}"/>`;
  return `<w:pBdr>${side('top')}${side('left')}${side('bottom')}${side('right')}</w:pBdr>`;
}
