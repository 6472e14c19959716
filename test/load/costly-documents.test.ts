// Small documents that ask for much: their caller is told at once what is too large, and nobody else notices.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { largeJbig2, tinyTiles } from '../../service/testing/documents/costly-documents.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const SOUND = fixture('text-two-pages.pdf');

let service: RunningService;
let greedy: string;
let other: string;
before(async () => {
  service = await startService({ env: { BINDERY_WORKERS: '2' } });
  greedy = await service.newKey({});
  other = await service.newKey({});
});
after(() => service.remove());

const draw = (bytes: Uint8Array): Promise<Response> =>
  service.post('convert/pdf/img', form({ fileInput: filePart(new Uint8Array(bytes), 'bomb.pdf') }), {
    'x-api-key': greedy,
  });

async function restarts(): Promise<number> {
  const text = await (await service.fetch('/metrics')).text();
  return Number(/^bindery_worker_restarts_total (\d+)$/m.exec(text)?.[1]);
}

/** Milliseconds that most of the other caller's calls take. */
async function medianOfOther(calls: number): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < calls; n += 1) {
    const start = performance.now();
    const response = await service.post('analysis/page-count', form({ fileInput: filePart(SOUND) }), {
      'x-api-key': other,
    });
    assert.equal(response.status, 200, await response.clone().text());
    taken.push(performance.now() - start);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(calls / 2)] ?? 0;
}

for (const [what, make, calls, detail] of [
  ['fine tiles', tinyTiles, 6, /tiling pattern with a step of 0\.0001/],
  ['a JBIG2 image of 65535 by 65535', largeJbig2, 31, /an image of 65535 by 65535 pixels/],
] as const) {
  test(`${calls} calls with ${what} are refused without a worker lost, and hold nobody up`, async () => {
    const before = await restarts();
    await medianOfOther(20);
    const quietMs = await medianOfOther(20);
    const answers = Promise.all(Array.from({ length: calls }, () => draw(make())));
    const loadedMs = await medianOfOther(20);
    for (const response of await answers) {
      const problem = await problemOf(response);
      assert.equal(response.status, 422);
      assert.equal(problem.reason, 'document_too_costly');
      assert.match(problem.detail, detail);
    }
    assert.equal(await restarts(), before);
    // Where a worker was lost or held, it was seconds.
    assert.ok(loadedMs < quietMs * 5 + 250, `${quietMs} ms before, ${loadedMs} ms then`);
  });
}
