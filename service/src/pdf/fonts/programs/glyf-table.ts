// The glyf table of TrueType fonts, and loca, which tells where each outline begins.

/** Flags of the components of a composite glyph. */
export const COMPONENT = {
  words: 0x0001,
  offsets: 0x0002,
  scale: 0x0008,
  more: 0x0020,
  twoScales: 0x0040,
  matrix: 0x0080,
  instructions: 0x0100,
} as const;

/** Where outlines begin; one more than there are glyphs. */
export function readLocations(loca: Buffer, head: Buffer, glyphCount: number): Uint32Array {
  const isLong = head.readInt16BE(50) !== 0;
  return Uint32Array.from({ length: glyphCount + 1 }, (_, glyph) =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph),
  );
}

export interface Component {
  glyph: number;
  flags: number;
  /** Where it stands in the outline, and where it ends. */
  at: number;
  end: number;
}

/** What a composite glyph is put together from; nothing for others. */
export function* readComponents(outline: Buffer): Iterable<Component> {
  if (outline.length < 10 || outline.readInt16BE(0) >= 0) return;
  for (let at = 10; at + 4 <= outline.length; ) {
    const flags = outline.readUInt16BE(at);
    const transform =
      flags & COMPONENT.scale ? 2 : flags & COMPONENT.twoScales ? 4 : flags & COMPONENT.matrix ? 8 : 0;
    const end = at + 4 + (flags & COMPONENT.words ? 4 : 2) + transform;
    yield { glyph: outline.readUInt16BE(at + 2), flags, at, end };
    if (!(flags & COMPONENT.more)) return;
    at = end;
  }
}
