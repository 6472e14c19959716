// Server-side request forgery: no address that a caller or a document names leads to a machine that is not public.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import {
  NETWORK_ATTEMPTS,
  type Watch,
  watchNetwork,
} from '../../service/testing/hostile-input/escape-attempts.ts';
import { callTool } from '../agents.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

/** Names that the operator named, with another address each time they are asked for. */
const REBINDING = [
  ...['rebinding', 'rebinding-file', 'rebinding-later', 'rebinding-result', 'rebinding-webhook'],
];

let service: RunningService;
/** Hears whoever comes; nobody may. */
let trap: Watch;
/** May be asked: the operator named it. */
let site: Server;
let rebound: Server;
let sitePort: number;
const siteHeard: string[] = [];
const reboundHeard: string[] = [];

before(async () => {
  trap = await watchNetwork();
  site = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    siteHeard.push(url.pathname);
    const [, kind, status] = url.pathname.split('/');
    const location = url.searchParams.get('to') ?? '';
    if (kind === 'redirect') response.writeHead(Number(status), { location }).end();
    else if (kind === 'loop')
      response.writeHead(Number(status), { location: `/loop/${status}?${siteHeard.length}` }).end();
    else
      response
        .setHeader('content-type', 'text/html')
        .end(kind === 'attempts' ? attempts() : '<p>reached</p>');
  });
  await new Promise<void>((up) => site.listen(0, '127.0.0.1', up));
  sitePort = (site.address() as AddressInfo).port;
  rebound = createServer((request, response) => {
    reboundHeard.push(request.url ?? '');
    response.end('rebound');
  });
  await new Promise<void>((up) => rebound.listen(sitePort, '127.0.0.2', up));
  service = await startService({
    env: {
      NODE_OPTIONS: `--import=${new URL('resolver.mjs', import.meta.url).href}`,
      BINDERY_URL_ALLOW_HOSTS: ['127.0.0.1', ...REBINDING.map((name) => `${name}.names.test`)]
        .map((host) => `${host}:${sitePort}`)
        .join(),
    },
  });
});
/** All that a page can try without leaving for another. */
const attempts = (): string =>
  Object.entries(NETWORK_ATTEMPTS)
    .filter(([what]) => !/going|refresh|form that|window|base/.test(what))
    .map(([, attempt]) => attempt(`127.0.0.1:${trap.port}`))
    .join('\n');

after(async () => {
  await service?.remove();
  await trap?.close();
  site?.close();
  rebound?.close();
});

