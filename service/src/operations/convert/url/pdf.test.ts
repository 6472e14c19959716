import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { NETWORK_ATTEMPTS, watchNetwork } from '../../../../testing/hostile-input/escape-attempts.ts';
import { askProgram, missing, pdfinfo, pdftotext } from '../../../../testing/oracles/programs.ts';
import { closeBrowser, probe } from '../../../engines/browser/browser.ts';

const skip = (await probe()).missing ?? missing('pdfinfo', 'pdftotext');
after(closeBrowser);

type Site = Record<string, RequestListener>;

/** A site on this machine, and what was asked of it. */
async function site(t: TestContext, pages: Site): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = pages[request.url ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const html =
  (text: string): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(text);
  };

const to =
  (address: string): RequestListener =>
  (_request, response) => {
    response.writeHead(302, { Location: address }).end();
  };

const sent =
  (type: string, body: string | Buffer): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', type).end(body);
  };

const run = (address: string, allowHosts: string[], params: Record<string, string> = {}) =>
  runHere('convert/url/pdf', { params: { urlInput: address, ...params }, allowHosts });

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC',
  'base64',
);

test('a page is loaded with all that belongs to it, and named after its address', { skip }, async (t) => {
  const { host, asked } = await site(t, {
    '/a?b=1': html(
      '<title>Page</title><link rel="stylesheet" href="/s.css"><p>text</p><img src="p.png"><script src="j.js"></script>',
    ),
    '/s.css': (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/css', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('p::after { content: " styled" }'));
    },
    '/p.png': sent('image/png', PNG),
    '/j.js': sent(
      'text/javascript',
      'fetch("/d.json").then((r) => r.json()).then((d) => document.body.append(d.word))',
    ),
    '/d.json': sent('application/json', '{"word":"fetched"}'),
  });
  const ran = await run(`http://${host}/a?b=1`, [host]);
  const pdf = made(ran);
  assert.equal(pdfinfo(pdf).Title, 'Page');
  assert.match(pdftotext(pdf), /text styled[\s\S]*fetched/);
  assert.deepEqual(asked.toSorted(), ['/a?b=1', '/d.json', '/j.js', '/p.png', '/s.css']);
  assert.equal(madeName(ran), `http___${host.replaceAll(/\W/g, '_')}_a_b_1.pdf`);
});

test('cookies that a page sets are sent back to it, and to nobody after it', { skip }, async (t) => {
  const cookies: (string | undefined)[] = [];
  const { host } = await site(t, {
    '/': (request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(302, { Location: '/in', 'Set-Cookie': 'a=1; Path=/' }).end();
    },
    '/in': (request, response) => {
      cookies.push(request.headers.cookie);
      html('<p>in')(request, response);
    },
  });
  for (let times = 0; times < 2; times += 1) made(await run(`http://${host}/`, [host]));
  assert.deepEqual(cookies, [undefined, 'a=1', undefined, 'a=1']);
});

test('images and plain text are printed, too', { skip: skip || missing('pdfimages') }, async (t) => {
  const { host } = await site(t, {
    '/p.png': sent('image/png', PNG),
    '/t': sent('text/plain', 'plain words'),
    '/nothing-said': (_request, response) => void response.end('<p>unsaid'),
  });
  assert.match(
    askProgram('pdfimages', ['-list', '{}'], made(await run(`http://${host}/p.png`, [host]))),
    /image\s+2\s+2/,
  );
  assert.match(pdftotext(made(await run(`http://${host}/t`, [host]))), /plain words/);
  assert.match(pdftotext(made(await run(`http://${host}/nothing-said`, [host]))), /unsaid/);
});

test('addresses that are not public are refused, however they are written', { skip }, async () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    'localhost',
    'localhost.',
    'LOCALHOST',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::1]',
    '[2001:0:7f00:1::1]',
    '[fe80::1]',
    '[fd00::1]',
    '\uff11\uff12\uff17.0.0.1',
    '127\u30020\u30020\u30021',
  ])
    assert.equal(failed(await run(`http://${host}/`, [])).reason, 'url_not_allowed', host);
});

