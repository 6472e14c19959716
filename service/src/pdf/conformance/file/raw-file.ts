// A file as its bytes stand: header, end, cross-references, spacing of objects and streams. The document itself
// has been mended while it was opened; these are the things mending hides.
import type { PdfDocument } from '../../document.ts';
import { type Dict, Ref, Stream } from '../../objects.ts';
import { isEol, isWhite, RawSyntax, type SyntaxFault } from './raw-syntax.ts';
import { latin1, type RawObject, readXrefChain, type XrefChain } from './raw-xref.ts';

export interface PlacedFault {
  fault: SyntaxFault;
  value: number;
  /** "object 12" */
  where: string;
}

export interface RawFile {
  headerOffset: number;
  /** The first line from `%PDF-` on. */
  header: string;
  /** Whether a comment of four bytes above 127 follows the header. */
  hasBinaryMark: boolean;
  bytesAfterEnd: number;
  chain: XrefChain;
  /** Every object of the file, those in object streams included. */
  refs: Ref[];
  faults: PlacedFault[];
  /** Objects with loose spacing around obj and endobj. */
  looseObjects: string[];
  wrongLengths: string[];
  looseStreams: string[];
  isLinearized: boolean;
}

export function readRawFile(doc: PdfDocument, bytes: Uint8Array): RawFile {
  const head = latin1(bytes, 0, 4096);
  const headerOffset = Math.max(0, head.indexOf('%PDF-'));
  const header = /^[^\r\n]*/.exec(head.slice(headerOffset))?.[0] ?? '';
  const chain = readXrefChain(doc, bytes, headerOffset);
  const scan = new ObjectScan(doc, bytes);
  for (const object of chain.objects) scan.object(object);
  for (const { at, isStream, trailer, trailerAt } of chain.sections) {
    if (trailerAt !== undefined) scan.trailer(trailerAt);
    if (isStream) scan.crossReferences(at, trailer);
  }
  const isLinearized = linearizedLength(bytes) === bytes.length;
  return {
    headerOffset,
    header,
    hasBinaryMark: hasBinaryMark(bytes, headerOffset + header.length),
    bytesAfterEnd: bytesAfterEnd(bytes),
    chain,
    refs: chain.sound ? scan.refs : doc.allRefs(),
    faults: scan.faults,
    looseObjects: scan.looseObjects,
    wrongLengths: scan.wrongLengths,
    looseStreams: scan.looseStreams,
    isLinearized,
  };
}

function hasBinaryMark(bytes: Uint8Array, lineEnd: number): boolean {
  let at = lineEnd;
  while (isEol(bytes[at])) at += 1;
  if (bytes[at] !== 0x25) return false;
  return [1, 2, 3, 4].every((index) => (bytes[at + index] ?? 0) > 127);
}

function bytesAfterEnd(bytes: Uint8Array): number {
  const tail = latin1(bytes, bytes.length - 4096, bytes.length);
  const mark = tail.lastIndexOf('%%EOF');
  if (mark === -1) return bytes.length;
  const rest = tail.slice(mark + 5);
  return rest.replace(/^(?:\r\n|\r|\n)/, '').length;
}

function linearizedLength(bytes: Uint8Array): number | undefined {
  const head = latin1(bytes, 0, 2048);
  const first = /\d+\s+\d+\s+obj\s*<<[^>]*\/Linearized\b[^>]*>>/.exec(head)?.[0];
  const length = first === undefined ? null : /\/L\s+(\d+)/.exec(first);
  return length ? Number(length[1]) : undefined;
}

/** Words that end an object, or the dictionary of a stream. */
const ENDS = new Set(['endobj', 'stream', 'endstream', 'obj', 'xref', 'trailer', 'startxref']);

class ObjectScan {
  readonly refs: Ref[] = [];
  readonly faults: PlacedFault[] = [];
  readonly looseObjects: string[] = [];
  readonly wrongLengths: string[] = [];
  readonly looseStreams: string[] = [];
  private readonly streams = new Set<string>();
  private readonly doc: PdfDocument;
  private readonly bytes: Uint8Array;

  constructor(doc: PdfDocument, bytes: Uint8Array) {
    this.doc = doc;
    this.bytes = bytes;
  }

  object({ number, generation, offset }: RawObject): void {
    const { bytes } = this;
    const head = /^[\s\0]{0,4}(\d{1,10})([\s\0]{1,8})(\d{1,5})([\s\0]{1,8})obj/.exec(
      latin1(bytes, offset, offset + 48),
    );
    const ref = new Ref(number, generation);
    const where = `object ${number} ${generation}`;
    this.refs.push(ref);
    if (!head || Number(head[1]) !== number) {
      // Readers find it all the same, but not where the cross-references say.
      this.looseObjects.push(where);
      return;
    }
    const bodyStart = offset + head[0].length;
    const syntax = new RawSyntax(bytes, bodyStart);
    let word = syntax.nextWord();
    while (word && !ENDS.has(word.word)) word = syntax.nextWord();
    const end = word?.word === 'stream' ? this.stream(ref, where, word.end) : word?.start;
    for (const { fault, value } of syntax.faults) this.faults.push({ fault, value, where });
    const tight =
      head[2]?.length === 1 &&
      head[4]?.length === 1 &&
      (offset === 0 || isEol(bytes[offset - 1]) || isEol(bytes[offset])) &&
      isEol(bytes[bodyStart]);
    if (!tight || (end !== undefined && !this.isTightEnd(end))) this.looseObjects.push(where);
  }

