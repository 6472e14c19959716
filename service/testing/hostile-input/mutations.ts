// Files changed at random, the same way for the same seed: bytes, numbers and pieces, and inside what is packed.
import { inflateSync } from 'node:zlib';
import { zipEntries, zipOf } from '../oracles/archives.ts';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

export const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const NUMBERS = [
  '0',
  '-1',
  '1',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483648',
  '4294967296',
  '1e9',
  '.5',
  '',
];
const WORDS = [
  'null',
  '<<',
  '>>',
  '[',
  ']',
  '0 R',
  '/',
  '(',
  ')',
  'obj',
  'stream',
  'endstream',
  '<',
  '>',
  '"',
  '&',
  '\0',
];

/** Some changes of one kind or another. */
export function mutated(bytes: Uint8Array, random: Random, other: Uint8Array = bytes): Buffer {
  let file: Buffer = Buffer.from(bytes);
  for (let changes = 1 + below(random, 6); changes > 0; changes -= 1)
    file = oneOf(random, CHANGES)(file, random, other);
  return file;
}

type Change = (file: Buffer, random: Random, other: Uint8Array) => Buffer;

const CHANGES: readonly Change[] = [
  function flipBytes(file, random) {
    for (let count = 1 + below(random, 8); count > 0 && file.length > 0; count -= 1)
      file[below(random, file.length)] = below(random, 256);
    return file;
  },
  function extremeBytes(file, random) {
    const at = below(random, file.length);
    const end = Math.min(file.length, at + 1 + below(random, 4));
    return file.fill(oneOf(random, [0, 0x7f, 0x80, 0xff]), at, end);
  },
  function changeNumber(file, random) {
    return replaced(file, random, /\d+/g, oneOf(random, NUMBERS));
  },
  function changeWord(file, random) {
    return replaced(file, random, /[A-Za-z]{2,}|<<|>>|\[|\]/g, oneOf(random, WORDS));
  },
  function removePiece(file, random) {
    const at = below(random, file.length);
    return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + below(random, 200))]);
  },
  function repeatPiece(file, random) {
    const at = below(random, file.length);
    const piece = file.subarray(at, at + 1 + below(random, 200));
    const times = Array<Buffer>(1 + below(random, 20)).fill(piece);
    return Buffer.concat([file.subarray(0, at), ...times, file.subarray(at)]);
  },
  function pieceOfAnother(file, random, other) {
    const at = below(random, file.length);
    const from = below(random, other.length);
    return Buffer.concat([
      file.subarray(0, at),
      other.subarray(from, from + below(random, 400)),
      file.subarray(at),
    ]);
  },
  function cutShort(file, random) {
    return random() < 0.3 ? file.subarray(0, below(random, file.length)) : file;
  },
];

/** One match after a random place. */
function replaced(file: Buffer, random: Random, what: RegExp, by: string): Buffer {
  const text = file.toString('latin1');
  const from = below(random, text.length);
  what.lastIndex = from;
  const found = what.exec(text);
  if (!found) return file;
  return Buffer.from(text.slice(0, found.index) + by + text.slice(found.index + found[0].length), 'latin1');
}

/** The same document with its Flate streams undone, where they can be: changes then reach what is packed in them. */
export function unpackedPdf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const pieces: string[] = [];
  let last = 0;
  for (const found of text.matchAll(/stream\r?\n/g)) {
    const start = found.index + found[0].length;
    const dictionary = text.lastIndexOf(' obj', found.index);
    const end = text.indexOf('endstream', start);
    const entries = text.slice(dictionary, found.index);
    if (end < 0 || dictionary < last || !/\/Filter\s*\/FlateDecode/.test(entries)) continue;
    if (/\/DecodeParms|\/XRef|\/ObjStm/.test(entries)) continue;
    try {
      const data = inflateSync(bytes.subarray(start, end)).toString('latin1');
      pieces.push(text.slice(last, dictionary));
      pieces.push(
        entries
          .replace(/\/Filter\s*\/FlateDecode/, '')
          .replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, `/Length ${data.length}`),
      );
      pieces.push(found[0], data, '\n');
      last = end;
    } catch {
      // It stays as it is.
    }
  }
  // Where objects stand has changed: whoever reads it has to look for them.
  return Buffer.from([...pieces, text.slice(last)].join(''), 'latin1');
}

/** A ZIP with one of its entries changed, all else sound. */
export async function mutatedInside(archive: Buffer, random: Random): Promise<Buffer> {
  const entries = await zipEntries(archive).catch(() => []);
  if (entries.length === 0) return mutated(archive, random);
  const chosen = below(random, entries.length);
  const other = oneOf(random, entries).bytes;
  return zipOf(
    Object.fromEntries(
      entries.map(({ name, bytes }, index) => [
        name,
        index === chosen ? mutated(bytes, random, other) : bytes,
      ]),
    ),
  );
}
