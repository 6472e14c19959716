// Instructions in TrueType fonts that fit glyphs to the pixels of a screen. Where pixels are small they change nothing
// that can be seen; in a small document they may take more than all outlines together.
import { COMPONENT, readComponents } from './glyf-table.ts';

/** The instructions of the font as a whole, and the measures they go by. */
export const HINTING_TABLES = ['fpgm', 'prep', 'cvt '];

/** Fonts whose glyphs are put together by their instructions: without them, strokes lie anywhere. */
const DRAWN_BY_INSTRUCTIONS =
  /(?:^|\+|\s)(?:cpop|DF(?:Girl|Gothic|Hei|HSGothic|Kai|Ming|Pop)|DLC|HuaTian|P?Ming(?:\(|LiU|Li43|Medium))/i;

export const needsInstructions = (fontName: string): boolean => DRAWN_BY_INSTRUCTIONS.test(fontName);

/** An outline without its instructions. */
export function withoutInstructions(outline: Buffer): Buffer {
  if (outline.length < 10) return outline;
  const contours = outline.readInt16BE(0);
  return contours < 0 ? plainComposite(outline) : plainSimple(outline, contours);
}

function plainSimple(outline: Buffer, contours: number): Buffer {
  const at = 10 + 2 * contours;
  const length = outline.readUInt16BE(at);
  return Buffer.concat([outline.subarray(0, at), Buffer.alloc(2), outline.subarray(at + 2 + length)]);
}

function plainComposite(outline: Buffer): Buffer {
  const plain = Buffer.from(outline);
  let length = plain.length;
  for (const { flags, at, end } of readComponents(outline)) {
    plain.writeUInt16BE(flags & ~COMPONENT.instructions, at);
    if (!(flags & COMPONENT.more)) length = end;
  }
  return plain.subarray(0, length);
}

/** Where the profile (maxp) begins to tell what instructions need, and where that ends. */
const NEEDS = { from: 16, to: 28 } as const;

export function maxpWithoutHinting(profile: Buffer): Buffer {
  const plain = Buffer.from(profile);
  if (plain.length >= NEEDS.to) plain.fill(0, NEEDS.from, NEEDS.to);
  return plain;
}
