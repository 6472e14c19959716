// Parts of a document do not carry glyphs that none of their pages shows. The programs of the document itself stay as
// they are; for each part its fonts are made to refer to smaller copies, or to their own program again.
import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { deflate } from '../filters/packing.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import type { PageParcel } from '../page-tree/page-objects.ts';
import type { ContentNames } from '../syntax/content-names.ts';
import { type EmbeddedFont, referTo, type SubsetFont } from './embedded-font.ts';
import { FontPrograms, type ShownFont } from './font-programs.ts';
import { FontUsage } from './font-usage.ts';
import { fontsOfNamedPages } from './named-page-fonts.ts';
import { unlessDamaged } from './programs/damage.ts';
import { needsInstructions } from './programs/hinting.ts';
import type { GlyphSelection, SubsetOptions } from './programs/subset.ts';

/** Glyphs that take less than this are left where they are. */
const MIN_SPARED_BYTES = 1000;
const PACKING = 6;

interface Copy {
  ref: Ref;
  /** How many bytes it takes. */
  size: number;
  /** Tells which glyphs it holds at present. */
  tag: string;
  names: readonly string[] | undefined;
  programKey: EmbeddedFont['programKey'];
}

/** Entries of a font program's stream that tell how it is stored, and those that go with the kind it is of. */
const OF_STORAGE = ['Filter', 'DecodeParms', 'Length', 'DL'];
const OF_ONE_KIND = ['Length1', 'Length2', 'Length3', 'Subtype'];

