// An object as a sound file writes it, and the words it begins with.
import type { Ref } from '../../../pdf/objects.ts';
import { isAt, type ObjectType, sure } from './object-scan.ts';
import type { Source } from './source.ts';

/** Where the data of a stream stands, as stored. */
export interface DataPlace {
  source: Source;
  from: number;
  to: number;
}

/** An object as a file writes it: the bytes from `from` to `to`; of a stream, those of its dictionary. */
export interface StrictObject {
  ref: Ref;
  bytes: Buffer;
  from: number;
  to: number;
  /** Of each reference that leads somewhere: its number, else 0; where it begins and ends, counted from `from`. */
  refs: readonly number[];
  data: DataPlace | undefined;
  type: ObjectType;
  hasFilter: boolean;
  hasKids: boolean;
  /** The number its Parent refers to; 0 where there is none, -1 where that is no reference. */
  parent: number;
  /** Where among the references those of its Parent and its Thumb stand; -1 where they are none. */
  parentPlace: number;
  thumbPlace: number;
}

export const REF_FIELDS = 3;

export const isNull = ({ bytes, from, to }: StrictObject): boolean =>
  to - from === 4 && isAt(bytes, from, 'null');

export const textOf = ({ bytes, from, to }: StrictObject): string => bytes.toString('latin1', from, to);

/** As white as regular expressions have it: none of them ends a word by a zero. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

/** Where the words that begin an object end; something follows that cannot be a part of them. */
export function afterHead(bytes: Uint8Array, from: number, { number, generation }: Ref): number {
  const second = afterNumber(bytes, from, number);
  const third = afterNumber(bytes, second + 1, generation);
  sure(bytes[second] === 32 && bytes[third] === 32 && isAt(bytes, third + 1, 'obj'));
  const end = third + ' obj'.length;
  const next = bytes[end];
  // < [ ( /
  sure(isSpace(next) || next === 60 || next === 91 || next === 40 || next === 47);
  return end;
}

/** Past the number that stands there, without zeros before it. */
function afterNumber(bytes: Uint8Array, from: number, number: number): number {
  let at = from;
  let told = 0;
  for (let digit = (bytes[at] ?? 0) - 48; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - 48) {
    told = told * 10 + digit;
    at += 1;
  }
  sure(told === number && at > from && (bytes[from] !== 48 || at === from + 1));
  return at;
}
