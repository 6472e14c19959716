// Finds the parts of a multipart body in the chunks it comes in (RFC 2046, 5.1.1). Data is handed on as it stands in
// the chunk, without being copied and without a stream for every part.

export interface PartEvents {
  /** A part begins: its headers, by their names in small letters. */
  begin(headers: RawHeaders): void;
  data(bytes: Buffer): void;
  end(): void;
  /** A part has ended before its headers have. */
  broken(): void;
}

export type RawHeaders = Partial<Record<string, string[]>>;

export interface HeaderLimits {
  headerBytes: number;
  headerPairs: number;
}

const [CR, DASH] = [13, 45];
const HEAD_BYTES = 6;
const END_OF_HEADERS = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

type Place = 'preamble' | 'after boundary' | 'headers' | 'data' | 'epilogue';

export class Boundaries {
  readonly #delimiter: Buffer;
  /** Node looks for so few bytes three times as fast as for more. */
  readonly #head: Buffer;
  readonly #limits: HeaderLimits;
  readonly #events: PartEvents;
  #place: Place = 'preamble';
  /** The last bytes of what came, where they may begin a delimiter. A body may begin with one, without its line end. */
  #held: Buffer = Buffer.from('\r\n');
  #dashes = 0;
  #headers = '';
  #headerBytes = 0;
  #lastOfHeaders = '';

  constructor(boundary: string, limits: HeaderLimits, events: PartEvents) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#head = this.#delimiter.subarray(0, HEAD_BYTES);
    this.#limits = limits;
    this.#events = events;
  }

  /** The closing boundary was found: nothing that follows is read. */
  get isOver(): boolean {
    return this.#place === 'epilogue';
  }

  push(chunk: Buffer): void {
    const delimiter = this.#delimiter;
    let at = 0;
    let bytes = chunk;
    if (this.#held.length > 0) {
      const held = this.#held;
      this.#held = NOTHING;
      // As far as a delimiter that begins in what is held can reach.
      const seam = Buffer.concat([held, chunk.subarray(0, delimiter.length - 1)]);
      const found = seam.indexOf(delimiter);
      if (found >= 0) {
        this.#piece(seam.subarray(0, found));
        this.#boundary();
        at = found + delimiter.length - held.length;
      } else if (chunk.length < delimiter.length) bytes = seam;
      else this.#piece(held);
    }
    while (!this.isOver) {
      const found = this.#find(bytes, at);
      if (found < 0) break;
      this.#piece(bytes.subarray(at, found));
      // What was handed on may have been the end.
      if (this.isOver) return;
      this.#boundary();
      at = found + delimiter.length;
    }
    const end = this.#beginOfDelimiter(bytes, at);
    this.#piece(bytes.subarray(at, end));
    this.#held = bytes.subarray(end);
  }

  #find(bytes: Buffer, from: number): number {
    const delimiter = this.#delimiter;
    const found = bytes.indexOf(this.#head, from);
    if (found < 0) return found;
    const end = found + delimiter.length;
    const isWhole = end <= bytes.length && bytes.compare(delimiter, 0, delimiter.length, found, end) === 0;
    // Where there is one thing that begins like it, there may be many.
    return isWhole ? found : bytes.indexOf(delimiter, found);
  }

  /** Where the last bytes begin that may be the first of a delimiter. */
  #beginOfDelimiter(bytes: Buffer, from: number): number {
    const first = Math.max(from, bytes.length - this.#delimiter.length + 1);
    for (let at = bytes.indexOf(CR, first); at >= 0; at = bytes.indexOf(CR, at + 1)) {
      const length = bytes.length - at;
      if (bytes.compare(this.#delimiter, 0, length, at, bytes.length) === 0) return at;
    }
    return bytes.length;
  }

  #boundary(): void {
    if (this.#place === 'data') this.#events.end();
    else if (this.#place === 'headers' || this.#place === 'after boundary') this.#events.broken();
    this.#place = 'after boundary';
    this.#dashes = 0;
  }

  #piece(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#place === 'data') this.#events.data(bytes);
    else if (this.#place === 'headers') this.#inHeaders(bytes);
    else if (this.#place === 'after boundary') this.#afterBoundary(bytes);
  }

  /** Two dashes make it the closing boundary. */
  #afterBoundary(bytes: Buffer): void {
    let at = 0;
    while (this.#dashes < 2 && bytes[at] === DASH) {
      this.#dashes += 1;
      at += 1;
    }
    if (this.#dashes === 2) {
      this.#place = 'epilogue';
      return;
    }
    if (at === bytes.length) return;
    this.#place = 'headers';
    this.#headers = '-'.repeat(this.#dashes);
    this.#headerBytes = this.#dashes;
    this.#lastOfHeaders = '';
    this.#inHeaders(bytes.subarray(at));
  }

  #inHeaders(bytes: Buffer): void {
    const last = this.#lastOfHeaders;
    const text = last + bytes.toString('latin1');
    const found = text.indexOf(END_OF_HEADERS);
    const more = text.slice(last.length, found < 0 ? undefined : Math.max(found, last.length));
    const { headerBytes } = this.#limits;
    this.#headerBytes += more.length;
    if (this.#headers.length < headerBytes) this.#headers = (this.#headers + more).slice(0, headerBytes);
    if (found < 0) {
      this.#lastOfHeaders = text.slice(1 - END_OF_HEADERS.length);
      return;
    }
    const length = this.#headerBytes - Math.max(0, last.length - found);
    this.#place = 'data';
    this.#events.begin(headersOf(this.#headers.slice(0, length), this.#limits.headerPairs));
    this.#piece(bytes.subarray(found + END_OF_HEADERS.length - last.length));
  }
}

/** What can be read of them, up to the first line that is no header. */
function headersOf(text: string, mostPairs: number): RawHeaders {
  const headers: Record<string, string[]> = Object.create(null);
  let values: string[] | undefined;
  let pairs = 0;
  for (const line of text.split('\r\n')) {
    if (line === '') continue;
    if (/[\r\n]/.test(line)) break;
    if (values && /^[ \t]/.test(line)) {
      values.push(`${values.pop()}${line}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) break;
    const name = line.slice(0, colon).toLowerCase();
    headers[name] ??= [];
    values = headers[name];
    values.push(line.slice(colon + 1).replace(/^[ \t]/, ''));
    pairs += 1;
    if (pairs === mostPairs) break;
  }
  return headers;
}
