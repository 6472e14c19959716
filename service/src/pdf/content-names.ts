// Which resources a content stream names: a small tokenizer, not an interpreter. It may say too much, never
// too little; where the stream is not plain PDF content it says nothing at all.

/** Names used, by resource category. */
export type ContentNames = Record<ResourceCategory, Set<string>>;
export type ResourceCategory = (typeof RESOURCE_CATEGORIES)[number];

export const RESOURCE_CATEGORIES = [
  'XObject',
  'Font',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
] as const;

/** Operators whose name operand is a resource. */
const NAMING: Record<string, ResourceCategory> = {
  Do: 'XObject',
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
  BDC: 'Properties',
  DP: 'Properties',
};

const OPERATORS = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg
   ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " true false null`.split(
    /\s+/,
  ),
);

const LONGEST_OPERATOR = 5;

const WHITE = 1;
const DELIMITER = 2;
const NUMERIC = 3;
const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;
for (const c of '0123456789+-.') CLASSES[c.charCodeAt(0)] = NUMERIC;

export function noNames(): ContentNames {
  return {
    XObject: new Set(),
    Font: new Set(),
    ExtGState: new Set(),
    ColorSpace: new Set(),
    Pattern: new Set(),
    Shading: new Set(),
    Properties: new Set(),
  };
}

/** Undefined where the bytes are doubtful: callers then take every resource as used. */
export function namesInContent(bytes: Uint8Array): ContentNames | undefined {
  const names = noNames();
  return new Tokenizer(bytes, names).run() ? names : undefined;
}

class Tokenizer {
  private readonly bytes: Uint8Array;
  private readonly names: ContentNames;
  private at = 0;
  private lastName: string | undefined;

  constructor(bytes: Uint8Array, names: ContentNames) {
    this.bytes = bytes;
    this.names = names;
  }

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

  private delimited(c: number): boolean {
    if (c === 0x2f) {
      this.lastName = this.readName();
      return true;
    }
    if (c === 0x28) return this.skipString();
    if (c === 0x25) {
      this.skipComment();
      return true;
    }
    // Dictionaries and arrays need no nesting here: a name inside one only adds to what is kept.
    if (c === 0x3c && this.bytes[this.at + 1] !== 0x3c) return this.skipHex();
    this.at += 1;
    return c !== 0x7b && c !== 0x7d && c !== 0x29;
  }

  private wordEnd(from: number): number {
    let end = from;
    while (end < this.bytes.length) {
      const kind = CLASSES[this.bytes[end] as number];
      if (kind === WHITE || kind === DELIMITER) break;
      end += 1;
    }
    return end;
  }

  private skipNumber(): boolean {
    while (CLASSES[this.bytes[this.at] ?? 0x20] === NUMERIC) this.at += 1;
    const next = CLASSES[this.bytes[this.at] ?? 0x20];
    return next === WHITE || next === DELIMITER;
  }

  private readName(): string {
    const end = this.wordEnd(this.at + 1);
    const raw = latin1(this.bytes, this.at + 1, end);
    this.at = end;
    if (!raw.includes('#')) return raw;
    return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  private skipString(): boolean {
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
    const end = this.bytes.indexOf(0x3e, this.at);
    this.at = end + 1;
    return end !== -1;
  }

  private skipComment(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 0x0a && this.bytes[this.at] !== 0x0d)
      this.at += 1;
  }

  private operator(): boolean {
    const end = this.wordEnd(this.at);
    if (end - this.at > LONGEST_OPERATOR) return false;
    const word = latin1(this.bytes, this.at, end);
    if (!OPERATORS.has(word)) return false;
    this.at = end;
    if (word === 'BI') return this.inlineImage();
    const category = NAMING[word];
    if (category && this.lastName !== undefined) this.names[category].add(this.lastName);
    // `true`, `false` and `null` are operands: the name before them still belongs to the operator after them.
    if (word !== 'true' && word !== 'false' && word !== 'null') this.lastName = undefined;
    return true;
  }

  /** From BI to EI. Every name among its entries may be a colour space of the page. */
  private inlineImage(): boolean {
    for (;;) {
      while (CLASSES[this.bytes[this.at] ?? 0] === WHITE && this.at < this.bytes.length) this.at += 1;
      if (this.at >= this.bytes.length) return false;
      const c = this.bytes[this.at] as number;
      if (c === 0x2f) {
        this.names.ColorSpace.add(this.readName());
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

  /** The data ends at a lone EI after which readable content follows. */
  private skipImageData(): boolean {
    for (let at = this.at + 1; at + 1 < this.bytes.length; at += 1) {
      if (this.bytes[at] !== 0x45 || this.bytes[at + 1] !== 0x49) continue;
      if (CLASSES[this.bytes[at - 1] ?? 0] !== WHITE) continue;
      if (!this.looksLikeContent(at + 2)) continue;
      this.at = at + 2;
      return true;
    }
    return false;
  }

  private looksLikeContent(from: number): boolean {
    if (from >= this.bytes.length) return true;
    if (CLASSES[this.bytes[from] as number] !== WHITE) return false;
    const until = Math.min(this.bytes.length, from + 16);
    for (let at = from; at < until; at += 1) {
      const c = this.bytes[at] as number;
      if (c > 0x7e || (c < 0x20 && CLASSES[c] !== WHITE)) return false;
    }
    return true;
  }
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at] as number);
  return text;
}
