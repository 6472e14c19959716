// A pipeline as clients of another PDF service send it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service?.remove());

const PDF = fixture('text-two-pages.pdf');
const told = async (path: string, fields: Parameters<typeof form>[0]): Promise<string> =>
  (await problemOf(await service.post(path, form(fields)))).detail;

test('a pipeline as clients of Stirling-PDF send it', async () => {
  const json = JSON.stringify({
    name: 'turned',
    pipeline: [
      { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90, fileInput: 'automated' } },
      { operation: '/api/v1/misc/linearize-pdf', parameters: {} },
    ],
    outputDir: '{outputFolder}',
    outputFileName: '{filename}',
  });
  const answer = await service.post('pipeline/handleData', form({ fileInput: filePart(PDF), json }));
  assert.equal(answer.status, 200, await answer.clone().text());
  const path = join(tmpdir(), `bindery-handle-data-${process.pid}.pdf`);
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  assert.match(execFileSync('pdfinfo', [path], { encoding: 'utf8' }), /Page rot:\s+90/);
  const turned = await service.post('analysis/page-dimensions', form({ fileInput: filePart(path) }));
  rmSync(path);
  assert.equal(turned.status, 200);
  for (const wrong of ['{', '[]', '{"pipeline":{}}', '7'])
    assert.match(
      await told('pipeline/handleData', { fileInput: filePart(PDF), json: wrong }),
      /^json must be/,
      wrong,
    );
  const unknown = JSON.stringify({ pipeline: [{ operation: '/api/v1/general/none' }] });
  assert.match(await told('pipeline/handleData', { fileInput: filePart(PDF), json: unknown }), /none/);
});
