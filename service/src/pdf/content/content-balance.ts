// How a piece of content leaves things behind: states saved, text begun, marks open, a string or a list without end.
import { lookup } from '../../contract/lookup.ts';
import { CLASSES, ContentLexer, DELIMITER, NUMERIC, WHITE } from '../syntax/content-lexer.ts';
import { ContentReader } from '../syntax/content-reader.ts';

/** What is put around content, for what follows to be drawn as if it had not been there. */
export interface Enclosure {
  before: string;
  after: string;
  /** Where the content ends that can be enclosed: an image without end would swallow what follows. */
  end: number;
}

/** What a page may pile up; hostile ones pile more. */
const MAX_OPEN = 10_000;

export function enclosureOf(content: Uint8Array): Enclosure {
  return new BalanceScanner(content).run();
}

/** What ends what an operator begins. */
const ENDED_BY: Readonly<Record<string, string>> = lookup({ q: 'Q', BT: 'ET', BMC: 'EMC', BDC: 'EMC' });
const ENDS: ReadonlySet<string> = new Set(Object.values(ENDED_BY));
const WORDS = ['BI', ...Object.keys(ENDED_BY), ...ENDS];
/** What these words begin with. */
const FIRST = new Uint8Array(256);
for (const word of WORDS) FIRST[word.charCodeAt(0)] = 1;

/** What is neither a word nor a mark. */
const PASSED = CLASSES.map((kind) => (kind === WHITE || kind === NUMERIC ? 1 : 0));

/** Reads no more than it must: contents are long. */
class BalanceScanner extends ContentLexer {
  /** Words that end what is open, the last first to come. */
  private readonly open: string[] = [];
  private readonly counts: Record<string, number> = {};
  /** Marks that end lists and dictionaries; readers differ in whether operators end these, too. */
  private readonly brackets: string[] = [];
  private firstBracket = 0;
  private missingSaves = 0;
  private end: number;

  constructor(content: Uint8Array) {
    super(content);
    this.end = content.length;
  }

  run(): Enclosure {
    let unended = '';
    const { bytes } = this;
    while (this.at < this.end) {
      let at = this.at;
      while (at < bytes.length && PASSED[bytes[at] as number] === 1) at += 1;
      this.at = at;
      const c = bytes[at];
      if (c === undefined) break;
      if (CLASSES[c] !== DELIMITER) {
        if (FIRST[c] === 1) this.word();
        else this.at = this.wordEnd(at);
      } else if (c === 0x28) unended = this.skipString();
      else if (c === 0x25) this.skipComment();
      else if (c === 0x2f) this.at = this.wordEnd(at + 1);
      else if (c === 0x3c && bytes[at + 1] !== 0x3c) unended = this.skipHex();
      else this.bracket(c);
    }
    if (this.brackets.length > MAX_OPEN) this.leaveOut(this.firstBracket);
    const closed = `\n${unended}${this.brackets.toReversed().join('')}\n`;
    return {
      before: 'q\n'.repeat(Math.min(1 + this.missingSaves, MAX_OPEN)),
      after: `${closed.trim() === '' ? '\n' : closed}${[...this.open.toReversed(), 'Q'].join('\n')}\n`,
      end: this.end,
    };
  }

  private word(): void {
    const start = this.at;
    this.at = this.wordEnd(start);
    const word = this.wordAt(start, this.at - start);
    if (word === undefined) return;
    if (word === 'BI') this.skipImage(start);
    else if (this.isDoubtful(word)) this.missingSaves += 1;
    else if (ENDS.has(word)) this.close(word);
    else {
      const end = ENDED_BY[word];
      if (end === undefined || this.open.length >= MAX_OPEN) return;
      this.open.push(end);
      this.counts[end] = (this.counts[end] ?? 0) + 1;
    }
  }

  /**
   * Within a list that is not ended some readers take no operators, others do. One state more, saved and restored, is
   * right for both: a restoring too many ends the page in some.
   */
  private isDoubtful(word: string): boolean {
    if (this.brackets.length === 0) return false;
    if (word === 'q') this.missingSaves += 1;
    return word === 'Q';
  }

  /** One of the few operators that count here; no text is made of others. */
  private wordAt(start: number, length: number): string | undefined {
    const first = this.bytes[start];
    return WORDS.find(
      (word) =>
        word.length === length &&
        word.charCodeAt(0) === first &&
        (length < 2 || word.charCodeAt(1) === this.bytes[start + 1]) &&
        (length < 3 || word.charCodeAt(2) === this.bytes[start + 2]),
    );
  }

  private close(word: string): void {
    const count = this.counts[word] ?? 0;
    if (count > 0) {
      this.counts[word] = count - 1;
      this.open.splice(this.open.lastIndexOf(word), 1);
    } else if (word === 'Q') this.missingSaves += 1;
  }

  private skipImage(start: number): void {
    const image = new ContentReader(this.bytes.subarray(start)).next();
    this.at = start + (image?.end ?? 2);
    const isEnded = this.bytes[this.at - 2] === 0x45 && this.bytes[this.at - 1] === 0x49;
    if (this.at >= this.bytes.length && !isEnded) this.leaveOut(start);
  }

  private leaveOut(from: number): void {
    this.end = from;
    this.brackets.length = 0;
  }

  /** Tells what would end it. */
  private skipString(): string {
    const { bytes } = this;
    const start = this.at;
    let depth = 0;
    for (let at = start; at < bytes.length; at += 1) {
      const c = bytes[at];
      if (c === 0x5c) at += 1;
      else if (c === 0x28) depth += 1;
      else if (c === 0x29) {
        depth -= 1;
        if (depth > 0) continue;
        this.at = at + 1;
        return '';
      }
    }
    this.at = bytes.length;
    if (depth <= MAX_OPEN) return ')'.repeat(depth);
    this.end = start;
    return '';
  }

  private skipHex(): string {
    const end = this.bytes.indexOf(0x3e, this.at);
    this.at = end === -1 ? this.bytes.length : end + 1;
    return end === -1 ? '>' : '';
  }

  private bracket(c: number): void {
    const isDouble = (c === 0x3c || c === 0x3e) && this.bytes[this.at + 1] === c;
    if (c === 0x5b || (c === 0x3c && isDouble)) {
      if (this.brackets.length === 0) this.firstBracket = this.at;
      if (this.brackets.length <= MAX_OPEN) this.brackets.push(c === 0x5b ? ']' : '>>');
    } else if (this.brackets.at(-1) === (c === 0x5d ? ']' : isDouble ? '>>' : '')) this.brackets.pop();
    this.at += isDouble ? 2 : 1;
  }
}
