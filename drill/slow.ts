// Callers who are slow on purpose: with their headers, with their body, with reading the answer. Others are served as if
// they were not there, and what they hold stays small.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { apiMemory, MIB, spread } from './figures.ts';

const EACH = 100;
const HEADERS_LIMIT_MS = 20_000;
const RUN_MS = 28_000;
/** Of the API process, for all of them together. */
const MOST_GROWTH = 150 * MIB;

export async function drill(): Promise<string[]> {
  const service = await startService({ env: { BINDERY_WORKERS: '0', BINDERY_LOG_LEVEL: 'error' } });
  const sockets: Slow[] = [];
  try {
    await served(service);
    const before = apiMemory(service);
    for (let n = 0; n < EACH; n += 1)
      sockets.push(new Slow(service, 'headers'), new Slow(service, 'body'), new Slow(service, 'reader'));
    const times: number[] = [];
    let refused = 0;
    let peak = before;
    const dripping = setInterval(() => {
      for (const socket of sockets) socket.drip();
    }, 500);
    for (const endAt = performance.now() + RUN_MS; performance.now() < endAt; await sleep(50)) {
      const begun = performance.now();
      if (!(await served(service))) refused += 1;
      times.push(performance.now() - begun);
      peak = Math.max(peak, apiMemory(service));
    }
    clearInterval(dripping);
    const answered = sockets.filter(
      ({ kind, said }) => kind === 'headers' && said.startsWith('HTTP/1.1 408'),
    );
    console.log(`  ${EACH} each of slow headers, slow bodies and slow readers for ${RUN_MS / 1000} s`);
    console.log(
      `  others: ${times.length} calls, ${refused} not served, ms at 50/95/99/100 %: ${spread(times)}`,
    );
    console.log(
      `  ${answered.length} slow headers were answered 408; the API process grew by ${Math.round((peak - before) / MIB)} MiB`,
    );
    const failures: string[] = [];
    if (refused > 0) failures.push(`${refused} calls of others were not served`);
    if (answered.length < EACH)
      failures.push(
        `${EACH - answered.length} slow headers were not answered 408 within ${HEADERS_LIMIT_MS} ms`,
      );
    if (peak - before > MOST_GROWTH)
      failures.push(`the API process grew by ${Math.round((peak - before) / MIB)} MiB`);
    for (const socket of sockets) socket.end();
    await sleep(1000);
    if (!(await served(service))) failures.push('with them gone, nobody is served');
    return failures;
  } finally {
    for (const socket of sockets) socket.end();
    await service.remove();
  }
}

async function served(service: RunningService): Promise<boolean> {
  const answer = await service.post(
    'analysis/page-count',
    form({ fileInput: filePart(fixture('text-two-pages.pdf')) }),
  );
  await answer.arrayBuffer();
  return answer.ok;
}

class Slow {
  readonly kind: 'headers' | 'body' | 'reader';
  said = '';
  readonly #socket: Socket;

  constructor(service: RunningService, kind: Slow['kind']) {
    this.kind = kind;
    const { hostname, port } = new URL(service.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('error', () => {});
    const head = `Host: x\r\nX-API-KEY: ${service.key}\r\n`;
    if (kind === 'headers') this.#socket.write(`POST /api/v1/analysis/page-count HTTP/1.1\r\n${head}`);
    if (kind === 'body')
      this.#socket.write(
        `POST /api/v1/analysis/page-count HTTP/1.1\r\n${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n`,
      );
    // The description is a megabyte or more; whoever asks and does not read leaves it with the kernel and us.
    if (kind === 'reader') this.#socket.write(`GET /v1/openapi.json HTTP/1.1\r\n${head}\r\n`.repeat(5));
    if (kind === 'reader') this.#socket.pause();
    else
      this.#socket.setEncoding('latin1').on('data', (text: string) => {
        this.said += text.slice(0, 200);
      });
  }

  drip(): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    if (this.kind === 'headers') this.#socket.write('X-Slow: 1\r\n');
    if (this.kind === 'body') this.#socket.write('x');
    if (this.kind === 'reader') this.#socket.read(1);
  }

  end(): void {
    this.#socket.destroy();
  }
}
