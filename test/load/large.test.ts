// Large documents pass through the API process without being held by it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, openAsBlob, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { missing } from '../../service/testing/oracles/programs.ts';
import { writeLargePdf } from '../hostile-documents.ts';
import { memoryOf, namelessFiles, until } from '../processes.ts';
import { form, type RunningService, startService } from '../service.ts';

const MIB = 1024 * 1024;
const MOST = 400 * MIB;

let service: RunningService;
let dir: string;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bindery-large-'));
  service = await startService();
});
after(async () => {
  await service.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function rotated(fields: Record<string, string | File>, pages: number): Promise<void> {
  const response = await service.post('general/rotate-pdf', form({ ...fields, angle: '90' }));
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text());
  const path = join(dir, 'result.pdf');
  assert.ok(response.body);
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path));
  assert.equal(statSync(path).size, Number(response.headers.get('content-length')));
  const said = execFileSync('pdfinfo', [path], { encoding: 'utf8' });
  assert.match(said, new RegExp(`^Pages:\\s+${pages}$`, 'm'));
  assert.match(said, /^Page rot:\s+90$/m);
}

async function nothingHeld(): Promise<void> {
  const pid = Number(service.process.pid);
  await until('nothing is left on disk', () =>
    ['work/incoming', 'work/results', 'uploads'].every(
      (name) => readdirSync(join(service.dataDir, name)).length === 0,
    ),
  );
  assert.deepEqual(namelessFiles(pid), []);
  const peak = memoryOf(pid, 'VmHWM');
  assert.ok(peak < MOST, `the API process had ${Math.round(peak / MIB)} MiB`);
}

test('95 MB in one request', { skip: missing('pdfinfo') }, async () => {
  const path = join(dir, 'large.pdf');
  writeLargePdf(path, 95);
  await rotated({ fileInput: new File([await openAsBlob(path)], 'large.pdf') }, 95);
  await nothingHeld();
});

test('450 MB as a chunked upload', { skip: missing('pdfinfo') }, async () => {
  const path = join(dir, 'larger.pdf');
  writeLargePdf(path, 450);
  const { size } = statSync(path);
  const begun = await service.fetch('/api/v1/uploads', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filename: 'larger.pdf', size }),
  });
  const { id, chunkSize, chunkCount } = (await begun.json()) as Record<string, number>;
  const blob = await openAsBlob(path);
  for (let index = 0; index < Number(chunkCount); index += 1) {
    const body = blob.slice(index * Number(chunkSize), (index + 1) * Number(chunkSize));
    const put = await service.fetch(`/api/v1/uploads/${id}/chunks/${index}`, { method: 'PUT', body });
    assert.equal(put.status, 204);
  }
  assert.equal((await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' })).status, 200);
  await rotated({ 'fileInput@upload': String(id) }, 450);
  await nothingHeld();
});
