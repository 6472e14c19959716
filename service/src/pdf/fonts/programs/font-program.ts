// An embedded font program (ISO 32000-1, 9.9), to be cut down to the glyphs that are shown. Glyphs keep their numbers
// and names, so that all that refers to them stays true.
import { CffProgram } from './cff-subset.ts';
import { unlessDamaged } from './damage.ts';
import { openTypeProgram } from './opentype-subset.ts';
import type { FontProgram } from './subset.ts';
import { Type1Program } from './type1-subset.ts';

/** Undefined where the program is of no known kind, or damaged. */
export const readFontProgram = (bytes: Buffer): FontProgram | undefined =>
  unlessDamaged(() => {
    const head = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
    if (head === 0x00010000 || head === 0x74727565 || head === 0x4f54544f) return openTypeProgram(bytes);
    if (head >>> 16 === 0x2521) return Type1Program.read(bytes);
    return head >>> 24 === 1 ? CffProgram.read(bytes) : undefined;
  });
