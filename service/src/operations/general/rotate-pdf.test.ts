import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';

const TIED = fixture('tied-pages.pdf');
const skip = missing('qpdf', 'pdfinfo');

const rotate = (
  params: Record<string, string | string[]>,
  fileInput: Parameters<typeof surveyBytes>[0] | string = TIED,
) =>
  runHere('general/rotate-pdf', {
    files: { fileInput: typeof fileInput === 'string' ? fileInput : { name: 'a.pdf', bytes: fileInput } },
    params,
  });

function rotations(bytes: Buffer): number[] {
  const info = pdfinfo(bytes, '-f', '1', '-l', '99');
  return Object.keys(info)
    .filter((key) => key.endsWith(' rot'))
    .map((key) => Number(info[key]));
}

// Pages 1 and 2 of the document inherit a rotation of 90.
const CASES: [Record<string, string>, number[]][] = [
  [{}, [180, 180, 90, 90]],
  [{ angle: '90' }, [180, 180, 90, 90]],
  [{ angle: '-90' }, [0, 0, 270, 270]],
  [{ angle: '0' }, [90, 90, 0, 0]],
  [{ angle: '3600' }, [90, 90, 0, 0]],
  [{ angle: '-3510' }, [180, 180, 90, 90]],
  [{ angle: '180', pageNumbers: '2n' }, [90, 270, 0, 180]],
  [{ angle: '270', pageNumbers: '4,1,1' }, [0, 90, 0, 270]],
  [{ angle: '90', pageNumbers: '9n' }, [90, 90, 0, 0]],
];

for (const [params, expected] of CASES) {
  test(`${JSON.stringify(params)} turns pages to ${expected}`, { skip }, async () => {
    const ran = await rotate(params);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.deepEqual(rotations(bytes), expected);
    assert.equal(madeName(ran), 'tied-pages_rotated.pdf');
  });
}

for (const [own, expected] of [
  ['450', 180],
  ['-90', 0],
  ['100', 180],
  ['(x)', 90],
  ['1e9', 90],
] as const) {
  test(`a page with /Rotate ${own} becomes ${expected}`, { skip }, async () => {
    const bytes = made(await rotate({}, onePage({ page: `/Rotate ${own}` })));
    assert.deepEqual(rotations(bytes), [expected]);
  });
}

test('nothing but the rotation changes', { skip }, async () => {
  const before = readFileSync(TIED);
  const after = made(await rotate({ angle: '180' }));
  assert.deepEqual(surveyBytes(after), surveyBytes(before));
  const contents = (bytes: Buffer): string[] =>
    Object.values(qpdfObjects(bytes)).flatMap(({ stream }) =>
      stream ? [JSON.stringify(stream.dict['/Subtype'] ?? null)] : [],
    );
  assert.deepEqual(contents(after).sort(), contents(before).sort());
});

const REFUSED: [Record<string, string | string[]>, string, string][] = [
  [{ angle: '45' }, 'invalid_parameter', 'angle'],
  [{ angle: '3690' }, 'invalid_parameter', 'angle'],
  [{ angle: '-3690' }, 'invalid_parameter', 'angle'],
  [{ angle: '90.5' }, 'invalid_parameter', 'angle'],
  [{ angle: 'right' }, 'invalid_parameter', 'angle'],
  [{ angle: ['90', '180'] }, 'invalid_parameter', 'angle'],
  [{ pageNumbers: '5' }, 'page_out_of_range', '5'],
  [{ pageNumbers: '-3' }, 'invalid_page_selection', 'pageNumbers'],
];

for (const [params, reason, word] of REFUSED) {
  test(`${JSON.stringify(params)} is refused as ${reason}`, async () => {
    const problem = failed(await rotate(params));
    assert.equal(problem.reason, reason);
    assert.ok(problem.detail.includes(word), problem.detail);
  });
}
