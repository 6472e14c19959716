// Reads multipart/form-data as it arrives: text is bounded and kept, files are spooled.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../../contract/limits.ts';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import type { JobFile } from '../../../jobs/job.ts';
import type { Room } from '../held-bytes.ts';
import { type BodyFlow, type ClientGone, flowBody } from './body.ts';
import { Boundaries, type RawHeaders } from './boundaries.ts';
import {
  checkName,
  FORM_LIMITS,
  type FormOptions,
  fieldTooLong,
  isUnread,
  malformed,
  type ReadPart,
  textPart,
  tooManyFields,
} from './form.ts';
import { MOST_IGNORED } from './ignored-fields.ts';
import { decodeText, isTextType, type PartHeaders, readPartHeaders } from './part-headers.ts';
import { FileSpool } from './spool.ts';

export class MultipartReader {
  readonly #request: IncomingMessage;
  readonly #options: FormOptions;
  readonly #boundaries: Boundaries;
  readonly #slots: (ReadPart | undefined)[] = [];
  readonly #spools: FileSpool[] = [];
  #flow: BodyFlow | undefined;
  #open = 0;
  #fields = 0;
  #textBytes = 0;
  #unread = 0;
  /** Of the part that is read, while it is. */
  #sink: Sink | undefined;
  /** Files that cannot take more at present. */
  #full = 0;
  #bodyEnded = false;
  #settled = false;
  #resolve: (parts: ReadPart[]) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(request: IncomingMessage, boundary: string, options: FormOptions) {
    this.#request = request;
    this.#options = options;
    this.#boundaries = new Boundaries(boundary, FORM_LIMITS, {
      begin: (headers) => this.#attempt(() => this.#beginPart(headers)),
      data: (bytes) => this.#attempt(() => this.#sink?.[0](bytes)),
      end: () => this.#attempt(() => void this.#endPart()),
      broken: () => this.#fail(malformed('A part of the multipart body has no complete headers.')),
    });
  }

  read(): Promise<ReadPart[]> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#flow = flowBody(this.#request, this.#options.maxBytes, {
        // What follows the closing boundary is an epilogue nobody reads.
        chunk: (bytes) => {
          if (!this.#boundaries.isOver) this.#boundaries.push(bytes);
        },
        end: () => {
          this.#bodyEnded = true;
          if (this.#boundaries.isOver) this.#maybeDone();
          else this.#fail(malformed('The multipart body ends before its closing boundary.'));
        },
        fail: (error) => this.#fail(error),
      });
    });
  }

  #beginPart(raw: RawHeaders): void {
    const headers = readPartHeaders(raw);
    if (headers === undefined)
      throw malformed(
        'A part of the body has no form-data Content-Disposition header that can be read: its headers begin on ' +
          `the line after the boundary, which ends with it, and have at most ${FORM_LIMITS.headerBytes} bytes.`,
      );
    checkEncoding(headers);
    checkName(headers.name);
    const isText =
      headers.filename === undefined && isTextType(headers.mediaType) && !this.#isBareFile(headers);
    this.#sink = isText ? this.#textSink(headers.name, headers) : this.#fileSink(headers);
  }

  /** "The declared part type is not consulted" (operations 1.3), nor is one asked for. */
  #isBareFile({ name, filename, mediaType }: PartHeaders): boolean {
    const isBare = filename === undefined && mediaType === undefined;
    return isBare && (this.#options.fileFields?.has(name ?? '') ?? false);
  }

  #textSink(name: string, headers: PartHeaders): Sink {
    this.#fields += 1;
    if (this.#fields > FORM_LIMITS.fields) throw tooManyFields();
    if (isUnread(name, this.#options)) return this.#unreadSink(name);
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      this.#textBytes += chunk.length;
      if (size > FORM_LIMITS.fieldBytes) throw fieldTooLong(name);
      if (this.#textBytes > FORM_LIMITS.textBytes) {
        throw malformed(
          `The fields of a form may hold at most ${FORM_LIMITS.textBytes} bytes of text together.`,
        );
      }
      this.#options.share.hold(chunk.length);
      chunks.push(chunk);
    };
    const finish = (): ReadPart | undefined => {
      const text = decodeText(Buffer.concat(chunks), headers.charset);
      if (text === undefined) {
        throw invalidParameter(`${name} is not text in ${headers.charset ? 'its charset' : 'UTF-8'}.`);
      }
      const part = textPart(name, text);
      return part && { part };
    };
    return [take, finish];
  }

  /** Seen by nobody, but part of what makes two requests the same. */
  #unreadSink(field: string): Sink {
    this.#unread += 1;
    const part = { field, text: '' };
    if (!this.#options.digest) {
      // The first ones are told to the caller.
      const told = this.#unread <= MOST_IGNORED ? { part } : undefined;
      return [() => {}, () => told];
    }
    const hash = createHash('sha256');
    return [(chunk) => void hash.update(chunk), () => ({ part, sha256: hash.digest('hex') })];
  }

  #fileSink(headers: PartHeaders): Sink {
    const { workspace, share, digest } = this.#options;
    const field = headers.name ?? '';
    // JSON sent as a file is read as a field, so it must stay in memory.
    const text: Room = {
      take: (bytes) => {
        this.#textBytes += bytes;
        if (this.#textBytes > FORM_LIMITS.textBytes) return false;
        share.hold(bytes);
        return true;
      },
    };
    const room = headers.mediaType === 'application/json' ? text : share;
    const spool = new FileSpool(headers.filename ?? '', workspace, room, digest);
    this.#spools.push(spool);
    if (this.#spools.length > LIMITS.filesPerRequest) {
      throw malformed(`A request may have at most ${LIMITS.filesPerRequest} files.`);
    }
    const take = (chunk: Buffer): void => {
      share.bring(chunk.length);
      if (spool.write(chunk, drained)) return;
      this.#full += 1;
      this.#flow?.pause();
    };
    const drained = (): void => {
      this.#full -= 1;
      if (this.#full === 0 && !this.#settled) this.#flow?.resume();
    };
    const finish = async (): Promise<ReadPart | undefined> => {
      // "An empty value counts as absent (so does an empty file part without a name)".
      if (spool.size === 0 && !headers.filename) return undefined;
      const { file, sha256 } = await spool.finish();
      if (!this.#isBareFile(headers)) return { part: { field, file }, sha256 };
      const text = textIn(file);
      const isWord = text !== undefined && text.length <= LONGEST_WORD && /^[^\p{Cc}]+$/u.test(text);
      return isWord
        ? { part: { field, text } }
        : { part: { field, file, perhapsText: text !== undefined }, sha256 };
    };
    return [take, finish];
  }

  async #endPart(): Promise<void> {
    const [, finish] = this.#sink ?? [];
    this.#sink = undefined;
    const slot = this.#slots.length;
    this.#slots.push(undefined);
    this.#open += 1;
    try {
      const read = finish?.();
      this.#slots[slot] = read instanceof Promise ? await read : read;
      this.#open -= 1;
      this.#maybeDone();
    } catch (error) {
      this.#fail(Problem.from(error));
    }
  }

  #attempt(work: () => void): void {
    if (this.#settled) return;
    try {
      work();
    } catch (error) {
      this.#fail(Problem.from(error));
    }
  }

  #maybeDone(): void {
    if (this.#settled || !this.#bodyEnded || this.#open > 0) return;
    this.#settled = true;
    this.#resolve(this.#slots.filter((read) => read !== undefined));
  }

  #fail(error: Problem | ClientGone): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#flow?.stop();
    void Promise.all(this.#spools.map((spool) => spool.abandon())).then(() => this.#reject(error));
  }
}

type Sink = [
  take: (chunk: Buffer) => void,
  finish: () => ReadPart | undefined | Promise<ReadPart | undefined>,
];

/** RFC 7578 4.7: senders must not encode parts; decoding silently wrong bytes helps nobody. */
function checkEncoding({ transferEncoding }: PartHeaders): void {
  if (transferEncoding === undefined || ['7bit', '8bit', 'binary'].includes(transferEncoding)) return;
  throw malformed('A part of the body has a Content-Transfer-Encoding; send parts as they are (binary).');
}

/** One line of text where a file should be is most likely its name, sent by mistake. */
const LONGEST_WORD = 1024;

function textIn({ content }: JobFile): string | undefined {
  if (!('chunks' in content)) return undefined;
  const text = decodeText(Buffer.concat(content.chunks), undefined);
  return text?.includes('\0') ? undefined : text;
}
