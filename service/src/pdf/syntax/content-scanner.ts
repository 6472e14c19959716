// Content streams, read strictly and fast: whoever acts on what is not in them must know that all of them was
// understood. The tolerant reader is content-reader.ts.
import { CLASSES, ContentLexer, DELIMITER, NUMERIC, WHITE } from './content-lexer.ts';

/** Operators by their letters, as one number: making a text of each takes longer than all the rest. */
const OPERATORS = new Map(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg
   ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " true false null`
    .split(/\s+/)
    .map((word) => [numberOf(Buffer.from(word), 0, word.length), word]),
);

const LONGEST_OPERATOR = 5;

function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 256 + (bytes[at] as number);
  return number;
}

export abstract class ContentScanner extends ContentLexer {
  /** Where the strings among the operands begin. */
  private strings: number[] = [];
  private lastName: string | undefined;

  /** `name` is the last one among the operands. */
  protected abstract meet(operator: string, name: string | undefined): void;
  /** A name among the entries of an inline image. */
  protected abstract meetInImage(name: string): void;

  /** Whether all of the stream was understood. */
  run(): boolean {
    while (this.at < this.bytes.length) {
      const c = this.bytes[this.at] as number;
      const kind = CLASSES[c];
      if (kind === WHITE) this.at += 1;
      else if (kind === NUMERIC) {
        if (!this.skipNumber()) return false;
      } else if (kind === DELIMITER) {
        if (!this.delimited(c)) return false;
      } else if (!this.operator()) return false;
    }
    return true;
  }

  /** The strings among the operands of the operator that is being met. */
  protected *shownStrings(): Iterable<Uint8Array> {
    const { at } = this;
    try {
      for (const start of this.strings) {
        this.at = start;
        yield (this.bytes[start] === 0x28 ? this.literal() : this.hex()).bytes;
      }
    } finally {
      this.at = at;
    }
  }

  private delimited(c: number): boolean {
    if (c === 0x2f) {
      this.lastName = this.nameText();
      return true;
    }
    if (c === 0x28) return this.skipString();
    if (c === 0x25) {
      this.skipComment();
      return true;
    }
    // Dictionaries and arrays need no nesting here: a name inside one only adds to what is kept.
    if (c === 0x3c && this.bytes[this.at + 1] !== 0x3c) return this.skipHex();
    this.at += c === 0x3c ? 2 : 1;
    return c !== 0x7b && c !== 0x7d && c !== 0x29;
  }

  private skipNumber(): boolean {
    while (CLASSES[this.bytes[this.at] ?? 0x20] === NUMERIC) this.at += 1;
    const next = CLASSES[this.bytes[this.at] ?? 0x20];
    return next === WHITE || next === DELIMITER;
  }

  private skipString(): boolean {
    this.strings.push(this.at);
    let open = 0;
    for (; this.at < this.bytes.length; this.at += 1) {
      const c = this.bytes[this.at];
      if (c === 0x5c) this.at += 1;
      else if (c === 0x28) open += 1;
      else if (c === 0x29) {
        open -= 1;
        if (open === 0) {
          this.at += 1;
          return true;
        }
      }
    }
    return false;
  }

  private skipHex(): boolean {
    this.strings.push(this.at);
    const end = this.bytes.indexOf(0x3e, this.at);
    this.at = end + 1;
    return end !== -1;
  }

  private operator(): boolean {
    const end = this.wordEnd(this.at);
    if (end - this.at > LONGEST_OPERATOR) return false;
    const word = OPERATORS.get(numberOf(this.bytes, this.at, end));
    if (word === undefined) return false;
    this.at = end;
    if (word === 'BI') return this.inlineImage();
    // `true`, `false` and `null` are operands: the name before them still belongs to the operator after them.
    if (word === 'true' || word === 'false' || word === 'null') return true;
    this.meet(word, this.lastName);
    this.lastName = undefined;
    if (this.strings.length > 0) this.strings = [];
    return true;
  }

  /** From BI to EI. */
  private inlineImage(): boolean {
    for (;;) {
      while (CLASSES[this.bytes[this.at] ?? 0] === WHITE && this.at < this.bytes.length) this.at += 1;
      if (this.at >= this.bytes.length) return false;
      const c = this.bytes[this.at] as number;
      if (c === 0x2f) {
        this.meetInImage(this.nameText());
        continue;
      }
      if (CLASSES[c] === DELIMITER) {
        if (!this.delimited(c)) return false;
        continue;
      }
      const end = this.wordEnd(this.at);
      const isData = end - this.at === 2 && c === 0x49 && this.bytes[this.at + 1] === 0x44;
      this.at = end;
      if (isData) return this.skipImageData();
    }
  }

  private skipImageData(): boolean {
    const end = this.imageEnd(this.at + 1);
    this.at = end ?? this.bytes.length;
    this.strings = [];
    return end !== undefined;
  }
}
