// A page as a scanner sees it: paper that lies a little askew under the lid, uneven light, grain.

/** Rows from the top, nothing between them. */
export interface Raster {
  width: number;
  height: number;
  channels: 1 | 3;
  data: Uint8Array;
}

export interface ScanLook {
  /** Clockwise. */
  degrees: number;
  /** Pixels of lid that are seen on each side at least. */
  border: number;
  inColour: boolean;
}

export interface ScanTone {
  /** Factor. */
  brightness: number;
  /** Factor, about the middle. */
  contrast: number;
  /** How far grain strays, of 255. */
  noise: number;
  yellowish: boolean;
}

export type Random = () => number;

/** The same numbers for the same seed, from 0 to 1. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LID = 226;
/** How dark the shadow at the edge of the paper is, and how far it reaches, in parts of the width. */
const SHADOW = 70;
const SHADOW_REACH = 0.004;

/** How a page lies on the glass: turned clockwise and drawn smaller, about its middle. */
export function placeOnGlass(
  { width, height }: { width: number; height: number },
  { degrees, border }: Pick<ScanLook, 'degrees' | 'border'>,
): { cos: number; sin: number; scale: number } {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const edge = Math.min(border, Math.floor(Math.min(width, height) * 0.4));
  const scale = Math.min(
    (width - 2 * edge) / (width * Math.abs(cos) + height * Math.abs(sin)),
    (height - 2 * edge) / (width * Math.abs(sin) + height * Math.abs(cos)),
    1,
  );
  return { cos, sin, scale };
}

/**
 * Lays a page (four bytes a pixel) on the glass: same size as before, the whole page still to be seen, so the paper
 * is drawn as much smaller as its turn and the border ask.
 */
export function layOnGlass(
  { width, height, rgba }: { width: number; height: number; rgba: Uint8Array },
  { degrees, border, inColour }: ScanLook,
): Raster {
  const channels = inColour ? 3 : 1;
  const data = new Uint8Array(width * height * channels);
  const { cos, sin, scale } = placeOnGlass({ width, height }, { degrees, border });
  // Across a row of the glass the place on the paper moves by one step.
  const stepX = cos / scale;
  const stepY = -sin / scale;
  const reach = Math.max(1.5, width * SHADOW_REACH) / scale;
  const at = new Float64Array(3);
  for (let y = 0; y < height; y += 1) {
    const down = y + 0.5 - height / 2;
    let u = (cos * (0.5 - width / 2) + sin * down) / scale + width / 2 - 0.5;
    let v = (-sin * (0.5 - width / 2) + cos * down) / scale + height / 2 - 0.5;
    const lid = LID + 12 * (y / height);
    let to = y * width * channels;
    for (let x = 0; x < width; x += 1, u += stepX, v += stepY) {
      if (u > -0.5 && v > -0.5 && u < width - 0.5 && v < height - 0.5) sample(rgba, width, height, u, v, at);
      else {
        const out = Math.hypot(Math.max(-u, 0, u - width + 1), Math.max(-v, 0, v - height + 1));
        at[0] = at[1] = at[2] = lid - SHADOW * Math.exp(-out / reach);
      }
      const red = at[0] as number;
      const green = at[1] as number;
      const blue = at[2] as number;
      if (inColour) {
        data[to] = red + 0.5;
        data[to + 1] = green + 0.5;
        data[to + 2] = blue + 0.5;
        to += 3;
      } else {
        data[to] = 0.299 * red + 0.587 * green + 0.114 * blue + 0.5;
        to += 1;
      }
    }
  }
  return { width, height, channels, data };
}

/** The colour between four pixels. */
function sample(
  rgba: Uint8Array,
  width: number,
  height: number,
  u: number,
  v: number,
  into: Float64Array,
): void {
  const x = u <= 0 ? 0 : u | 0;
  const y = v <= 0 ? 0 : v | 0;
  const dx = u <= 0 ? 0 : u - x;
  const dy = v <= 0 ? 0 : v - y;
  const here = (y * width + x) * 4;
  const right = x + 1 < width ? 4 : 0;
  const below = y + 1 < height ? width * 4 : 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const from = here + channel;
    const upper = (rgba[from] as number) * (1 - dx) + (rgba[from + right] as number) * dx;
    const lower = (rgba[from + below] as number) * (1 - dx) + (rgba[from + below + right] as number) * dx;
    into[channel] = upper * (1 - dy) + lower * dy;
  }
}

const GRAINS = 1 << 16;
/** Old paper lets less blue through. */
const AGED = [1, 0.955, 0.82] as const;
/** How much darker the corners are, where the lamp reaches less. */
const FALLOFF = 0.05;

/** Light, contrast, grain and age, in place where possible; aged paper has colour even when the scan is grey. */
export function tone(
  raster: Raster,
  { brightness, contrast, noise, yellowish }: ScanTone,
  random: Random,
): Raster {
  const { width, height, channels } = raster;
  const outChannels = yellowish ? 3 : channels;
  const data = outChannels === channels ? raster.data : new Uint8Array(width * height * outChannels);
  const grain = grains(noise, random);
  const curve = new Float64Array(256);
  for (let value = 0; value < 256; value += 1) curve[value] = (value * brightness - 127.5) * contrast + 127.5;
  const tint = yellowish ? AGED : [1, 1, 1];
  for (let y = 0; y < height; y += 1) {
    let next = Math.floor(random() * GRAINS);
    const dy = (2 * y) / height - 1;
    for (let x = 0; x < width; x += 1) {
      const dx = (2 * x) / width - 1;
      const light = 1 - FALLOFF * 0.5 * (dx * dx * dx * dx + dy * dy * dy * dy);
      const speck = grain[next] as number;
      next = (next + 1) & (GRAINS - 1);
      const from = (y * width + x) * channels;
      const to = (y * width + x) * outChannels;
      for (let channel = 0; channel < outChannels; channel += 1) {
        const value = curve[raster.data[from + (channels === 1 ? 0 : channel)] as number] as number;
        const seen = Math.min(255, value) * light * (tint[channel] as number) + speck;
        data[to + channel] = seen < 0 ? 0 : seen > 255 ? 255 : seen + 0.5;
      }
    }
  }
  return { width, height, channels: outChannels, data };
}

/** Grain that strays as far as asked, with a bell-shaped spread. */
function grains(noise: number, random: Random): Float32Array {
  const made = new Float32Array(GRAINS);
  if (noise === 0) return made;
  for (let index = 0; index < GRAINS; index += 1) {
    made[index] = (random() + random() + random() + random() - 2) * 1.73 * noise;
  }
  return made;
}
