// One font of the machine: what it says of itself, which characters it has, and how it is embedded.
import { type CmapSubtable, readUnicodeCmap } from '../../pdf/fonts/programs/cmap-table.ts';
import { readSfnt } from '../../pdf/fonts/programs/sfnt.ts';
import type { CompositeGlyph, Typeface } from '../../pdf/text/drawn-text-shapes.ts';
import { readCids } from './cff.ts';
import { addComposites, tableOf } from './composites.ts';
import type { FaceFacts } from './face-facts.ts';
import { FontFile } from './font-file.ts';
import type { Subsetter } from './subsetter.ts';

const MAX_CMAP_BYTES = 8 * 1024 * 1024;

export class Font implements Typeface {
  readonly path: string;
  /** Where the face begins in the file. */
  readonly offset: number;
  readonly facts: FaceFacts;
  /** It lies in the operator's folder. */
  readonly preferred: boolean;
  readonly key: string;
  private map: Pick<CmapSubtable, 'glyph'> | undefined;
  private numbers: Uint16Array | 'none' | undefined;
  private readonly subsetter: () => Subsetter;

  constructor(place: {
    path: string;
    offset: number;
    facts: FaceFacts;
    preferred: boolean;
    subsetter: () => Subsetter;
  }) {
    this.path = place.path;
    this.offset = place.offset;
    this.facts = place.facts;
    this.preferred = place.preferred;
    this.subsetter = place.subsetter;
    this.key = `${place.path}@${place.offset}`;
  }

  get postScriptName(): string {
    return this.facts.postScriptName;
  }
  get unitsPerEm(): number {
    return this.facts.unitsPerEm;
  }
  get ascent(): number {
    return this.facts.ascent;
  }
  get descent(): number {
    return this.facts.descent;
  }
  get capHeight(): number {
    return this.facts.capHeight;
  }
  get italicAngle(): number {
    return this.facts.italicAngle;
  }
  get box(): readonly [number, number, number, number] {
    return this.facts.box;
  }
  get class(): FaceFacts['class'] {
    return this.facts.class;
  }
  get outlines(): Typeface['outlines'] {
    if (this.facts.outlines === 'glyf') return 'glyf';
    return this.cids() === 'none' ? 'cff' : 'cid';
  }

  has(codePoint: number): boolean {
    return this.glyph(codePoint) !== 0;
  }

  /** The glyph of a character; 0 where the font has none. */
  glyph(codePoint: number): number {
    this.map ??= this.readMap();
    return this.map.glyph(codePoint);
  }

  cid(glyph: number): number {
    const numbers = this.cids();
    return numbers === 'none' ? glyph : (numbers[glyph] ?? 0);
  }

  subset(
    glyphs: readonly number[],
    composites: readonly CompositeGlyph[],
  ): { program: Uint8Array; firstComposite: number } {
    const file = this.subsetter().subset(this, glyphs);
    const { tables } = readSfnt(Buffer.from(file.buffer, file.byteOffset, file.length));
    if (this.facts.outlines !== 'glyf') return { program: tableOf(tables, 'CFF '), firstComposite: 0 };
    const firstComposite = tableOf(tables, 'maxp').readUInt16BE(4);
    return { program: composites.length > 0 ? addComposites(tables, composites) : file, firstComposite };
  }

  private readMap(): Pick<CmapSubtable, 'glyph'> {
    try {
      return FontFile.with(this.path, (file) => {
        const cmap = file.table(file.face(this.offset).tables, 'cmap', MAX_CMAP_BYTES);
        return readUnicodeCmap(cmap ?? Buffer.alloc(0));
      });
    } catch {
      // A damaged font has no characters: another one is taken.
      return { glyph: () => 0 };
    }
  }

  private cids(): Uint16Array | 'none' {
    this.numbers ??= FontFile.with(this.path, (file) => {
      const { tables } = file.face(this.offset);
      const place = tables.get('CFF ');
      const count = file.table(tables, 'maxp', 6)?.readUInt16BE(4) ?? 0;
      return (place && readCids(file, place, count)) ?? 'none';
    });
    return this.numbers;
  }
}
