// Object streams (ISO 32000-1, 7.5.7), unpacked: which objects stand in one, and where.
import type { Dict } from '../../../pdf/objects.ts';
import { sure } from './object-scan.ts';

export interface Container {
  bytes: Buffer;
  numbers: Uint32Array;
  places: Uint32Array;
}

export function containerOf(dict: Dict, bytes: Buffer): Container {
  const [count, first] = [dict.get('N'), dict.get('First')];
  sure(typeof count === 'number' && typeof first === 'number' && !dict.has('Extends'));
  const head = bytes.toString('latin1', 0, first as number);
  sure(/^[\d\s]*$/.test(head));
  const told = head.trim().split(/\s+/).map(Number);
  sure(told.length === 2 * (count as number));
  const numbers = new Uint32Array(told.length / 2);
  const places = new Uint32Array(told.length / 2);
  for (let index = 0; index < numbers.length; index += 1) {
    numbers[index] = told[2 * index] as number;
    places[index] = (first as number) + (told[2 * index + 1] as number);
    sure(index === 0 || (places[index] as number) > (places[index - 1] as number));
  }
  return { bytes, numbers, places };
}
