// An ICC profile of a printing press: what its inks look like, and which inks to take for a colour.
import { type Cmyk, POINTS, sampledColours } from '../pdfa-conversion/cmyk-profile.ts';
import {
  descriptionTag,
  iccProfile,
  textTag,
  typedTag,
  WHITE,
  xyzTag,
} from '../pdfa-conversion/icc-writer.ts';
import { lookTable, type Rgb } from '../pdfa-conversion/look-profile.ts';
import { labOfSrgb } from '../pdfa-conversion/srgb-profile.ts';

type Lab = readonly [light: number, a: number, b: number];

/** Points along L*, a* and b*; an odd number has one where a* and b* are nothing, so that greys stay grey. */
const STEPS = 17;
const INKS = 4;
/** "Total area coverage" of the inks one above the other; more does not dry. */
const MOST_INK = 3;
/** Of mixtures that look alike the one with less ink is taken; this much of difference is one ink's worth. */
const INK_COST = 4;
/** How much more or less of an ink is tried; the first ones repeat, because the search begins coarse. */
const REFINEMENTS = [1 / 8, 1 / 8, 1 / 16, 1 / 16, 1 / 32, 1 / 64];

/** `looks`: red, green and blue, 0 to 255, of each of `sampledColours`. */
export function pressProfile(looks: readonly Rgb[]): Uint8Array {
  const toLook = lookTable(looks, 4);
  const toInks = inkTable(looks.map(([red, green, blue]) => labOfSrgb(red / 255, green / 255, blue / 255)));
  return iccProfile({ deviceClass: 'prtr', colours: 'CMYK', connection: 'Lab ' }, [
    ['desc', descriptionTag('Printing in CMYK as shown on screens')],
    ['cprt', textTag('No copyright, use freely')],
    ['wtpt', xyzTag(WHITE)],
    ['A2B0', toLook],
    ['A2B1', toLook],
    ['A2B2', toLook],
    ['B2A0', toInks],
    ['B2A1', toInks],
    ['B2A2', toInks],
    ['gamt', gamutTag()],
  ]);
}

function inkTable(labs: readonly Lab[]): Buffer {
  const table = Buffer.alloc(STEPS ** 3 * INKS * 2);
  const press = new Press(labs);
  let at = 0;
  for (let light = 0; light < STEPS; light += 1)
    for (let a = 0; a < STEPS; a += 1)
      for (let b = 0; b < STEPS; b += 1)
        for (const ink of press.inksFor(labAt(light, a, b)))
          at = table.writeUInt16BE(Math.round(ink * 0xffff), at);
  return tableTag(INKS, STEPS, table);
}

/** Version 2 writes L* up to 100 as 0xff00, and a* and b* from -128 in steps of 256. */
const labAt = (light: number, a: number, b: number): Lab => {
  const word = (step: number): number => (step / (STEPS - 1)) * 0xffff;
  return [Math.min(100, (word(light) / 0xff00) * 100), word(a) / 256 - 128, word(b) / 256 - 128];
};

/** All colours count as printable: a gamut is asked for, but nobody can say it without a press. */
const gamutTag = (): Buffer => tableTag(1, 2, Buffer.alloc(2 ** 3 * 2));

/** lut16Type (ICC.1:2001-04, 6.5.7) from L*, a* and b*: straight curves around a table. */
function tableTag(outputs: number, points: number, table: Buffer): Buffer {
  const curve = Buffer.from([0, 0, 0xff, 0xff]);
  const head = typedTag('mft2', 4 + 36 + 4);
  head.writeUInt8(3, 8);
  head.writeUInt8(outputs, 9);
  head.writeUInt8(points, 10);
  for (const diagonal of [0, 4, 8]) head.writeInt32BE(0x10000, 12 + diagonal * 4);
  head.writeUInt16BE(2, 48);
  head.writeUInt16BE(2, 50);
  return Buffer.concat([head, ...Array(3).fill(curve), table, ...Array(outputs).fill(curve)]);
}

class Press {
  private readonly labs: readonly Lab[];
  /** Every second step of each ink: where the search begins. */
  private readonly mixtures: { inks: Cmyk; lab: Lab }[];

  constructor(labs: readonly Lab[]) {
    this.labs = labs;
    this.mixtures = sampledColours().flatMap((inks, index) =>
      inks.every((ink) => Number.isInteger((ink * (POINTS - 1)) / 2))
        ? [{ inks, lab: labs[index] as Lab }]
        : [],
    );
  }

  /** The nearest of the known mixtures, then a little more or less of each ink while that comes nearer. */
  inksFor(wanted: Lab): Cmyk {
    let best: Cmyk = [0, 0, 0, 0];
    let least = Number.POSITIVE_INFINITY;
    for (const { inks, lab } of this.mixtures) {
      const cost = costOf(inks, lab, wanted);
      if (cost < least) [best, least] = [inks, cost];
    }
    for (const step of REFINEMENTS) {
      for (let ink = 0; ink < INKS; ink += 1) {
        for (const change of [-step, step]) {
          const tried = [...best] as Cmyk;
          tried[ink] = Math.max(0, Math.min(1, (tried[ink] ?? 0) + change));
          const cost = costOf(tried, this.look(tried), wanted);
          if (cost < least) [best, least] = [tried, cost];
        }
      }
    }
    return best;
  }

  /** Between the known mixtures: the sixteen around it, each as much as it is near. */
  private look(inks: Cmyk): Lab {
    const found: [number, number, number] = [0, 0, 0];
    const places = inks.map((ink) => ink * (POINTS - 1));
    for (let corner = 0; corner < 1 << INKS; corner += 1) {
      let [index, weight] = [0, 1];
      for (const [ink, place] of places.entries()) {
        const low = Math.min(POINTS - 2, Math.floor(place));
        const isHigh = ((corner >> ink) & 1) === 1;
        index = index * POINTS + low + (isHigh ? 1 : 0);
        weight *= isHigh ? place - low : 1 - (place - low);
      }
      const lab = this.labs[index] as Lab;
      for (const axis of [0, 1, 2] as const) found[axis] += weight * lab[axis];
    }
    return found;
  }
}

function costOf([cyan, magenta, yellow, black]: Cmyk, look: Lab, wanted: Lab): number {
  const ink = cyan + magenta + yellow + black;
  if (ink > MOST_INK) return Number.POSITIVE_INFINITY;
  return (
    (look[0] - wanted[0]) ** 2 + (look[1] - wanted[1]) ** 2 + (look[2] - wanted[2]) ** 2 + INK_COST * ink
  );
}
