// A certificate authority on this machine that tells what it withdrew: openssl answers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, der, NULL, oid, sequence } from '../../src/contract/der.ts';
import { OID } from '../../src/engines/signatures/oids.ts';
import { extension, type Issued, issue, openssl, type Wish } from './pki.ts';

export type Given = Buffer | { status: number; headers: Record<string, string> };

export interface Authority {
  root: Issued;
  host: string;
  /** Paths that were asked for. */
  asked: string[];
  /** A certificate that names the authority: its responder, its list, or where its own certificate is. */
  issue(wish: Wish, ...names: ('ocsp' | 'crl' | 'issuer')[]): Issued;
  withdraw(serial: number, at?: Date): void;
  /** As if it had never issued it. */
  forget(serial: number): void;
  /** What is answered there from now on, by `honest` what would be; undefined: nothing, ever. */
  answer(path: '/ocsp' | '/crl', give: (honest: () => Buffer, request: Buffer) => Given | undefined): void;
  /** From now on nobody gets an answer. */
  fallSilent(): void;
  close(): void;
}

const address = (url: string): Buffer => der(context(6, false), Buffer.from(url));

export async function startAuthority({ appointed = false } = {}): Promise<Authority> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-authority-'));
  const root = issue({ name: 'Root', authority: true, usages: [5, 6] });
  const noCheck = extension(OID.ocspNoCheck, NULL, false);
  const responder = appointed
    ? issue({ name: 'Responder', issuer: root, usages: [0], purposes: [OID.ocspSigning], more: [noCheck] })
    : root;
  const index: string[] = [];
  const write = () => writeFileSync(join(dir, 'index.txt'), index.join(''));
  for (const [name, text] of Object.entries({
    'root.pem': root.pem,
    'root.key': root.keyPem,
    'responder.pem': responder.pem,
    'responder.key': responder.keyPem,
    'ca.cnf':
      '[ca]\ndefault_ca=a\n[a]\ndatabase=index.txt\ncertificate=root.pem\nprivate_key=root.key\ndefault_md=sha256\ndefault_crl_days=7\n',
  }))
    writeFileSync(join(dir, name), text);
  write();
  const asked: string[] = [];
  let isSilent = false;
  const answers: Record<string, (body: Buffer) => Buffer> = {
    '/ocsp': (body) => {
      writeFileSync(join(dir, 'request'), body);
      const who = ['-CA', 'root.pem', '-rsigner', 'responder.pem', '-rkey', 'responder.key'];
      const what = ['-index', 'index.txt', '-reqin', 'request', '-respout', 'answer', '-ndays', '7'];
      openssl(dir, 'ocsp', ...who, ...what);
      return readFileSync(join(dir, 'answer'));
    },
    '/crl': () => {
      openssl(dir, 'ca', '-config', 'ca.cnf', '-gencrl', '-out', 'list.pem');
      openssl(dir, 'crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list');
      return readFileSync(join(dir, 'list'));
    },
    '/issuer': () => root.der,
  };
  const others = new Map<string, Parameters<Authority['answer']>[1]>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers[path];
    if (isSilent || !answer) return response.writeHead(503).end('busy');
    const given = others.has(path) ? others.get(path)?.(() => answer(body), body) : answer(body);
    if (given && 'status' in given) return response.writeHead(given.status, given.headers).end();
    return given && response.end(given);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (path: string): string => `http://${host}/${path}`;
  let serials = 4096;
  const rowOf = (serial: number): number =>
    index.findIndex((line) => line.split('\t')[3] === serial.toString(16).toUpperCase());
  return {
    root,
    host,
    asked,
    issue(wish, ...names) {
      serials += 1;
      const serial = wish.serial ?? serials;
      index.push(`V\t401231000000Z\t\t${serial.toString(16).toUpperCase()}\tunknown\t/CN=${wish.name}\n`);
      write();
      const access = names
        .filter((name) => name !== 'crl')
        .map((name) => sequence(oid(name === 'ocsp' ? OID.ocsp : OID.caIssuers), address(url(name))));
      const lists = sequence(sequence(der(context(0), der(context(0), address(url('crl'))))));
      const more = [
        ...(access.length > 0 ? [extension(OID.authorityInfoAccess, sequence(...access), false)] : []),
        ...(names.includes('crl') ? [extension(OID.crlDistributionPoints, lists, false)] : []),
      ];
      return issue({ issuer: root, ...wish, serial, more: [...more, ...(wish.more ?? [])] });
    },
    withdraw(serial, when = new Date('2020-01-01')) {
      const at = rowOf(serial);
      const date = when
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2);
      index[at] = (index[at] ?? '').replace(/^V\t(\w+)\t\t/, `R\t$1\t${date}\t`);
      write();
    },
    forget(serial) {
      index.splice(rowOf(serial), 1);
      write();
    },
    answer: (path, give) => void others.set(path, give),
    fallSilent() {
      isSilent = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
