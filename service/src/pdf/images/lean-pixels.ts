// An image gathered strip by strip, without the channels that say nothing.
import { Problem } from '../../contract/problems.ts';

type Channels = 1 | 3 | 4;

export class LeanPixels {
  /** Grey until a strip says more. */
  channels: Channels = 1;
  data: Uint8Array;
  /** Whether anything at all can be seen. */
  isSeen = false;
  private readonly width: number;
  private readonly height: number;
  private readonly maxBytes: number;
  private readonly what: string;
  private filled = 0;

  /** `what` names the image where it is too large. */
  constructor({ width, height }: { width: number; height: number }, maxBytes: number, what: string) {
    this.width = width;
    this.height = height;
    this.maxBytes = maxBytes;
    this.what = what;
    this.data = this.room(1);
  }

  private room(channels: Channels): Uint8Array {
    const bytes = this.width * this.height * channels;
    if (bytes <= this.maxBytes) return new Uint8Array(bytes);
    throw new Problem(
      'memory_exceeded',
      `${this.what} has ${this.width} x ${this.height} pixels, more than a worker has memory for.`,
    );
  }

  /** The next rows, four bytes a pixel: red, green, blue, opacity. */
  add(rgba: Uint8Array): void {
    const { channels, isSeen } = channelsOf(rgba);
    if (isSeen) this.isSeen = true;
    if (channels > this.channels) this.widen(channels);
    const count = rgba.length / 4;
    if (this.channels === 4) this.data.set(rgba, this.filled * 4);
    else narrow(rgba, this.data.subarray(this.filled * this.channels), this.channels);
    this.filled += count;
  }

  private widen(channels: Channels): void {
    const wide = this.room(channels);
    const { data, channels: before } = this;
    for (let pixel = 0; pixel < this.filled; pixel += 1) {
      const from = pixel * before;
      const to = pixel * channels;
      wide[to] = data[from] ?? 0;
      wide[to + 1] = data[before === 1 ? from : from + 1] ?? 0;
      wide[to + 2] = data[before === 1 ? from : from + 2] ?? 0;
      if (channels === 4) wide[to + 3] = 255;
    }
    this.channels = channels;
    this.data = wide;
  }
}

function narrow(rgba: Uint8Array, target: Uint8Array, channels: 1 | 3): void {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += channels) {
    target[to] = rgba[from] ?? 0;
    if (channels === 1) continue;
    target[to + 1] = rgba[from + 1] ?? 0;
    target[to + 2] = rgba[from + 2] ?? 0;
  }
}

function channelsOf(rgba: Uint8Array): { channels: Channels; isSeen: boolean } {
  let isOpaque = true;
  let isGrey = true;
  let isSeen = false;
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = rgba[at + 3];
    if (opacity !== 255) isOpaque = false;
    if (opacity !== 0) isSeen = true;
    if (isGrey && (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2])) isGrey = false;
    if (!isGrey && !isOpaque && isSeen) break;
  }
  return { channels: !isOpaque ? 4 : isGrey ? 1 : 3, isSeen };
}