test('a redirection is followed five times, and each time looked at', { skip }, async (t) => {
  const watch = await watchNetwork();
  t.after(() => watch.close());
  const { host } = await site(t, {
    '/0': to('/1'),
    '/1': to('/2'),
    '/2': to('/3'),
    '/3': to('/4'),
    '/4': to('/5'),
    '/5': html('<p>arrived'),
    '/six': to('/0'),
    '/round': to('/round'),
    '/inside': to(`http://127.0.0.1:${watch.port}/`),
    '/file': to('file:///etc/passwd'),
    '/script': to('javascript:alert(1)'),
    '/named': to('http://user:word@127.0.0.1/'),
  });
  assert.match(pdftotext(made(await run(`http://${host}/0`, [host]))), /arrived/);
  const reasons: Record<string, string> = {
    six: 'url_fetch_failed',
    round: 'url_fetch_failed',
    inside: 'url_not_allowed',
    named: 'url_not_allowed',
    file: 'url_not_allowed',
    script: 'url_not_allowed',
  };
  for (const [path, reason] of Object.entries(reasons))
    assert.equal(failed(await run(`http://${host}/${path}`, [host])).reason, reason, path);
  assert.deepEqual(watch.heard, []);
});

test('answers that are no page are refused', { skip }, async (t) => {
  const { host } = await site(t, {
    '/pdf': sent('application/pdf', '%PDF-1.7'),
    '/zip': sent('application/octet-stream', 'PK'),
    '/error': (_request, response) =>
      void response.writeHead(500, { 'Content-Type': 'text/html' }).end('<p>x'),
    '/empty': (_request, response) => void response.writeHead(204).end(),
    '/large': sent('text/html', Buffer.alloc(51 * 1024 ** 2, 'x ')),
    '/bomb': (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(60 * 1024 ** 2))),
    '/rubbish': (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
        .end('no gzip'),
    '/broken': (request) => void request.socket.destroy(),
  });
  for (const path of ['pdf', 'zip', 'error', 'empty', 'large', 'bomb', 'rubbish', 'broken', 'missing'])
    assert.equal(failed(await run(`http://${host}/${path}`, [host])).reason, 'url_fetch_failed', path);
  assert.equal(failed(await run('http://127.0.0.1:1/', ['127.0.0.1:1'])).reason, 'url_fetch_failed');
});

test('waiting in vain is a failure to load', { skip }, async (t) => {
  const { host } = await site(t, { '/': html('<p>x') });
  assert.equal(
    failed(await run(`http://${host}/`, [host], { waitForSelector: '##' })).reason,
    'invalid_parameter',
  );
});

/** The ways that differ most from each other; each is tried by documents, too, where all are. */
const WAYS = [
  'an image',
  'a font',
  'a module',
  'a frame',
  'an object',
  'an image in a drawing',
  'a frame with a document in its address',
  'prefetch',
  'preconnect',
  'a refresh',
  'going elsewhere',
  'another window',
  'fetch',
  'EventSource',
  'WebSocket',
  'WebRTC',
  'a worker that imports',
];

for (const what of WAYS) {
  test(`a page of another host does not reach this machine by ${what}`, { skip }, async (t) => {
    const attempt = NETWORK_ATTEMPTS[what];
    assert.ok(attempt);
    const watch = await watchNetwork();
    t.after(() => watch.close());
    const { host } = await site(t, { '/': html(`<!doctype html>${attempt(`127.0.0.1:${watch.port}`)}`) });
    const ran = await run(`http://${host}/`, [host]);
    assert.deepEqual(watch.heard, []);
    assert.equal(pdfinfo(made(ran)).Pages !== '0', true);
  });
}
