// Operations 3: "Macros never run. Nothing is fetched from outside". LibreOffice runs here without the isolation of a
// worker: what holds is what it was told, and what it gave up when it started.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { odf } from '../../../testing/documents/office-documents.ts';
import {
  hostileDocuments,
  inFolder,
  SECRET,
  secrets,
} from '../../../testing/hostile-input/office-documents.ts';
import {
  bytesOf,
  given,
  imagesOf,
  officeForTests,
  textOf,
  withoutOffice,
} from '../../../testing/oracles/office-program.ts';
import { missing, qpdfObjects } from '../../../testing/oracles/programs.ts';
import { Problem } from '../../contract/problems.ts';

/** As large as the image among the secrets. */
const SECRET_IMAGE = { width: 2, height: 2 };
const skip = withoutOffice || missing('pdftotext', 'pdfimages', 'qpdf');

describe('what documents reach for', { skip }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-secrets-'));
  const asked: string[] = [];
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const found = files.get(request.url?.slice(1) ?? '');
    response.writeHead(found ? 200 : 404).end(found);
  });
  let address = '';
  const office = officeForTests();

  before(async () => {
    for (const [name, bytes] of Object.entries(await secrets())) {
      files.set(name, bytes);
      writeFileSync(join(dir, name), bytes);
    }
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const PLACES = [
    ['on the network', () => (name: string) => `${address}${name}`],
    ['among other files', () => inFolder(dir)],
  ] as const;
  const titles = hostileDocuments(() => '').map(({ title }) => title);

  for (const [place, reach] of PLACES) {
    for (const [index, title] of titles.entries()) {
      test(`${title}, ${place}, stays blank`, async () => {
        asked.length = 0;
        const hostile = hostileDocuments(reach())[index];
        assert.ok(hostile);
        try {
          const pdf = await office.convert(
            given(`x.${hostile.kind}`, await hostile.bytes),
            hostile.kind,
            'pdf',
          );
          const text = textOf(pdf);
          assert.ok(!text.includes(SECRET), text);
          assert.ok(!text.includes('macro ran'), text);
          // What is missing has a sign of LibreOffice's own in its place.
          assert.equal(imagesOf(pdf, SECRET_IMAGE), 0);
        } catch (error) {
          // Documents with entities are not opened at all.
          assert.ok(error instanceof Problem && error.reason === 'unsupported_file_type', String(error));
          assert.match(title, /entity/);
        }
        assert.deepEqual(asked, []);
      });
    }
  }

  test('LibreOffice as it comes does fetch: the tests above could fail', async () => {
    asked.length = 0;
    const linked = hostileDocuments((name) => `${address}${name}`).find(({ title }) =>
      /linked picture in a Word/.test(title),
    );
    assert.ok(linked);
    const path = join(dir, 'control.docx');
    writeFileSync(path, await linked.bytes);
    const args = [
      '--headless',
      `-env:UserInstallation=file://${dir}/profile`,
      '--convert-to',
      'pdf',
      '--outdir',
      dir,
      path,
    ];
    const run = spawn('soffice', args, { stdio: 'ignore' });
    await new Promise((ended) => run.on('exit', ended));
    assert.ok(
      asked.some((line) => line.startsWith('GET /p.png')),
      asked.join(),
    );
  });

  test('what every program of the machine may read is not shown either', async () => {
    const body = `<text:section text:name="S"><text:section-source xlink:href="file:///etc/passwd" xlink:type="simple" text:filter-name="Text"/><text:p>old</text:p></text:section>`;
    const shown = textOf(await office.convert(given('x.odt', await odf('text', { body })), 'odt', 'pdf'));
    assert.ok(!shown.includes('root:'), shown);
    const field = '{\\field{\\*\\fldinst INCLUDETEXT "/etc/passwd"}{\\fldrslt x}}';
    const rtf = `{\\rtf1\\ansi{\\*\\template /etc/passwd}kept\\par ${field}\\par }`;
    assert.ok(
      !textOf(await office.convert(given('x.rtf', Buffer.from(rtf)), 'rtf', 'pdf')).includes('root:'),
    );
  });

  test('links to files tell nothing of where the document was converted', async () => {
    const body = '<text:p><text:a xlink:href="../other.odt" xlink:type="simple">other</text:a></text:p>';
    const pdf = await office.convert(given('x.odt', await odf('text', { body })), 'odt', 'pdf');
    const objects = JSON.stringify(qpdfObjects(bytesOf(pdf)));
    assert.ok(objects.includes('other.odt') && !objects.includes(tmpdir()), objects);
  });
});
