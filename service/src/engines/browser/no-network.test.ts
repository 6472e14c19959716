// Documents are printed without any isolation here: what keeps them from the network is the browser's door alone. In
// service an isolation without network stands around it as well.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  FILE_ATTEMPTS,
  NETWORK_ATTEMPTS,
  type Watch,
  watchNetwork,
} from '../../../testing/hostile-input/escape-attempts.ts';
import { missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import { createLog } from '../../contract/log.ts';
import { closeBrowser, createBrowser, probe } from './browser.ts';
import type { LocalPage } from './print.ts';

const { missing: noBrowser } = await probe();
const skip = noBrowser ?? missing('pdftotext', 'pdfinfo');
const dir = mkdtempSync(join(tmpdir(), 'bindery-escape-'));
const browser = createBrowser({ newFile: (kind) => join(dir, `out.${kind}`), log: createLog('silent') });
/** Scripts go on for a while after the page is loaded. */
const GOES_ON_MS = 120;
const SECRET = 'Zugeknoepft';

let watch: Watch;
before(async () => {
  watch = await watchNetwork();
});
after(async () => {
  closeBrowser();
  await watch.close();
  rmSync(dir, { recursive: true, force: true });
});

async function print(html: string, more: Partial<LocalPage> = {}): Promise<Buffer> {
  const page = { html: `<!doctype html>${html}`, scripts: true, ...more };
  const content = await browser.print(page, { waitMs: GOES_ON_MS });
  assert.ok('bytes' in content);
  return Buffer.from(content.bytes);
}

test('whoever listens hears what does arrive', async () => {
  await new Promise((done) => get(`http://127.0.0.1:${watch.port}/control`, done));
  assert.deepEqual(watch.heard.splice(0), ['GET /control HTTP/1.1']);
});

for (const [what, attempt] of Object.entries(NETWORK_ATTEMPTS)) {
  test(`nothing is reached by ${what}`, { skip }, async () => {
    const pages = ['127.0.0.1', 'localhost'].map((host) => attempt(`${host}:${watch.port}`));
    assert.equal(pdfinfo(await print(pages.join(''))).Pages !== '0', true);
    assert.deepEqual(watch.heard.splice(0), []);
  });
}

test('nothing is reached by header and footer', { skip }, async () => {
  const host = `127.0.0.1:${watch.port}`;
  const running = `<img src="http://${host}/x.png"><iframe src="http://${host}/"></iframe><script>fetch('http://${host}/')</script><style>@import url(http://${host}/x.css)</style><img src=x onerror="fetch('http://${host}/')">`;
  await browser.print(
    { html: '<p>page', scripts: true },
    { headerHtml: running, footerHtml: running, waitMs: GOES_ON_MS },
  );
  assert.deepEqual(watch.heard.splice(0), []);
});

test('nothing is reached by a resource that redirects', { skip }, async () => {
  const bytes = Buffer.from(`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${watch.port}/">`);
  await print('<iframe src="frame.html"></iframe>', { resource: async () => ({ bytes }) });
  assert.deepEqual(watch.heard.splice(0), []);
});

for (const [kind, text] of Object.entries({
  html: `<p>${SECRET}</p>`,
  css: `body::after { content: "${SECRET}" }`,
  js: `document.body.append('${SECRET}')`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text y="20">${SECRET}</text></svg>`,
}))
  writeFileSync(join(dir, `secret.${kind}`), text);

/** Ways to name a file outside. */
const FILE_ADDRESSES: Record<string, (kind: string) => string> = {
  'by its address': (kind) => pathToFileURL(join(dir, `secret.${kind}`)).href,
  'by climbing up': (kind) => `${'../'.repeat(12)}${join(dir, `secret.${kind}`).slice(1)}`,
  'by an absolute path': (kind) => join(dir, `secret.${kind}`),
};

for (const [what, attempt] of Object.entries(FILE_ATTEMPTS)) {
  test(`no file is read by ${what}`, { skip }, async () => {
    for (const [how, address] of Object.entries(FILE_ADDRESSES))
      assert.doesNotMatch(pdftotext(await print(attempt(address))), new RegExp(SECRET), how);
  });
}

test('the same files are read where they belong to the page', { skip }, async () => {
  const resource = async () => ({ bytes: Buffer.from(`<p>${SECRET}</p>`) });
  const attempt = FILE_ATTEMPTS['a frame']?.((kind) => `secret.${kind}`) ?? '';
  assert.match(pdftotext(await print(attempt, { resource })), new RegExp(SECRET));
});

test('without scripts nothing runs', { skip }, async () => {
  const html =
    '<p id="p">still</p><script>p.textContent = "ran"</script><img src="x" onerror="p.textContent=\'ran\'"><a href="javascript:1">x</a>';
  assert.match(pdftotext(await print(html)), /ran/);
  assert.match(pdftotext(await print(html, { scripts: false })), /still/);
});
