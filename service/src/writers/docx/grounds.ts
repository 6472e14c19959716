// The colour a paragraph stands on, which goes with it wherever it flows.
import { areaOf, boxAround, holdsMiddle, sharedArea } from '../../layout/box-geometry.ts';
import type { Line, Page } from '../../layout/model.ts';
import { hexColour } from '../ooxml.ts';
import { findBlocksBehindText } from './behind-text.ts';
import { inkOf } from './runs.ts';

export interface Ground {
  /** Such as #eeeeee. */
  shade?: string;
  /** Letters keep their colour, though they are white. */
  onColour: boolean;
}

/** A colour is under a paragraph that covers so much of it. */
const COVERED = 0.6;
/** What covers more of the page is its paper. */
const PAPER = 0.5;

/** Above this, in each of red, green and blue, a colour is paper. */
const isWhite = (color: string): boolean => /^#f[c-f]f[c-f]f[c-f]$/i.test(color);

export function groundOf(page: Page, lines: readonly Line[]): Ground {
  if (lines.length === 0) return { onColour: false };
  const box = boxAround(lines.map((line) => line.box));
  const isPale = lines.every(({ runs }) => runs.every(({ text, style }) => isPaleRun(text, style.color)));
  const areas = page.background?.areas ?? [];
  const under = areas.findLast((area) => sharedArea(area.box, box) >= areaOf(box) * COVERED);
  const color =
    under?.color ?? (isPale ? areas.findLast(({ box: word }) => holdsMiddle(box, word))?.color : undefined);
  const isPaper = under !== undefined && areaOf(under.box) > page.width * page.height * PAPER;
  if (color && !isWhite(color) && (isPale || !isPaper)) return { shade: color, onColour: true };
  return { onColour: [...findBlocksBehindText(page)].some((block) => holdsMiddle(block.box, box)) };
}

const isPaleRun = (text: string, color: string): boolean => text.trim() === '' || inkOf(color) !== color;

export const shadingXml = (shade: string | undefined): string =>
  shade === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${hexColour(shade)}"/>`;
