// A reader of PCL XL streams (PCL 6), as far as pages go: no program of this machine reads them.
import assert from 'node:assert/strict';

export interface PclPage {
  /** Values by number of the attribute, as BeginPage has them. */
  attributes: ReadonlyMap<number, readonly number[]>;
  /** How often each operator stands in the page. */
  operators: ReadonlyMap<number, number>;
}

/** Bytes of each type of value: ubyte, uint16, uint32, sint16, sint32, real32. */
const SIZES = [1, 2, 4, 2, 4, 4];
const END = '\x1b%-12345X';
const [BEGIN_SESSION, END_SESSION, BEGIN_PAGE, END_PAGE] = [0x41, 0x42, 0x43, 0x44];

/** Every byte is read: what is not in the language fails. */
export function pclPages(bytes: Buffer): PclPage[] {
  const header = /^\x1b%-12345X(?:@PJL[^\n]*\n)*\) HP-PCL XL;[^\n]*\n/.exec(
    bytes.toString('latin1', 0, 2000),
  );
  assert.ok(header, 'no header of PCL XL, little endian');
  assert.equal(bytes.toString('latin1', bytes.length - END.length), END);
  const pages: PclPage[] = [];
  let operators: Map<number, number> | undefined;
  let attributes = new Map<number, number[]>();
  let values: number[] = [];
  let sessions = 0;
  let at = header[0].length;
  const take = (count: number): Buffer => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (type: number): number => {
    const read = take(SIZES[type] ?? assert.fail('no such type'));
    if (type === 5) return read.readFloatLE();
    return type > 2 ? read.readIntLE(0, read.length) : read.readUIntLE(0, read.length);
  };
  const numbers = (type: number, count: number): number[] =>
    Array.from({ length: count }, () => number(type));
  while (at < bytes.length - END.length) {
    const [tag = 0] = take(1);
    const [kind, type] = [tag & 0xf8, tag & 7];
    if (tag === 0xf8 || tag === 0xf9) attributes.set(number(tag - 0xf8), values);
    else if (tag === 0xfa) take(number(2));
    else if (tag === 0xfb) take(number(0));
    else if (kind === 0xc0) values = numbers(type, 1);
    else if (kind === 0xc8) values = numbers(type, number((take(1)[0] ?? 0) - 0xc0));
    else if (kind === 0xd0) values = numbers(type, 2);
    else if (kind === 0xe0) values = numbers(type, 4);
    else {
      assert.ok(tag >= BEGIN_SESSION && tag < 0xc0, `no tag of the language at ${at - 1}: ${tag}`);
      if (tag === BEGIN_SESSION || tag === END_SESSION) sessions += 1;
      if (tag === BEGIN_PAGE) {
        assert.equal(operators, undefined, 'a page within a page');
        operators = new Map();
        pages.push({ attributes, operators });
      } else if (tag === END_PAGE) operators = undefined;
      else operators?.set(tag, (operators.get(tag) ?? 0) + 1);
      attributes = new Map();
    }
  }
  assert.equal(sessions, 2);
  return pages;
}
