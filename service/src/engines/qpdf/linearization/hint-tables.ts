// The hint tables of a linearized file (ISO 32000-1, F.4): where a reader finds a page without the file's own tables.

/** Of a page: its objects stand together, those it shares with others in groups of their own. */
export interface PageHint {
  objects: number;
  bytes: number;
  /** Which of the shared groups it needs; of the first page none is told. */
  shared: readonly number[];
}

export interface HintOrder {
  pages: readonly PageHint[];
  /** Where the first page begins. All places are told as if there were no hint stream. */
  firstPageAt: number;
  /** Lengths of shared groups of one object each: all of the first page's section, then those of other pages. */
  groups: readonly number[];
  firstPageGroups: number;
  /** The first group that is not of the first page's section: 0 where there is none. */
  firstGroup: { number: number; at: number };
  outlines: { number: number; at: number; objects: number; bytes: number } | undefined;
}

export interface HintTables {
  data: Buffer;
  /** Where in the data the table of shared objects, and that of the outline, begin. */
  sharedAt: number;
  outlinesAt: number | undefined;
}

export function hintTables(order: HintOrder): HintTables {
  const bits = new BitWriter();
  pageOffsets(bits, order);
  const sharedAt = bits.length;
  sharedObjects(bits, order);
  const { outlines } = order;
  const outlinesAt = outlines && bits.length;
  if (outlines)
    for (const value of [outlines.number, outlines.at, outlines.objects, outlines.bytes]) bits.put(value, 32);
  return { data: bits.taken(), sharedAt, outlinesAt };
}

/** Unused by readers, yet asked for: what share of a group a page needs is told in quarters. */
const SHARED_DENOMINATOR = 4;

/** Tables F.3 and F.4. */
function pageOffsets(bits: BitWriter, { pages, firstPageAt, groups }: HintOrder): void {
  const [objects, objectBits] = spread(pages.map((page) => page.objects));
  const [bytes, byteBits] = spread(pages.map((page) => page.bytes));
  const sharedBits = bitsFor(pages.reduce((most, { shared }) => Math.max(most, shared.length), 0));
  const identifierBits = bitsFor(groups.length);
  bits.put(objects, 32);
  bits.put(firstPageAt, 32);
  bits.put(objectBits, 16);
  bits.put(bytes, 32);
  bits.put(byteBits, 16);
  // A page's content streams are told to be the whole page, as other writers have it: readers ask for whole pages.
  bits.put(0, 32);
  bits.put(0, 16);
  bits.put(bytes, 32);
  bits.put(byteBits, 16);
  bits.put(sharedBits, 16);
  bits.put(identifierBits, 16);
  bits.put(0, 16);
  bits.put(SHARED_DENOMINATOR, 16);
  bits.each(pages, (page) => bits.put(page.objects - objects, objectBits));
  bits.each(pages, (page) => bits.put(page.bytes - bytes, byteBits));
  bits.each(pages, ({ shared }) => bits.put(shared.length, sharedBits));
  bits.each(pages, ({ shared }) => {
    for (const group of shared) bits.put(group, identifierBits);
  });
  bits.each(pages, (page) => bits.put(page.bytes - bytes, byteBits));
}

/** Tables F.5 and F.6. */
function sharedObjects(bits: BitWriter, { groups, firstGroup, firstPageGroups }: HintOrder): void {
  const [bytes, byteBits] = spread(groups);
  bits.put(firstGroup.number, 32);
  bits.put(firstGroup.at, 32);
  bits.put(firstPageGroups, 32);
  bits.put(groups.length, 32);
  // Each group is of one object, and has no signature.
  bits.put(0, 16);
  bits.put(bytes, 32);
  bits.put(byteBits, 16);
  bits.each(groups, (length) => bits.put(length - bytes, byteBits));
  bits.each(groups, () => bits.put(0, 1));
}

/** The least of the values, and how many bits what is more than that takes. */
function spread(values: readonly number[]): [least: number, bits: number] {
  let [least, most] = [values[0] ?? 0, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, bitsFor(most - least)];
}

const bitsFor = (most: number): number => (most <= 0 ? 0 : Math.floor(Math.log2(most)) + 1);

class BitWriter {
  private readonly bytes: number[] = [];
  private current = 0;
  private filled = 0;

  get length(): number {
    return this.bytes.length;
  }

  /** Most significant bit first. */
  put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.current = (this.current << 1) | (Math.floor(value / 2 ** bit) & 1);
      this.filled += 1;
      if (this.filled === 8) this.endByte();
    }
  }

  /** One item of the table for each; it ends with a byte. */
  each<T>(all: readonly T[], put: (one: T) => void): void {
    for (const one of all) put(one);
    if (this.filled === 0) return;
    this.current <<= 8 - this.filled;
    this.endByte();
  }

  taken(): Buffer {
    return Buffer.from(this.bytes);
  }

  private endByte(): void {
    this.bytes.push(this.current & 0xff);
    this.current = 0;
    this.filled = 0;
  }
}
