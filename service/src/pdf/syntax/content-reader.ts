// A content stream, operation by operation (ISO 32000-1, 7.8.2). Never fails: what is no PDF is passed over, as
// readers do.

import { lookup } from '../../contract/lookup.ts';
import { Dict, Name, name, type PdfValue } from '../objects.ts';
import { CLASSES, ContentLexer, DELIMITER, latin1, NUMERIC, WHITE } from './content-lexer.ts';

export interface Operation {
  operator: string;
  operands: PdfValue[];
  /** Operands before those that the operator takes. */
  surplus?: PdfValue[];
  /** Where it stands in the bytes: from its first operand to behind its operator. */
  start: number;
  end: number;
  /** Where the data of an inline image stands. */
  data?: { start: number; end: number };
}

const MAX_OPERANDS = 100_000;
const MAX_DEPTH = 50;
/** White space and EI. */
const NEAR = 6;

const CLOSE_ARRAY = Symbol('] or >>');
type Token = PdfValue | typeof CLOSE_ARRAY | { operator: string };

export class ContentReader extends ContentLexer {
  /** Operands at the end that no operator takes; its operator is empty. */
  unfinished: Operation | undefined;

  /** An inline image comes as one operation, BI, with its dictionary; `end` is behind EI. */
  next(): Operation | undefined {
    let operands: PdfValue[] = [];
    let start = -1;
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length) {
        if (start !== -1) this.unfinished = { operator: '', operands, start, end: this.bytes.length };
        return undefined;
      }
      const from = this.at;
      const token = this.token(0);
      if (token === CLOSE_ARRAY) continue;
      if (start === -1) start = from;
      if (!isOperator(token)) {
        if (operands.length < MAX_OPERANDS) operands.push(token);
        continue;
      }
      const { operator } = token;
      if (operator !== 'BI') return { operator, operands, start, end: this.at };
      const dict = this.inlineDict();
      operands = [dict];
      const dataStart = Math.min(this.at + 1, this.bytes.length);
      this.at = this.dataEnd(dict, dataStart) ?? this.bytes.length;
      return {
        operator,
        operands,
        start,
        end: this.at,
        data: { start: dataStart, end: Math.max(dataStart, this.at - 2) },
      };
    }
  }

  private skipWhite(): void {
    const { bytes } = this;
    for (;;) {
      const c = bytes[this.at];
      if (c === undefined) return;
      if (c === 0x25) this.skipComment();
      else if (CLASSES[c] === WHITE) this.at += 1;
      else return;
    }
  }

  /** Stands on a character that is no white space. */
  private token(depth: number): Token {
    const c = this.bytes[this.at] ?? 0;
    const kind = CLASSES[c];
    if (kind === NUMERIC) return this.number();
    if (kind !== DELIMITER) return this.word();
    if (c === 0x2f) return name(this.nameText());
    if (c === 0x28) return this.literal();
    if (c === 0x5b) return this.array(depth);
    if (c === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.dict(depth) : this.hex();
    this.at += c === 0x3e && this.bytes[this.at + 1] === 0x3e ? 2 : 1;
    return CLOSE_ARRAY;
  }

  private number(): number {
    const { bytes } = this;
    const start = this.at;
    while (CLASSES[bytes[this.at] ?? 0x20] === NUMERIC) this.at += 1;
    const text = latin1(bytes, start, this.at);
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    // `--5` and `1.2.3` are written by careless producers; a sign inside ends the number.
    const sound = /^[+-]*(\d*\.?\d*)/.exec(text)?.[1] ?? '';
    return (Number(sound) || 0) * (text.startsWith('-') ? -1 : 1);
  }

  private word(): PdfValue | { operator: string } {
    const end = this.wordEnd(this.at);
    const word = latin1(this.bytes, this.at, end);
    this.at = end;
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word === 'null' ? null : { operator: word };
  }

  private array(depth: number): PdfValue[] {
    this.at += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length || depth > MAX_DEPTH) return items;
      const before = this.at;
      const token = this.token(depth + 1);
      if (token === CLOSE_ARRAY) return items;
      if (isOperator(token)) {
        // An array that is never closed ends where an operator stands.
        this.at = before;
        return items;
      }
      items.push(token);
    }
  }

  private dict(depth: number): Dict {
    this.at += 2;
    return this.entries(depth, () => false);
  }

  /** Keys and values up to the closing mark, or the word that ends an inline image's dictionary. */
  private entries(depth: number, isEnd: (word: string) => boolean): Dict {
    const dict = new Dict();
    let key: string | undefined;
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length || depth > MAX_DEPTH) return dict;
      if (key === undefined && this.bytes[this.at] === 0x2f) {
        key = this.nameText();
        continue;
      }
      const before = this.at;
      const token = this.token(depth + 1);
      if (token === CLOSE_ARRAY) return dict;
      if (isOperator(token)) {
        if (!isEnd(token.operator)) this.at = before;
        return dict;
      }
      if (key !== undefined) dict.set(key, token);
      key = undefined;
    }
  }

  /** Behind EI: where the data must end, or, where none stands there, behind the first that looks like one. */
  private dataEnd(dict: Dict, start: number): number | undefined {
    const expected = start + (plainLength(dict) ?? 0);
    const end = this.imageEnd(expected);
    return end !== undefined && end - expected <= NEAR ? end : this.imageEnd(start);
  }

  private inlineDict(): Dict {
    return this.entries(0, (word) => word === 'ID');
  }
}

const COMPONENTS: Readonly<Record<string, number>> = lookup({
  G: 1,
  DeviceGray: 1,
  I: 1,
  Indexed: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
});

/** Bytes of an inline image's data where no filter makes them fewer; it may hold anything, EI too. */
function plainLength(dict: Dict): number | undefined {
  const entry = (short: string, long: string) => dict.get(short) ?? dict.get(long);
  if (entry('F', 'Filter') !== undefined) return undefined;
  const isMask = entry('IM', 'ImageMask') === true;
  const space = entry('CS', 'ColorSpace');
  const family = Array.isArray(space) ? space[0] : space;
  const components = isMask ? 1 : family instanceof Name ? COMPONENTS[family.value] : undefined;
  const [width, height] = [entry('W', 'Width'), entry('H', 'Height')];
  const bits = isMask ? 1 : entry('BPC', 'BitsPerComponent');
  if (typeof width !== 'number' || typeof height !== 'number' || typeof bits !== 'number') return undefined;
  const length = components === undefined ? Number.NaN : Math.ceil((width * bits * components) / 8) * height;
  return length >= 0 && length < 1e9 ? length : undefined;
}

const isOperator = (token: Token): token is { operator: string } =>
  typeof token === 'object' && token !== null && 'operator' in token;