  trailer(at: number): void {
    const syntax = new RawSyntax(this.bytes, at);
    let word = syntax.nextWord();
    while (word && !ENDS.has(word.word)) word = syntax.nextWord();
    for (const { fault, value } of syntax.faults) this.faults.push({ fault, value, where: 'trailer' });
  }

  /** A cross-reference stream, which need not be one of the objects it lists. */
  crossReferences(at: number, dict: Dict): void {
    const head = /^\s{0,4}(\d{1,10})\s{1,8}(\d{1,5})\s{1,8}obj/.exec(latin1(this.bytes, at, at + 48));
    const where = `object ${head?.[1]} ${head?.[2]}`;
    const syntax = new RawSyntax(this.bytes, at + (head?.[0].length ?? 0));
    let word = syntax.nextWord();
    while (word && !ENDS.has(word.word)) word = syntax.nextWord();
    if (word?.word !== 'stream' || this.streams.has(where)) return;
    this.data(where, word.end, this.doc.number(dict.get('Length')));
  }

  /** `endobj` has an end of line before it and behind it. */
  private isTightEnd(at: number): boolean {
    const { bytes } = this;
    if (latin1(bytes, at, at + 6) !== 'endobj') return true;
    return isEol(bytes[at - 1]) && (at + 6 >= bytes.length || isEol(bytes[at + 6]));
  }

  /** Where `endobj` stands behind the data; undefined where it cannot be told. */
  private stream(ref: Ref, where: string, keywordEnd: number): number | undefined {
    const { doc } = this;
    const stream = doc.get(ref);
    if (!(stream instanceof Stream)) return undefined;
    if (doc.name(stream.dict.get('Type')) === 'ObjStm') this.scanPacked(ref, stream.dict);
    return this.data(where, keywordEnd, doc.number(stream.dict.get('Length')));
  }

  private data(where: string, keywordEnd: number, length = -1): number | undefined {
    const { bytes } = this;
    this.streams.add(where);
    const crlf = bytes[keywordEnd] === 0x0d && bytes[keywordEnd + 1] === 0x0a;
    const tight = crlf || bytes[keywordEnd] === 0x0a;
    const start = keywordEnd + (crlf ? 2 : isEol(bytes[keywordEnd]) ? 1 : 0);
    const stated = this.endstream(start + length);
    const keyword = stated ?? this.search(start);
    // The end of line before `endstream` is no part of the data.
    const isSwallowed = keyword === start + length && isEol(bytes[keyword - 1]);
    if (stated === undefined || isSwallowed) this.wrongLengths.push(where);
    if (!tight || keyword === undefined || !isEol(bytes[keyword - 1])) this.looseStreams.push(where);
    if (keyword === undefined) return undefined;
    let at = keyword + 9;
    while (isWhite(bytes[at])) at += 1;
    return at;
  }

  /** Where `endstream` stands, with or without an end of line before it. */
  private endstream(at: number): number | undefined {
    const { bytes } = this;
    if (at < 0 || at > bytes.length) return undefined;
    const text = latin1(bytes, at, at + 12);
    const found = /^(?:\r\n|\r|\n)?endstream/.exec(text);
    return found ? at + found[0].length - 9 : undefined;
  }

  private search(from: number): number | undefined {
    const found = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).indexOf(
      'endstream',
      from,
    );
    return found === -1 ? undefined : found;
  }

  private scanPacked(ref: Ref, dict: Dict): void {
    const { bytes } = this.doc.streamData(ref);
    const first = this.doc.number(dict.get('First')) ?? 0;
    const count = Math.min(this.doc.number(dict.get('N')) ?? 0, 1_000_000);
    const index = latin1(bytes, 0, first).trim().split(/\s+/);
    for (let at = 0; at < count; at += 1) {
      const number = Number(index[2 * at]);
      if (Number.isInteger(number) && number > 0) this.refs.push(new Ref(number, 0));
    }
    const syntax = new RawSyntax(bytes, first);
    while (syntax.nextWord()) {
      // `true`, `false`, `null` and `R` are words too.
    }
    const where = `object stream ${ref.number} ${ref.generation}`;
    for (const { fault, value } of syntax.faults) this.faults.push({ fault, value, where });
  }
}
