// Instructions in TrueType fonts that fit glyphs to the pixels of a screen. Where pixels are small they change nothing
// that can be seen; in a small document they may take more than all outlines together.

/** The instructions of the font as a whole, and the measures they go by. */
export const FITTING_TABLES = ['fpgm', 'prep', 'cvt '];

/** Fonts whose glyphs are put together by their instructions: without them, strokes lie anywhere. */
const DRAWN_BY_INSTRUCTIONS =
  /(?:^|\+|\s)(?:cpop|DF(?:Girl|Gothic|Hei|HSGothic|Kai|Ming|Pop)|DLC|HuaTian|P?Ming(?:\(|LiU|Li43|Medium))/i;

export const isDrawnByInstructions = (fontName: string): boolean => DRAWN_BY_INSTRUCTIONS.test(fontName);

const COMPOSITE = { words: 1, scale: 8, more: 32, twoScales: 64, matrix: 128, instructions: 256 } as const;

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
  for (let at = 10; at + 4 <= plain.length; ) {
    const flags = plain.readUInt16BE(at);
    plain.writeUInt16BE(flags & ~COMPOSITE.instructions, at);
    at += 4 + (flags & COMPOSITE.words ? 4 : 2);
    at += flags & COMPOSITE.scale ? 2 : flags & COMPOSITE.twoScales ? 4 : flags & COMPOSITE.matrix ? 8 : 0;
    if (!(flags & COMPOSITE.more)) return plain.subarray(0, at);
  }
  return plain;
}

/** Where the profile (maxp) begins to tell what instructions need, and where that ends. */
const NEEDS = { from: 16, to: 28 } as const;

export function profileWithoutNeeds(profile: Buffer): Buffer {
  const plain = Buffer.from(profile);
  if (plain.length >= NEEDS.to) plain.fill(0, NEEDS.from, NEEDS.to);
  return plain;
}
