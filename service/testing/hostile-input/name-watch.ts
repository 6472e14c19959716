// A program of its own: it stands as the only name server of a network of its own, prints a page full of names, and tells
// which of them it was asked for.
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { createLog } from '../../src/contract/log.ts';
import { createBrowser } from '../../src/engines/browser/browser.ts';
import { NETWORK_ATTEMPTS } from './escape-attempts.ts';

const NAME_SERVER_PORT = 53;
const GOES_ON_MS = 500;

const asked: string[] = [];
const server = createSocket('udp4', (question, { port, address }) => {
  asked.push(nameIn(question));
  // "No such name": the question again, with the bits of an answer and that code.
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8183, 2);
  server.send(answer, port, address);
});
await new Promise<void>((ready) => server.bind(NAME_SERVER_PORT, '127.0.0.1', ready));

const browser = createBrowser({ newFile: () => '/nonexistent', log: createLog('silent') });
const attempts = Object.entries(NETWORK_ATTEMPTS).filter(
  ([what]) => !/elsewhere|refresh|form|base|set$/.test(what),
);
const page = attempts.map(([, attempt], at) => attempt(`way-${at}.example.org`)).join('');
await browser.print({ html: `<!doctype html>${page}`, scripts: true }, { waitMs: GOES_ON_MS });
const byPage = asked.splice(0);
await lookup('control.example.org').catch(() => {});
process.stdout.write(JSON.stringify({ byPage, control: asked }));
process.exit(0);

/** Labels with their lengths before them, after a header of twelve bytes. */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at]; at += 1 + (question[at] ?? 0))
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  return labels.join('.');
}