/** Hosts that are not public, in the spellings of attackers. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'dotted, short, decimal, octal and hexadecimal IPv4': [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '127.000.000.001',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0x7f.1',
    ],
    ...['0177.0.0.1', '017700000001', '0177.0x0.0.1', '127.255.255.254', '0X7F.0.0.1'],
  ],
  'unspecified, private, shared, test, multicast and reserved IPv4': [
    ...['0.0.0.0', '0', '0x0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...[
      '192.0.0.192',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
  ],
  'link-local and metadata addresses': [
    ...[
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '0251.0376.0251.0376',
      '169.254.170.2',
      '100.100.100.200',
    ],
    ...['[fe80::1]', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]'],
  ],
  'IPv6: loopback, mapped, compatible, NAT64, 6to4, Teredo, unique local': [
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fc00::1]'],
    ...['[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
  ],
  'names of this machine, with trailing dots': [
    ...['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1.', '2130706433.'],
  ],
  'dots and digits of other scripts': [
    ...[
      '127。0。0。1',
      '127．0．0．1',
      '127｡0｡0｡1',
      '①②⑦.⓪.⓪.①',
      '１２７.0.0.1',
      'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'ｌｏｃａｌｈｏｓｔ',
    ],
    ...['127%2e0%2e0%2e1', '%6c%6f%63alhost', '1\u200b27.0.0.1', '127.0.0.1%00.example.org'],
  ],
  'names that resolve to such addresses': [
    ...['loopback', 'loopback6', 'mapped', 'metadata', 'unspecified', 'scoped'].map(
      (name) => `${name}.names.test`,
    ),
  ],
  'names with public and private answers at once': [
    ...['public-then-private', 'private-then-public', 'public-and-private6'].map(
      (name) => `${name}.names.test`,
    ),
  ],
};

const REFUSALS = ['url_not_allowed', 'invalid_parameter'];

/** By each way in: a page to print, an authority of timestamps, a file of an agent, a file or a result of a call. */
const WAYS: Readonly<Record<string, (address: string) => Promise<string>>> = {
  'convert/url/pdf': async (address) =>
    refusal(await service.post('convert/url/pdf', form({ urlInput: address }))),
  'security/cert-sign': async (address) =>
    refusal(
      await service.post(
        'security/cert-sign',
        form({ ...signer, fileInput: filePart(fixture('text-two-pages.pdf')), tsaUrl: address }),
      ),
    ),
  pdf_upload: async (address) =>
    saidBy(
      await callTool(service, 'pdf_upload', { filename: 'a', url: address.replace(/^http:/, 'https:') }),
    ),
  pdf_pipeline: async (address) =>
    saidBy(
      await callTool(service, 'pdf_pipeline', {
        files: [address.replace(/^http:/, 'https:')],
        steps: [{ op: 'general/rotate-pdf' }],
      }),
    ),
  'fileInput@url': async (address) =>
    refusal(await service.post('analysis/page-count', form({ 'fileInput@url': address }))),
  'fileInput@url of an asynchronous call': (address) => countedLater(address),
  'fileInput@url of a batch': async (address) =>
    refusal(
      await service.post('batch', form({ 'fileInput@url': address, operation: 'analysis/page-count' })),
    ),
  resultUrl: (address) => countedTo('resultUrl', address.replace(/^http:/, 'https:')),
  webhookUrl: (address) => countedTo('webhookUrl', address.replace(/^http:/, 'https:')),
};
const countedTo = async (field: string, address: string): Promise<string> =>
  refusal(
    await service.post(
      'analysis/page-count',
      form({ fileInput: filePart(fixture('text-two-pages.pdf')), [field]: address }),
      field === 'webhookUrl' ? { prefer: 'respond-async' } : {},
    ),
  );
/** An asynchronous call, waited for: what is refused when it is accepted and what is when it is run. */
const countedLater = async (address: string): Promise<string> =>
  refusal(
    await service.post('analysis/page-count', form({ 'fileInput@url': address }), {
      prefer: 'respond-async, wait=60',
    }),
  );
/** What came of the first attempt to tell this address of the end of a call. */
async function toldOfEnd(address: string): Promise<string> {
  const fields = { fileInput: filePart(fixture('text-two-pages.pdf')), webhookUrl: address };
  const accepted = await service.post('analysis/page-count', form(fields), { prefer: 'respond-async' });
  if (accepted.status !== 202) return (await problemOf(accepted)).reason;
  const path = `${accepted.headers.get('location')}`;
  const { status, problem } = await until('the webhook is tried', async () => {
    const job = (await (await service.fetch(path)).json()) as {
      webhook: { attempts: { status: number | null; problem?: string }[] };
    };
    return job.webhook.attempts[0];
  });
  await service.fetch(path, { method: 'DELETE' });
  return problem ?? (status !== null && status < 300 ? 'reached' : 'delivery_failed');
}
/** Those that differ in who reads the address. */
const READERS = ['convert/url/pdf', 'pdf_upload', 'fileInput@url', 'resultUrl', 'webhookUrl'] as const;
const asked = (way: string, address: string): Promise<string> =>
  (WAYS[way] as (address: string) => Promise<string>)(address);
/** What a redirect or a rebound name is tried with: over plain http, which the operator's own hosts may be asked by. */
const toOwnHost: Readonly<Record<string, (url: string) => Promise<string>>> = {
  'convert/url/pdf': (url) => asked('convert/url/pdf', url),
  pdf_upload: async (url) => saidBy(await callTool(service, 'pdf_upload', { filename: 'a', url })),
  'fileInput@url': (url) => asked('fileInput@url', url),
  'fileInput@url of an asynchronous call': countedLater,
  resultUrl: (url) => countedTo('resultUrl', url),
  webhookUrl: toldOfEnd,
};
/** They send a body, which only redirections that keep method and body lead on. */
const SENDERS = ['resultUrl', 'webhookUrl'];
const signer = {
  certType: 'PEM',
  privateKeyFile: filePart(fixture('keys/signer-key.pem')),
  certFile: filePart(fixture('keys/signer-cert.pem')),
};

