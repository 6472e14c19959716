// What once ended a worker, held it or was answered wrongly, tried again through the whole service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { compoundFile, LYING_COMPOUND_FILES } from '../../service/testing/documents/compound-file.ts';
import { COSTING_A_WORKER, FOUND_DOCUMENTS } from '../../service/testing/hostile-input/found-documents.ts';
import { filePart, form, problemOf, type RunningService, startService } from '../service.ts';

const OPERATIONS: Readonly<Record<string, Record<string, string>>> = {
  'analysis/page-count': {},
  'security/get-info-on-pdf': {},
  'convert/pdf/img': { dpi: '20' },
  'misc/compress-pdf': {},
  'misc/linearize-pdf': {},
  'convert/pdf/markdown': {},
  'general/rotate-pdf': { angle: '90' },
  'misc/repair': {},
};

let service: RunningService;
before(async () => {
  service = await startService({ env: { BINDERY_WORKERS: '2', BINDERY_LOG_LEVEL: 'error' } });
});
after(() => service.remove());

async function restarts(): Promise<number> {
  const text = await (await service.fetch('/metrics')).text();
  return Number(/^bindery_worker_restarts_total (\d+)$/m.exec(text)?.[1]);
}

/** Whatever the answer is, it is about the document, and whoever gave it goes on working. */
async function answers(op: string, name: string, bytes: Uint8Array, params = {}): Promise<void> {
  const before = await restarts();
  const fileInput = filePart(new Uint8Array(bytes), name);
  const response = await service.post(op, form({ fileInput, ...params }));
  if (response.status === 200) await response.arrayBuffer();
  else if (response.status !== 204) {
    const { status, reason, detail } = await problemOf(response);
    assert.ok(status < 500, `${op}: ${status} ${reason}: ${detail}`);
  }
  assert.equal(await restarts(), before, `${op}: a worker was lost`);
}

for (const [what, make] of Object.entries(FOUND_DOCUMENTS)) {
  test(what, async () => {
    const bytes = make();
    await Promise.all(
      Object.entries(OPERATIONS).map(([op, params]) => answers(op, 'found.pdf', bytes, params)),
    );
  });
}

test('messages of Outlook whose chains lie', async () => {
  for (const parts of Object.values(LYING_COMPOUND_FILES))
    await answers('convert/eml/pdf', 'found.msg', compoundFile(parts));
});

for (const [what, make] of Object.entries(COSTING_A_WORKER)) {
  test(`${what} is told as the document's doing, and the next call is served`, async () => {
    const fileInput = filePart(new Uint8Array(make()), 'found.pdf');
    const { reason } = await problemOf(await service.post('convert/pdf/img', form({ fileInput, dpi: '20' })));
    assert.ok(['memory_exceeded', 'document_too_costly'].includes(reason), reason);
    await answers('analysis/page-count', 'found.pdf', make());
  });
}