export class FontSubsetter {
  private readonly doc: PdfDocument;
  private readonly usage: FontUsage;
  /** Fonts of pages and appearances that scripts and annotations bring in by name; undefined where too many. */
  private readonly namedFonts: readonly Ref[] | undefined;
  private readonly programs: FontPrograms;
  private readonly copies = new Map<string, Copy>();
  private readonly subsets = new Map<EmbeddedFont, SubsetFont>();
  /** Fonts that refer to a copy at present. */
  private referring = new Set<EmbeddedFont>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.usage = new FontUsage(doc);
    this.programs = new FontPrograms(doc);
    this.namedFonts = fontsOfNamedPages(doc);
  }

  /** Leaves the fonts of these pages the glyphs that they show. `whole` are fonts that may be used for more. */
  subset(pages: readonly PageParcel[], whole: readonly PdfValue[], { tight = false }: SubsetOptions): void {
    const before = this.referring;
    this.referring = new Set();
    const isWhole = this.programsOf([...whole, ...(this.namedFonts ?? [])]);
    for (const [program, fonts] of this.shownBy(pages) ?? []) {
      const selection = isWhole.has(program) ? undefined : this.programs.select(program, fonts);
      const isTight = tight && fonts.every(({ font }) => this.mayBeTight(font));
      const spared = (selection?.spared ?? 0) + (isTight ? (selection?.sparedIfTight ?? 0) : 0);
      if (!selection || spared < MIN_SPARED_BYTES) continue;
      const copy = this.copy(fonts[0]?.font, selection, { tight: isTight });
      if (copy) for (const { font } of fonts) this.refer(font, copy);
    }
    this.restore(before);
  }

  /**
   * Leaves so many bytes less in the fonts of these pages, where they have as many to spare. Those fonts are cut first
   * of which most goes; what fits glyphs to pixels goes where cutting is not enough.
   */
  spare(bytes: number, pages: readonly PageParcel[], whole: readonly PdfValue[]): void {
    this.restoreAll();
    const isWhole = this.programsOf([...whole, ...(this.namedFonts ?? [])]);
    const cuttable: Cuttable[] = [];
    for (const [program, fonts] of this.shownBy(pages) ?? [])
      if (!isWhole.has(program)) cuttable.push(...this.cuttable(program, fonts));
    const isEnough = cuttable.reduce((sum, { spared }) => sum + spared, 0) >= bytes;
    const left = this.cutUntil(bytes, cuttable, { tight: !isEnough });
    if (left > 0 && isEnough) this.cutUntil(left, cuttable, { tight: true });
  }

  /** What the pages' own content names; undefined where that is not understood. */
  namesOn(page: PageParcel): ContentNames | undefined {
    return this.usage.namesOn(page);
  }

  private *cuttable(program: string, fonts: readonly ShownFont[]): Iterable<Cuttable> {
    const selection = this.programs.select(program, fonts);
    const [first] = fonts;
    const size = this.programs.sizeOf(program);
    if (!selection || size === undefined || !first) return;
    const stored = this.doc.rawStreamData(first.font.program).length;
    const packing = Math.min(1, stored / size);
    const isTight = fonts.every(({ font }) => this.mayBeTight(font));
    const sparedIfTight = isTight ? (selection.sparedIfTight ?? 0) : 0;
    const least = selection.spared + sparedIfTight;
    if (least < MIN_SPARED_BYTES) return;
    yield {
      fonts: fonts.map(({ font }) => font),
      selection,
      size: stored,
      spared: selection.spared * packing,
      sparedIfTight: sparedIfTight * packing,
    };
  }

  /** How many bytes are still to be spared. */
  private cutUntil(bytes: number, cuttable: readonly Cuttable[], { tight }: Required<SubsetOptions>): number {
    let left = bytes;
    const gain = (each: Cuttable): number => (tight ? each.spared + each.sparedIfTight : each.spared);
    for (const each of cuttable.toSorted((one, other) => gain(other) - gain(one))) {
      if (left <= 0) break;
      const [font] = each.fonts;
      const copy = this.copy(font, each.selection, { tight: tight && each.sparedIfTight > 0 });
      if (!copy || copy.size >= each.size) continue;
      left -= each.size - copy.size;
      each.size = copy.size;
      for (const font of each.fonts) this.refer(font, copy);
    }
    return left;
  }

  /** All fonts have all their glyphs again. */
  restoreAll(): void {
    const before = this.referring;
    this.referring = new Set();
    this.restore(before);
  }

  private restore(fonts: Iterable<EmbeddedFont>): void {
    for (const font of fonts) if (!this.referring.has(font)) this.doc.replace(font.ref, new Dict(font.dict));
  }

  private programsOf(fonts: readonly PdfValue[]): Set<string> {
    return new Set(fonts.flatMap((font) => this.usage.font(font)?.program.key ?? []));
  }

  /** What is shown, by font program; undefined where some page cannot be understood. */
  private shownBy(pages: readonly PageParcel[]): Map<string, ShownFont[]> | undefined {
    if (!this.namedFonts) return undefined;
    const codes = new Map<EmbeddedFont, Set<number> | undefined>();
    for (const page of pages) {
      const shown = this.usage.ofPage(page);
      if (!shown) return undefined;
      for (const [font, found] of shown) {
        if (!codes.has(font)) codes.set(font, new Set());
        if (!found) codes.set(font, undefined);
        const all = codes.get(font);
        for (const code of found ?? []) all?.add(code);
      }
    }
    const shownBy = new Map<string, ShownFont[]>();
    for (const [font, all] of codes) {
      const others = shownBy.get(font.program.key);
      if (others) others.push({ font, codes: all });
      else shownBy.set(font.program.key, [{ font, codes: all }]);
    }
    return shownBy;
  }

  /** A stream of its own for each program, filled anew for each part. */
  private copy(
    font: EmbeddedFont | undefined,
    selection: GlyphSelection,
    options: SubsetOptions,
  ): Copy | undefined {
    if (!font) return undefined;
    const { key } = font.program;
    const tag = tagOf(options.tight ? `${key} tight` : key, selection.glyphs);
    const held = this.copies.get(key);
    if (held?.tag === tag) return held;
    const cut = unlessDamaged(() => selection.cut(options));
    if (!cut) return undefined;
    const { bytes, lengths, names, kind } = cut;
    const ref = held?.ref ?? this.doc.addStream(new Dict(), new Uint8Array());
    // What is encrypted cannot be packed: no time is spent on trying.
    const packed = deflate(bytes, lengths ? constants.Z_BEST_SPEED : PACKING);
    this.doc.replaceStreamData(ref, packed, name('FlateDecode'));
    const dict = this.doc.edit(ref);
    for (const entry of OF_ONE_KIND) dict.delete(entry);
    for (const [entry, value] of this.doc.dict(font.program) ?? [])
      if (!OF_STORAGE.includes(entry) && !(kind && OF_ONE_KIND.includes(entry))) dict.set(entry, value);
    if (dict.has('Length1')) dict.set('Length1', bytes.length);
    for (const [entry, value] of Object.entries(lengths ?? {})) dict.set(entry, value);
    if (kind) dict.set('Subtype', name(kind));
    const programKey = kind ? 'FontFile3' : font.programKey;
    const copy = { ref, size: packed.length, tag, names, programKey } as const;
    this.copies.set(key, copy);
    return copy;
  }

  /** A Type 1 program may become one of another kind where the font is known to be of Type 1. */
  private mayBeTight({ dict, descriptor, programKey }: EmbeddedFont): boolean {
    if (programKey === 'FontFile' && this.doc.name(dict.get('Subtype')) !== 'Type1') return false;
    const names = [dict.get('BaseFont'), descriptor.get('FontName'), descriptor.get('FontFamily')];
    return !names.some((value) => needsInstructions(this.doc.name(value) ?? this.doc.text(value) ?? ''));
  }

  private refer(font: EmbeddedFont, { ref, ...copy }: Copy): void {
    const subsets = this.subsets.get(font) ?? {
      descriptor: this.doc.add(null),
      descendant: font.descendant && this.doc.add(null),
    };
    this.subsets.set(font, subsets);
    referTo(this.doc, font, subsets, { program: ref, ...copy });
    this.referring.add(font);
  }
}

/** A program of which glyphs can go. */
interface Cuttable {
  fonts: readonly EmbeddedFont[];
  selection: GlyphSelection;
  /** As it is stored at present. */
  size: number;
  /** About what would go from it. */
  spared: number;
  sparedIfTight: number;
}

/** Six letters that differ for different parts of a font (ISO 32000-1, 9.6.4). */
function tagOf(program: string, glyphs: ReadonlySet<number>): string {
  const list = [...glyphs].sort((a, b) => a - b).join();
  const digest = createHash('sha256').update(`${program} ${list}`).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('');
}
