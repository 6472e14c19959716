import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';

const cbz = (params: Record<string, string> = {}) =>
  runHere('convert/pdf/cbz', { files: { fileInput: fixture('everything.pdf') }, params });

test('a comic book holds one PNG for each page, in page order', async () => {
  const ran = await cbz({ dpi: '50' });
  assert.equal(madeName(ran), 'everything_converted.cbz');
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['page_001.png', 'page_002.png', 'page_003.png', 'page_004.png'],
  );
  for (const { bytes } of entries) assert.equal((await sharp(bytes).metadata()).density, 50);
});

test('unzip finds nothing wrong with it', { skip: missing('unzip') }, async () => {
  assert.match(askProgram('unzip', ['-t', '{}'], made(await cbz({ dpi: '30' }))), /No errors detected/);
});
