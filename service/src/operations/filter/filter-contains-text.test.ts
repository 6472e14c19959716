import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runHere } from '../../jobs/run-here.ts';
import { fixture, missing, pdftotext } from '../judges.ts';

const bytes = readFileSync(fixture('text-two-pages.pdf'));
const passes = async (params: Record<string, string>) => {
  const ran = await runHere('filter/filter-contains-text', {
    files: { fileInput: { name: 'a.pdf', bytes } },
    params,
  });
  if (ran.state === 'failed') throw new Error(ran.problem.detail);
  return ran.state === 'made' && ran.bytes.equals(bytes);
};

test('text is found where pdftotext sees it, page by page', { skip: missing('pdftotext') }, async () => {
  const [first = '', second = ''] = [1, 2].map((n) => pdftotext(bytes, '-f', String(n), '-l', String(n)));
  const word = first.split(/\s+/).find((each) => /^[A-Za-z]{5,}$/.test(each) && !second.includes(each));
  assert.ok(word, 'the first page has a word the second lacks');
  assert.equal(await passes({ text: word }), true);
  assert.equal(await passes({ text: word, pageNumbers: '1' }), true);
  assert.equal(await passes({ text: word, pageNumbers: '2' }), false);
  const lower = word.toLowerCase();
  assert.equal(await passes({ text: word === lower ? word.toUpperCase() : lower, pageNumbers: '1' }), false);
});

test('text that is nowhere gives nothing', async () => assert.equal(await passes({ text: 'zzqx' }), false));

test('an expression that selects no page finds nothing', async () => {
  assert.equal(await passes({ text: 'a', pageNumbers: '9n' }), false);
});
