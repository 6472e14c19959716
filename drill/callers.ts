// Callers that do what a patient client does: they try again where a connection broke or the service was busy, and they
// know what a right answer is.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { filePart, fixture, form } from '../test/service.ts';

const RETRY_MS = 100;
const PATIENCE_MS = 60_000;
const CRASHED = 'The worker that processed the document ended unexpectedly.';
/** What a service that is just starting, or has not noticed yet that a caller is gone, may say. */
const PASSING = [409, 429, 503];

/** Where calls go: a service, or whichever of several nodes has its turn. */
export interface Called {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export class Callers {
  readonly failures: string[] = [];
  readonly done: Record<string, number> = {};
  retried = 0;
  /** Calls whose worker was killed under them; their callers are told to send them again, and do. */
  crashes = 0;
  /** When an answer last was right. */
  answeredAt = 0;
  #over = false;
  readonly #lanes: Promise<void>[] = [];
  readonly #service: Called;
  readonly #patienceMs: number;

  constructor(service: Called, patienceMs = PATIENCE_MS) {
    this.#service = service;
    this.#patienceMs = patienceMs;
  }

  /** Calls again and again, until the end. */
  begin(name: string, call: (callers: Callers) => Promise<void>): void {
    const lane = async (): Promise<void> => {
      while (!this.#over) {
        try {
          await call(this);
          this.done[name] = (this.done[name] ?? 0) + 1;
          this.answeredAt = performance.now();
        } catch (error) {
          this.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
        await sleep(20);
      }
    };
    this.#lanes.push(lane());
  }

  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#lanes);
  }

  /** Asks until it is answered; `body` is made anew for each try. */
  async ask(
    path: string,
    init: () => { method?: string; body?: BodyInit; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> }> {
    for (const giveUpAt = performance.now() + this.#patienceMs; ; ) {
      try {
        const response = await this.#service.fetch(path, init());
        const bytes = await response.bytes();
        if (response.status === 500 && textOf(bytes).includes(CRASHED)) this.crashes += 1;
        else if (!PASSING.includes(response.status))
          return { status: response.status, headers: response.headers, bytes };
      } catch {
        // The connection broke.
      }
      if (performance.now() > giveUpAt)
        throw new Error(`${path} was not answered for ${this.#patienceMs} ms`);
      this.retried += 1;
      await sleep(RETRY_MS);
    }
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').slice(0, 300);
const twoPages = () => filePart(fixture('text-two-pages.pdf'));

/** A call under an Idempotency-Key is answered once; asked again, the same bytes come back. */
export async function keyedCall(callers: Callers): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = () => ({ method: 'POST', body: form({ fileInput: twoPages(), angle: '90' }), headers });
  const first = await callers.ask('/api/v1/general/rotate-pdf', body);
  if (first.status !== 200) throw new Error(`status ${first.status}: ${textOf(first.bytes)}`);
  const second = await callers.ask('/api/v1/general/rotate-pdf', body);
  if (second.headers.get('idempotency-replayed') !== 'true') throw new Error('ran a second time');
  if (!Buffer.from(second.bytes).equals(Buffer.from(first.bytes))) throw new Error('other bytes came back');
}

/** What arrived stays; an upload goes on where it was when the service died. */
export function upload(document: Uint8Array<ArrayBuffer>, pages: number) {
  return async (callers: Callers): Promise<void> => {
    const described = JSON.stringify({ filename: 'large.pdf', size: document.length });
    const begun = await callers.ask('/api/v1/uploads', () => ({ method: 'POST', body: described }));
    if (begun.status !== 201) throw new Error(`begin: ${begun.status} ${textOf(begun.bytes)}`);
    const { id, chunkSize, chunkCount } = JSON.parse(textOf(begun.bytes));
    for (let index = 0; index < chunkCount; index += 1) {
      const body = document.slice(index * chunkSize, (index + 1) * chunkSize);
      const path = `/api/v1/uploads/${id}/chunks/${index}`;
      const sent = await callers.ask(path, () => ({ method: 'PUT', body }));
      if (sent.status !== 204) throw new Error(`chunk ${index}: ${sent.status} ${textOf(sent.bytes)}`);
    }
    const complete = await callers.ask(`/api/v1/uploads/${id}/complete`, () => ({ method: 'POST' }));
    if (complete.status !== 200) throw new Error(`complete: ${complete.status} ${textOf(complete.bytes)}`);
    // An upload is used up by the call it served: only under a key may that call be repeated.
    const headers = { 'idempotency-key': randomUUID() };
    const body = () => ({ method: 'POST', body: form({ 'fileInput@upload': id }), headers });
    const counted = await callers.ask('/api/v1/analysis/page-count', body);
    if (counted.status !== 200) throw new Error(`used: ${counted.status} ${textOf(counted.bytes)}`);
    const { pageCount } = JSON.parse(textOf(counted.bytes));
    if (pageCount !== pages) throw new Error(`${pageCount} pages of ${pages}`);
  };
}

/** The result is judged by another program than ours. */
export function pipeline(folder: string) {
  return async (callers: Callers): Promise<void> => {
    const steps = JSON.stringify([{ op: 'merge-pdfs' }, { op: 'rotate-pdf', params: { angle: 180 } }]);
    const made = await callers.ask('/api/v1/pipeline', () => ({
      method: 'POST',
      body: form({ fileInput: [twoPages(), twoPages()], steps }),
    }));
    if (made.status !== 200) throw new Error(`status ${made.status}: ${textOf(made.bytes)}`);
    const path = join(folder, `${randomUUID()}.pdf`);
    await writeFile(path, made.bytes);
    const { stdout } = await promisify(execFile)('qpdf', ['--show-npages', path]);
    await rm(path);
    if (stdout.trim() !== '4') throw new Error(`${stdout.trim()} pages instead of 4`);
  };
}

/** A page that a browser prints: work of an engine that goes on running beside the jobs. */
export async function printed(callers: Callers): Promise<void> {
  const page = () => filePart(new TextEncoder().encode('<!doctype html><h1>Words</h1>'), 'page.html');
  const made = await callers.ask('/api/v1/convert/html/pdf', () => ({
    method: 'POST',
    body: form({ fileInput: page() }),
  }));
  if (made.status !== 200) throw new Error(`status ${made.status}: ${textOf(made.bytes)}`);
}

/** What is asked for reproducibly has the same bytes every time, whichever node makes it. */
export function sameBytes(name: string, path: string, fields: () => Parameters<typeof form>[0]) {
  let expected: Buffer | undefined;
  return async (callers: Callers): Promise<void> => {
    const body = () => ({ method: 'POST', body: form({ ...fields(), reproducible: 'true' }) });
    const { status, bytes } = await callers.ask(`/api/v1/${path}`, body);
    if (status !== 200) throw new Error(`${name}: status ${status}: ${textOf(bytes)}`);
    const made = Buffer.from(bytes);
    expected ??= made;
    if (!made.equals(expected)) throw new Error(`${name}: ${made.length} bytes that differ`);
  };
}
