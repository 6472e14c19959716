// Rows of an image in the colours of a palette; what a pixel is off by goes to its neighbours (Floyd and Steinberg).

/** Bits of red, green and blue by which the nearest colour is looked up; the rest is left to the neighbours. */
const BITS = [5, 6, 5] as const;
const UNKNOWN = -1;

export class Dithering {
  readonly #width: number;
  readonly #palette: Uint8Array;
  readonly #nearest = new Int16Array(1 << (BITS[0] + BITS[1] + BITS[2])).fill(UNKNOWN);
  /** Sixteenths of what is still owed to the pixels of this row and the next, with one more pixel at both ends. */
  #owed: Int32Array;
  #owedNext: Int32Array;

  constructor(width: number, palette: Uint8Array) {
    this.#width = width;
    this.#palette = palette;
    this.#owed = new Int32Array((width + 2) * 3);
    this.#owedNext = new Int32Array((width + 2) * 3);
  }

  /** Whole rows of red, green and blue, each following those of the call before. */
  indices(rows: Uint8Array): Uint8Array {
    const made = new Uint8Array(rows.length / 3);
    for (let at = 0; at < made.length; at += this.#width) this.#row(rows, made, at);
    return made;
  }

  #row(rows: Uint8Array, made: Uint8Array, start: number): void {
    const palette = this.#palette;
    const owed = this.#owed;
    const next = this.#owedNext.fill(0);
    for (let x = 0; x < this.#width; x += 1) {
      const from = (start + x) * 3;
      const here = (x + 1) * 3;
      const r = bounded((rows[from] as number) + ((owed[here] as number) >> 4));
      const g = bounded((rows[from + 1] as number) + ((owed[here + 1] as number) >> 4));
      const b = bounded((rows[from + 2] as number) + ((owed[here + 2] as number) >> 4));
      const index = this.#find(r, g, b);
      made[start + x] = index;
      const colour = index * 3;
      // Most of a page is paper.
      if (r === palette[colour] && g === palette[colour + 1] && b === palette[colour + 2]) continue;
      owe(owed, next, here, r - (palette[colour] as number));
      owe(owed, next, here + 1, g - (palette[colour + 1] as number));
      owe(owed, next, here + 2, b - (palette[colour + 2] as number));
    }
    this.#owed = next;
    this.#owedNext = owed;
  }

  #find(r: number, g: number, b: number): number {
    const key = ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3);
    const known = this.#nearest[key] as number;
    if (known !== UNKNOWN) return known;
    // The cell's own colour, from full black to full white.
    const found = this.#search((r & 0xf8) | (r >> 5), (g & 0xfc) | (g >> 6), (b & 0xf8) | (b >> 5));
    this.#nearest[key] = found;
    return found;
  }

  #search(r: number, g: number, b: number): number {
    const palette = this.#palette;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < palette.length; at += 3) {
      const dr = (palette[at] as number) - r;
      const dg = (palette[at + 1] as number) - g;
      const db = (palette[at + 2] as number) - b;
      // The eye tells greens apart best, blues least.
      const distance = 3 * dr * dr + 4 * dg * dg + 2 * db * db;
      if (distance >= least) continue;
      least = distance;
      best = at / 3;
    }
    return best;
  }
}

const bounded = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : value);

function owe(owed: Int32Array, next: Int32Array, here: number, off: number): void {
  owed[here + 3] = (owed[here + 3] as number) + off * 7;
  next[here - 3] = (next[here - 3] as number) + off * 3;
  next[here] = (next[here] as number) + off * 5;
  next[here + 3] = (next[here + 3] as number) + off;
}