async function refusal(response: Response): Promise<string> {
  return response.ok ? 'reached' : (await problemOf(response)).reason;
}
const saidBy = ({ isError, content }: Awaited<ReturnType<typeof callTool>>): string =>
  isError ? (/^Reason: (\w+)$/m.exec(content[0]?.text ?? '')?.[1] ?? String(content[0]?.text)) : 'reached';

for (const [what, hosts] of Object.entries(HOSTS)) {
  test(`server-side request forgery: ${what}`, async () => {
    for (const [way, ask] of Object.entries(WAYS)) {
      for (const host of hosts) {
        const reason = await ask(`http://${host}:${trap.port}/`);
        assert.ok(REFUSALS.includes(reason), `${way}, ${host}: ${reason}`);
      }
    }
    assert.deepEqual(trap.heard, []);
  });
}

test('server-side request forgery: user names, backslashes, white space and other schemes', async () => {
  const host = `127.0.0.1:${trap.port}`;
  const addresses = [
    `http://example.org@${host}/`,
    `http://${host}@example.org/`,
    `http://user:word@${host}/`,
    `http://example.org:80@${host}/`,
    `http://${host}\\@example.org/`,
    `http://nowhere.invalid\\@${host}/`,
    `http:\\\\${host}/`,
    `http:///${host}/`,
    `http:${host}/`,
    `//${host}/`,
    ` http://${host}/`,
    `http://127.0.0.1\t:${trap.port}/`,
    `ht\ntp://${host}/`,
    `http://${host}#@example.org/`,
    `http://${host}?@example.org/`,
    'file:///etc/passwd',
    `ftp://${host}/`,
    `gopher://${host}/_x`,
    `dict://${host}/x`,
    'data:text/html,<p>x</p>',
    'javascript:alert(1)',
    'about:blank',
    'chrome://version',
    `ws://${host}/`,
    `view-source:http://${host}/`,
    `blob:http://${host}/x`,
    `jar:http://${host}/!/`,
  ];
  for (const address of addresses) {
    // Of that one the host is what stands before the backslash, and leads nowhere.
    const refusals = address.includes('nowhere') ? [...REFUSALS, 'url_fetch_failed'] : REFUSALS;
    for (const way of READERS) {
      const ask = toOwnHost[way] ?? ((url: string) => countedTo(way, url));
      const reason = await ask(address);
      assert.ok(refusals.includes(String(reason)), `${way} ${address}: ${reason}`);
    }
  }
  assert.deepEqual(trap.heard, []);
});

test('what the operator named is reached: the tests here could fail', async () => {
  assert.equal(
    await refusal(await service.post('convert/url/pdf', form({ urlInput: `http://127.0.0.1:${sitePort}/` }))),
    'reached',
  );
  const url = `http://127.0.0.1:${sitePort}/file`;
  assert.equal(saidBy(await callTool(service, 'pdf_upload', { filename: 'a', url })), 'reached');
  assert.ok(siteHeard.includes('/file'));
  assert.equal(await toOwnHost.resultUrl?.(`http://127.0.0.1:${sitePort}/result`), 'reached');
  assert.ok(siteHeard.includes('/result'));
  assert.equal(await toldOfEnd(`http://127.0.0.1:${sitePort}/webhook`), 'reached');
  assert.ok(siteHeard.includes('/webhook'));
});

