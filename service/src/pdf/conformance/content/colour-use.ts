// Colour spaces that are painted with: device ones, and what lies below Indexed, Separation, DeviceN and Pattern.
import { lookup } from '../../../contract/lookup.ts';
import type { Colour } from '../../content/graphics-state.ts';
import { DEVICE_SPACES } from '../../content/operator-effects.ts';
import type { PdfDocument } from '../../document.ts';
import { type Dict, Name, type PdfValue } from '../../objects.ts';
import type { Device, Drawn, Place } from './drawn.ts';

const DEVICES: Readonly<Record<string, Device>> = lookup({
  DeviceGray: 'Gray',
  G: 'Gray',
  CalGray: 'Gray',
  DeviceRGB: 'RGB',
  RGB: 'RGB',
  DeviceCMYK: 'CMYK',
  CMYK: 'CMYK',
});

/** Spaces whose second entry is the space they are built on. */
const BUILT_ON_ANOTHER = ['Indexed', 'I', 'Pattern'];
const MAX_DEPTH = 8;
const MAX_PLACES = 20_000;

type Where = Place & { resources: Dict | undefined };

export class ColourUse {
  private readonly doc: PdfDocument;
  private readonly drawn: Drawn;
  private readonly seen = new Set<string>();

  constructor(doc: PdfDocument, drawn: Drawn) {
    this.doc = doc;
    this.drawn = drawn;
  }

  /** To name a device is to use it, whether or not anything is painted. */
  set({ space }: Colour, where: Where): void {
    if (space instanceof Name && DEVICE_SPACES.has(space.value)) this.device(space.value, where);
  }

  /** A name that no resources hold is no space. */
  paint({ space }: Colour, where: Where): void {
    if (!(space instanceof Name) || DEVICE_SPACES.has(space.value)) this.use(space ?? null, where);
  }

  use(space: PdfValue, where: Where): void {
    this.follow(space, where, 0);
  }

  /** The spaces of inline images have short names, or names among the resources. */
  useInline(space: PdfValue, where: Where, lookUp: (key: string) => PdfValue | undefined): void {
    const word = this.doc.name(space);
    if (word === undefined) this.use(space, where);
    else if (DEVICES[word]) this.device(word, where);
    else this.use(lookUp(word) ?? null, where);
  }

  /** Parts 2 and later: overprint mode 1 has no place with ICCBased CMYK. */
  overprint({ space }: Colour, { where, page }: Place): void {
    const array = this.doc.array(space);
    if (!array || this.doc.name(array[0]) !== 'ICCBased') return;
    if (this.doc.number(this.doc.dict(array[1])?.get('N')) !== 4) return;
    if (this.drawn.overprinted.length < 1000) this.drawn.overprinted.push({ where, page });
  }

  private follow(value: PdfValue, where: Where, depth: number): void {
    const { doc, drawn } = this;
    const held = doc.resolve(value);
    if (depth > MAX_DEPTH) return;
    if (held instanceof Name) this.device(held.value, where);
    if (!Array.isArray(held)) return;
    const family = doc.name(held[0]) ?? '';
    if (held.length === 1) this.device(family, where);
    else if (BUILT_ON_ANOTHER.includes(family)) this.follow(held[1] ?? null, where, depth + 1);
    if (!['ICCBased', 'Separation', 'DeviceN'].includes(family)) return;
    if (!drawn.spaces.has(held))
      drawn.spaces.set(held, { family, space: held, where: where.where, page: where.page });
    if (family === 'ICCBased') return;
    this.follow(held[2] ?? null, where, depth + 1);
    if (family === 'DeviceN') this.process(held, where, depth);
  }

  /** NChannel spaces name a space of their own for the process colours. */
  private process(space: readonly PdfValue[], where: Where, depth: number): void {
    const process = this.doc.dict(this.doc.dict(space[4])?.get('Process'));
    if (process) this.follow(process.get('ColorSpace') ?? null, where, depth + 1);
  }

  private device(word: string, { where, page, resources }: Where): void {
    const device = DEVICES[word];
    if (device === undefined || word === 'CalGray') return;
    const replacement = this.doc.dict(resources?.get('ColorSpace'))?.get(`Default${device}`);
    if (replacement !== undefined && this.doc.array(replacement)) {
      this.follow(replacement, { where, page, resources: undefined }, 1);
      return;
    }
    const key = `${device} ${where}`;
    if (this.seen.has(key) || this.drawn.devices.length >= MAX_PLACES) return;
    this.seen.add(key);
    this.drawn.devices.push({ device, where, page });
  }
}
