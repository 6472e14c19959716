import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo');

/** Pages of noise, `sizes` bytes each: qpdf cannot make them smaller. */
function noisy(sizes: readonly number[]): Buffer {
  let state = 7;
  const noise = (length: number): string =>
    Array.from({ length }, () => {
      state = (state * 48271) % 2147483647;
      return String.fromCharCode((state >> 8) & 0xff);
    }).join('');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${sizes.length} /MediaBox [0 0 200 200] /Kids [${sizes.map((_, index) => `${3 + index * 3} 0 R`).join(' ')}] >>`,
    ...sizes.flatMap((size, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${4 + index * 3} 0 R /Resources << /XObject << /Im ${5 + index * 3} 0 R >> >> >>`,
      streamOf('q 50 0 0 50 20 20 cm /Im Do Q'),
      streamOf(
        noise(size),
        `/Type /XObject /Subtype /Image /Width ${size} /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8`,
      ),
    ]),
  ]);
}

const split = (params: Record<string, string | string[]>, bytes: Uint8Array) =>
  runHere('general/split-by-size-or-count', { files: { fileInput: { name: 'doc.pdf', bytes } }, params });

async function parts(
  params: Record<string, string>,
  bytes: Uint8Array,
): Promise<{ pages: number; size: number }[]> {
  const ran = await split(params, bytes);
  assert.equal(madeName(ran), 'doc.zip');
  const entries = await zipEntries(made(ran));
  return entries.map((entry, index) => {
    assert.equal(entry.name, `doc_${index + 1}.pdf`);
    qpdfCheck(entry.bytes);
    return { pages: Number(pdfinfo(entry.bytes).Pages), size: entry.bytes.length };
  });
}

const SEVEN = noisy(Array(7).fill(100));

const COUNTED: [Record<string, string>, number[]][] = [
  [{ splitType: '1', splitValue: '3' }, [3, 3, 1]],
  [{ splitType: '1', splitValue: '1' }, [1, 1, 1, 1, 1, 1, 1]],
  [{ splitType: '1', splitValue: '100000' }, [7]],
  [{ splitType: '2', splitValue: '3' }, [3, 2, 2]],
  [{ splitType: '2', splitValue: '9' }, [1, 1, 1, 1, 1, 1, 1]],
  [{ splitType: '2', splitValue: '1' }, [7]],
  [{}, [7]],
  [{ splitType: '0', splitValue: '' }, [7]],
];

for (const [params, pages] of COUNTED) {
  test(`${JSON.stringify(params)} makes parts of ${pages} pages`, { skip }, async () => {
    assert.deepEqual(
      (await parts(params, SEVEN)).map((part) => part.pages),
      pages,
    );
  });
}

test('by size, parts are as long as fits', { skip }, async () => {
  const made = await parts({ splitValue: '20 kb' }, noisy(Array(30).fill(4000)));
  assert.equal(
    made.reduce((sum, part) => sum + part.pages, 0),
    30,
  );
  for (const part of made) assert.ok(part.size <= 20 * 1024);
  // Four images of 4000 bytes fit, a fifth does not; the last part holds what is left over.
  assert.deepEqual(
    made.map((part) => part.pages),
    [4, 4, 4, 4, 4, 4, 4, 2],
  );
});

test('a page above the size stands alone', { skip }, async () => {
  const made = await parts({ splitType: '0', splitValue: '3KB' }, noisy([500, 500, 9000, 500, 9000]));
  assert.deepEqual(
    made.map((part) => part.pages),
    [2, 1, 1, 1],
  );
});

test('the size of a document above the memory limit is measured on disk', { skip }, async () => {
  const made = await parts({ splitValue: '0,5 MB' }, noisy(Array(12).fill(120_000)));
  assert.deepEqual(
    made.map((part) => part.pages),
    [4, 4, 4],
  );
  for (const part of made) assert.ok(part.size <= 512 * 1024);
});

const REFUSED: [Record<string, string | string[]>, string][] = [
  [{ splitType: '3', splitValue: '1' }, 'splitType'],
  [{ splitType: 'size' }, 'splitType'],
  [{ splitType: '0', splitValue: '100B' }, 'splitValue'],
  [{ splitType: '0', splitValue: '3GB' }, 'splitValue'],
  [{ splitType: '0', splitValue: 'big' }, 'splitValue'],
  [{ splitType: '0', splitValue: '-5MB' }, 'splitValue'],
  [{ splitType: '1' }, 'splitValue'],
  [{ splitType: '2' }, 'splitValue'],
  [{ splitType: '1', splitValue: '0' }, 'splitValue'],
  [{ splitType: '1', splitValue: '100001' }, 'splitValue'],
  [{ splitType: '1', splitValue: '2.5' }, 'splitValue'],
  [{ splitType: '2', splitValue: '10MB' }, 'splitValue'],
  [{ splitType: '2', splitValue: 'x'.repeat(99) }, 'splitValue'],
  [{ splitType: '1', splitValue: ['1', '2'] }, 'splitValue'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params).slice(0, 60)} is refused, naming ${field}`, async () => {
    const problem = failed(await split(params, SEVEN));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}

test('an encrypted document is split with its password', { skip }, async () => {
  const ran = await runHere('general/split-by-size-or-count', {
    files: { fileInput: fixture('everything-locked.pdf') },
    params: { splitType: '1', splitValue: '2', inputPassword: 'open-sesame' },
  });
  const entries = await zipEntries(made(ran));
  assert.deepEqual(
    entries.map(({ bytes }) => pdfinfo(bytes).Encrypted),
    ['no', 'no'],
  );
});