test('redirects lead to no address that is not public', async () => {
  const to = encodeURIComponent(`http://127.0.0.1:${trap.port}/`);
  for (const [way, reach] of Object.entries(toOwnHost)) {
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `http://127.0.0.1:${sitePort}/redirect/${status}?to=${to}`;
      // A body is not led on by the others; that it was not taken is what its caller is told.
      const refused = SENDERS.includes(way) && status < 307 ? 'delivery_failed' : 'url_not_allowed';
      assert.equal(await reach(url), refused, `${way} ${status}`);
    }
    for (const target of [
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      'data:text/html,x',
      `//localhost:${trap.port}/`,
    ]) {
      const url = `http://127.0.0.1:${sitePort}/redirect/307?to=${encodeURIComponent(target)}`;
      assert.notEqual(await reach(url), 'reached', `${way} ${target}`);
    }
    const loop = SENDERS.includes(way) ? '/loop/307' : '/loop/302';
    assert.match(await reach(`http://127.0.0.1:${sitePort}${loop}`), /^(?:url_fetch|delivery)_failed$/);
  }
  assert.deepEqual(trap.heard, []);
});

test('DNS rebinding: a name is asked for once, and the connection goes where that answer led', async () => {
  const names: [way: string, name: string, times: number][] = [
    ['pdf_upload', 'rebinding', 1],
    ['fileInput@url', 'rebinding-file', 1],
  ];
  for (const [way, name, times] of names) {
    const url = `http://${name}.names.test:${sitePort}/${name}`;
    // What is there is no PDF, so the call itself fails in its own way.
    assert.match(String(await toOwnHost[way]?.(url)), /^(?:reached|invalid_pdf|unsupported_file_type)$/);
    assert.equal(service.output().split(`asked for ${name}.names`).length - 1, times);
    assert.ok(siteHeard.includes(`/${name}`));
  }
  assert.deepEqual(reboundHeard, []);
  // Those that are looked at before the work are asked for again when they are used: the connection goes where that led.
  const later: [way: string, name: string][] = [
    ['fileInput@url of an asynchronous call', 'rebinding-later'],
    ['resultUrl', 'rebinding-result'],
    ['webhookUrl', 'rebinding-webhook'],
  ];
  for (const [way, name] of later) {
    const url = `http://${name}.names.test:${sitePort}/${name}`;
    assert.match(String(await toOwnHost[way]?.(url)), /^(?:reached|invalid_pdf|unsupported_file_type)$/);
    assert.equal(service.output().split(`asked for ${name}.names`).length - 1, 2, way);
    assert.deepEqual([siteHeard.includes(`/${name}`), reboundHeard.at(-1)], [false, `/${name}`]);
  }
});

test('DNS rebinding: a name that was public when it was checked is checked again when it is used', async () => {
  for (const way of ['resultUrl', 'webhookUrl', 'fileInput@url of an asynchronous call']) {
    const name = `turning-${way.replace(/\W.*$/, '').toLowerCase()}`;
    const reach = toOwnHost[way] as (url: string) => Promise<string>;
    assert.equal(await reach(`https://${name}.names.test:${trap.port}/`), 'url_not_allowed', way);
    assert.equal(service.output().split(`asked for ${name}.`).length - 1, 2, way);
  }
  assert.deepEqual(trap.heard, []);
});

test('server-side request forgery: pages and documents that load from elsewhere', async () => {
  const page = attempts();
  const html = form({ fileInput: filePart(new TextEncoder().encode(page), 'page.html') });
  assert.equal((await service.post('convert/html/pdf', html)).status, 200);
  const url = `http://127.0.0.1:${sitePort}/attempts`;
  assert.equal(await refusal(await service.post('convert/url/pdf', form({ urlInput: url }))), 'reached');
  const markdown = `![p](http://127.0.0.1:${trap.port}/x.png)\n\n<img src="http://127.0.0.1:${trap.port}/y.png">`;
  const text = form({ fileInput: filePart(new TextEncoder().encode(markdown), 'page.md') });
  assert.equal((await service.post('convert/markdown/pdf', text)).status, 200);
  const mail = `From: a@example.org\r\nSubject: s\r\nContent-Type: text/html\r\n\r\n${page}`;
  const eml = form({ fileInput: filePart(new TextEncoder().encode(mail), 'm.eml') });
  assert.equal((await service.post('convert/eml/pdf', eml)).status, 200);
  assert.deepEqual(trap.heard, []);
});
