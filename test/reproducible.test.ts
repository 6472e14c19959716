// The operator's SOURCE_DATE_EPOCH reaches the workers: every result tells that moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { missing, pdfinfo } from '../service/testing/oracles/programs.ts';
import { filePart, fixture, form, startService } from './service.ts';

test('with SOURCE_DATE_EPOCH the same call gives the same bytes and that date', async () => {
  const service = await startService({ env: { SOURCE_DATE_EPOCH: '1700000000' } });
  try {
    const rotate = async () => {
      const body = form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });
      const response = await service.fetch('/api/v1/general/rotate-pdf', { method: 'POST', body });
      assert.equal(response.status, 200);
      return Buffer.from(await response.bytes());
    };
    const first = await rotate();
    await sleep(1100);
    assert.ok(first.equals(await rotate()));
    if (!missing('pdfinfo')) assert.match(pdfinfo(first).ModDate ?? '', /^2023-11-14T22:13:20/);
  } finally {
    await service.remove();
  }
});
