// The proxies of deploy/ before two real services, with TLS: bodies and answers pass as they come, progress is shown as
// it happens, links name the outer address, and both services are replaced one after the other without a caller noticing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { qpdfCheck } from '../service/testing/oracles/programs.ts';
import { freePort } from '../service/testing/servers/started.ts';
import { writeLargePdf } from '../test/hostile-documents.ts';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { Caller, PROXIES, type ProxyProgram, startProxy } from './proxy/proxies.ts';

const NAME = 'pdf.example.org';
const LARGE_MIB = 32;
/** Of 64 KiB each. */
const MOST_PIECES = 500;
/** How long calls go on while services are replaced. */
const AFTER_MS = 3000;

export async function drill(): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, proxy] of Object.entries(PROXIES)) {
    const why = proxy.whyNot();
    if (why) console.log(`  ${name} skipped: ${why}`);
    else failures.push(...(await tryOut(proxy)).map((failure) => `${name}: ${failure}`));
  }
  return failures;
}

async function tryOut(proxy: ProxyProgram): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-proxy-'));
  const ports = [await freePort(), await freePort()];
  // What an agent brings stays with the node that took it, unless nodes share their state: one is enough at first, and
  // the proxy does without the other.
  const services = [await serviceAt(ports[0] ?? 0)];
  const running = await startProxy(proxy, folder, NAME, ports);
  const caller = new Caller(running.port, NAME, running.authority, services[0]?.key ?? '');
  const failures: string[] = [];
  const attempt = async (what: string, check: () => Promise<string>): Promise<void> => {
    try {
      console.log(`  ${proxy.name}: ${what}: ${await check()}`);
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : error}${running.said()}`);
    }
  };
  try {
    await attempt('a body too large is refused before it is sent', () =>
      refusedEarly(running.port, running.authority),
    );
    await attempt(`${LARGE_MIB} MiB there and back`, () => large(caller, folder));
    await attempt('progress', () => progress(caller));
    await attempt('links', () => links(caller));
    await attempt('who calls', () => whoCalls(caller, services));
    await attempt('metrics', async () => {
      const { status } = await caller.ask('GET', '/metrics');
      if (status !== 404) throw new Error(`answered ${status} to the outside`);
      return 'not shown to the outside';
    });
    services.push(await serviceAt(ports[1] ?? 0));
    await attempt('both services replaced', () => replaced(caller, services, ports));
  } finally {
    await running.stop();
    await Promise.all(services.map((service) => service.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
  return failures;
}

const serviceAt = (port: number): Promise<RunningService> =>
  startService({
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code',
      BINDERY_PORT: String(port),
      BINDERY_SERVER_NAMES: NAME,
      BINDERY_TRUSTED_PROXIES: 'loopback',
      BINDERY_LINGER_MS: '5000',
    },
  });

/** Of a body that the proxy gathered first, nothing would be heard before its end. */
async function refusedEarly(port: number, ca: string): Promise<string> {
  const begun = performance.now();
  const socket = connect({ port, host: '127.0.0.1', servername: NAME, ca });
  let line: string | undefined;
  socket.once('data', (data) => {
    line = data.toString('latin1').split('\r\n')[0] ?? '';
  });
  // A proxy may close what it will not read to its end.
  socket.on('error', () => {});
  socket.write(
    `POST /api/v1/general/rotate-pdf HTTP/1.1\r\nHost: ${NAME}\r\nX-API-KEY: whole-service-test-key\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${1024 ** 3}\r\n\r\n`,
  );
  let sent = 0;
  for (; line === undefined && sent < MOST_PIECES && !socket.destroyed; sent += 1) {
    socket.write(Buffer.alloc(64 * 1024));
    await sleep(20);
  }
  socket.destroy();
  if (!line?.includes(' 413')) throw new Error(`${line ?? 'nothing'} is heard after ${sent * 64} KiB`);
  return `${line} after ${sent * 64} KiB of 1 GiB, ${Math.round(performance.now() - begun)} ms`;
}

async function large(caller: Caller, folder: string): Promise<string> {
  const path = join(folder, 'large.pdf');
  writeLargePdf(path, LARGE_MIB);
  const begun = performance.now();
  const body = form({ fileInput: filePart(path), angle: '90' });
  const { status, bytes } = await caller.ask('POST', '/api/v1/general/rotate-pdf', { body });
  if (status !== 200) throw new Error(`answered ${status}`);
  qpdfCheck(bytes);
  return `${Math.round(bytes.length / 2 ** 20)} MiB back after ${Math.round(performance.now() - begun)} ms`;
}

/** An agent that asks for progress hears of steps while they are done. */
async function progress(caller: Caller): Promise<string> {
  const document = readFileSync(fixture('reading.pdf')).toString('base64');
  const brought = await caller.tool('pdf_upload', { filename: 'reading.pdf', content_base64: document });
  const { file_id } = brought.result.structuredContent as { file_id: string };
  // Long enough to be told of: every second or so.
  const copies = { fileInput: Array.from({ length: 20 }, () => file_id) };
  const merged = await caller.tool('pdf_pages', { operation: 'merge-pdfs', files: copies });
  const { file } = merged.result.structuredContent as { file: { file_id: string } };
  const heard = await caller.tool(
    'pdf_misc',
    { operation: 'scanner-effect', file: file.file_id },
    'progress',
  );
  const [first = 0, last = 0] = [heard.at[0], heard.at.at(-1)];
  if (heard.at.length < 3) throw new Error(`${heard.at.length} events`);
  if (last - first < (last - heard.begun) / 3) throw new Error('the events came together at the end');
  return `${heard.at.length} events, the first ${Math.round(last - first)} ms before the last`;
}

async function links(caller: Caller): Promise<string> {
  const ticket = await caller.tool('pdf_upload', { filename: 'later.pdf' });
  const { upload_url } = ticket.result.structuredContent as { upload_url: string };
  if (new URL(upload_url).hostname !== NAME) throw new Error(`a link to ${upload_url}`);
  return 'lead to the outer name';
}

/** The log has the caller's address as the proxy saw it, whatever the caller wrote itself. */
async function whoCalls(caller: Caller, services: readonly RunningService[]): Promise<string> {
  await caller.ask('GET', '/api/v1/info/status', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  await sleep(200);
  const lines = services.flatMap((service) => service.output().split('\n'));
  const line = lines.findLast((each) => each.includes('"operation":"info/status"')) ?? '';
  const { client } = JSON.parse(line || '{}') as { client?: string };
  if (client !== '127.0.0.1') throw new Error(`the log says ${client}`);
  return 'told by the proxy, not by the caller';
}

/** One after the other stops as at an upgrade and comes again, under calls without a pause. */
async function replaced(
  caller: Caller,
  services: RunningService[],
  ports: readonly number[],
): Promise<string> {
  let isOver = false;
  const answers = new Map<string, number>();
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const body = form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });
      const said = await caller.ask('POST', '/api/v1/general/rotate-pdf', { body }).then(
        ({ status, bytes }) => (status === 200 ? '200' : `${status} ${bytes.toString('utf8', 0, 200)}`),
        (error: Error) => error.message,
      );
      answers.set(said, (answers.get(said) ?? 0) + 1);
    }
  };
  const lanes = [lane(), lane(), lane(), lane()];
  for (const [index, port] of ports.entries()) {
    await sleep(AFTER_MS);
    const service = services[index];
    if (!service) continue;
    await service.stop();
    await sleep(AFTER_MS);
    await service.remove();
    services[index] = await serviceAt(port);
  }
  await sleep(AFTER_MS);
  isOver = true;
  await Promise.all(lanes);
  const wrong = [...answers].filter(([said]) => said !== '200');
  if (wrong.length > 0) throw new Error(wrong.map(([said, count]) => `${count} x ${said}`).join(', '));
  return `${answers.get('200')} calls meanwhile, all answered 200`;
}
