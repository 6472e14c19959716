// PDF functions (ISO 32000-1, 7.10): numbers in, numbers out. What cannot be read gives nothing.

import type { PdfDocument } from '../document.ts';
import type { Dict, PdfObject, PdfValue } from '../objects.ts';
import { Ref } from '../objects.ts';
import { readCalculator } from './calculator-functions.ts';

export type PdfFunction = (inputs: readonly number[]) => number[];

const MAX_DEPTH = 8;
const MAX_SAMPLES = 4_000_000;

/** A function, or an array of functions with one output each. */
export function readFunction(
  doc: PdfDocument,
  value: PdfObject | undefined,
  depth = 0,
): PdfFunction | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const several = doc.array(value);
  if (several) {
    const parts = several.slice(0, 32).map((part) => readFunction(doc, part, depth + 1));
    if (parts.length === 0 || parts.includes(undefined)) return undefined;
    return (inputs) => parts.flatMap((part) => part?.(inputs).slice(0, 1) ?? []);
  }
  const dict = doc.dict(value);
  const domain = numbers(doc, dict?.get('Domain'));
  if (!dict || domain.length < 2) return undefined;
  const made = byType(doc, dict, value, domain, depth);
  if (!made) return undefined;
  const range = numbers(doc, dict.get('Range'));
  return (inputs) => clip(made(clip(inputs, domain)), range);
}

function byType(
  doc: PdfDocument,
  dict: Dict,
  value: PdfObject | undefined,
  domain: number[],
  depth: number,
): PdfFunction | undefined {
  const type = doc.number(dict.get('FunctionType'));
  if (type === 2) return exponential(doc, dict);
  if (type === 3) return stitching(doc, dict, domain, depth);
  if (!(value instanceof Ref)) return undefined;
  if (type === 4) return readCalculator(Buffer.from(doc.streamData(value).bytes).toString('latin1'));
  return type === 0 ? readSampled(doc, dict, value, domain) : undefined;
}

export const numbers = (doc: PdfDocument, value: PdfValue | undefined): number[] =>
  (doc.array(value) ?? []).slice(0, 1024).map((each) => doc.number(each) ?? 0);

/** Values within pairs of bounds; those without bounds stay. */
const clip = (values: readonly number[], bounds: readonly number[]): number[] =>
  values.map((value, index) => {
    const low = bounds[2 * index];
    const high = bounds[2 * index + 1];
    const sound = Number.isFinite(value) ? value : 0;
    return low === undefined || high === undefined ? sound : Math.min(high, Math.max(low, sound));
  });

function exponential(doc: PdfDocument, dict: Dict): PdfFunction {
  const from = numbers(doc, dict.get('C0'));
  const to = numbers(doc, dict.get('C1'));
  const c0 = from.length > 0 ? from : [0];
  const c1 = to.length > 0 ? to : [1];
  const power = doc.number(dict.get('N')) ?? 1;
  return ([x = 0]) => c0.map((value, index) => value + x ** power * ((c1[index] ?? value) - value));
}

function stitching(doc: PdfDocument, dict: Dict, domain: number[], depth: number): PdfFunction | undefined {
  const parts = (doc.array(dict.get('Functions')) ?? [])
    .slice(0, 256)
    .map((part) => readFunction(doc, part, depth + 1));
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const edges = [
    domain[0] ?? 0,
    ...numbers(doc, dict.get('Bounds')).slice(0, parts.length - 1),
    domain[1] ?? 1,
  ];
  const encode = numbers(doc, dict.get('Encode'));
  return ([x = 0]) => {
    let part = 0;
    while (part < parts.length - 1 && x >= (edges[part + 1] ?? Number.POSITIVE_INFINITY)) part += 1;
    const [low = 0, high = 1] = edges.slice(part, part + 2);
    const [first = 0, last = 1] = encode.slice(2 * part, 2 * part + 2);
    const share = high === low ? 0 : (x - low) / (high - low);
    return parts[part]?.([first + share * (last - first)]) ?? [];
  };
}

function readSampled(doc: PdfDocument, dict: Dict, ref: Ref, domain: number[]): PdfFunction | undefined {
  const size = numbers(doc, dict.get('Size')).map((count) => Math.max(1, Math.floor(count)));
  const bits = doc.number(dict.get('BitsPerSample')) ?? 8;
  const range = numbers(doc, dict.get('Range'));
  const outputs = Math.floor(range.length / 2);
  const inputs = Math.floor(domain.length / 2);
  const total = size.reduce((product, count) => product * count, outputs);
  if (size.length !== inputs || inputs > 8 || outputs === 0 || total > MAX_SAMPLES) return undefined;
  const samples = readSamples(doc.streamData(ref).bytes, bits, total);
  if (!samples) return undefined;
  const encode = numbers(doc, dict.get('Encode'));
  const decoded = numbers(doc, dict.get('Decode'));
  const decode = decoded.length >= 2 * outputs ? decoded : range;
  const most = 2 ** bits - 1;
  return (values) => {
    const places = size.map((count, index) => {
      const [low = 0, high = 1] = domain.slice(2 * index, 2 * index + 2);
      const [first = 0, last = count - 1] = encode.slice(2 * index, 2 * index + 2);
      const share = high === low ? 0 : ((values[index] ?? 0) - low) / (high - low);
      return Math.min(count - 1, Math.max(0, first + share * (last - first)));
    });
    return Array.from({ length: outputs }, (_, output) => {
      const sample = between(samples, size, places, outputs, output) / most;
      const [low = 0, high = 1] = decode.slice(2 * output, 2 * output + 2);
      return low + sample * (high - low);
    });
  };
}

/** The value between the corners of the cell of the grid. */
function between(
  samples: Float64Array,
  size: readonly number[],
  places: readonly number[],
  outputs: number,
  output: number,
): number {
  let sum = 0;
  for (let corner = 0; corner < 1 << places.length; corner += 1) {
    let weight = 1;
    let index = 0;
    let stride = 1;
    for (const [axis, place] of places.entries()) {
      const count = size[axis] ?? 1;
      const floor = Math.min(Math.floor(place), count - 1);
      const upper = (corner >> axis) & 1;
      const part = place - floor;
      weight *= upper ? part : 1 - part;
      index += Math.min(floor + upper, count - 1) * stride;
      stride *= count;
    }
    if (weight > 0) sum += weight * (samples[index * outputs + output] ?? 0);
  }
  return sum;
}

/** Whole numbers of some bits each, one after another. */
export function readSamples(bytes: Uint8Array, bits: number, count: number): Float64Array | undefined {
  if (![1, 2, 4, 8, 12, 16, 24, 32].includes(bits) || bytes.length * 8 < bits * count) return undefined;
  const samples = new Float64Array(count);
  for (let index = 0, at = 0; index < count; index += 1, at += bits) {
    let value = 0;
    for (let bit = at; bit < at + bits; ) {
      const inByte = bit & 7;
      const taken = Math.min(8 - inByte, at + bits - bit);
      value =
        value * 2 ** taken + (((bytes[bit >> 3] as number) >> (8 - inByte - taken)) & ((1 << taken) - 1));
      bit += taken;
    }
    samples[index] = value;
  }
  return samples;
}
