// A word hidden in every place a PDF can hold it: no stranger finds it in the result, whatever it is read with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../jobs/run-here.ts';
import { missing, pdftotext, qpdfCheck } from '../judges.ts';
import { HIDING_PLACES } from './_hiding-places-judges.ts';
import { placesOf } from './_stranger-judges.ts';

const skip = missing('pdftotext', 'qpdf');

for (const {
  what,
  bytes,
  term = 'SECRET',
  stays = [],
  params = {},
  countsNothing = false,
} of HIDING_PLACES) {
  test(`${what}: no stranger finds it`, { skip }, async () => {
    const ran = await runHere('security/auto-redact', {
      files: { fileInput: { name: 'hidden.pdf', bytes } },
      params: { listOfText: term, ...params },
    });
    assert.equal(ran.state, 'made', JSON.stringify(ran));
    if (ran.state !== 'made') return;
    qpdfCheck(ran.bytes, { tolerant: true });
    assert.deepEqual(placesOf(term, ran.bytes), []);
    assert.equal(Number(ran.result.headers['X-Redaction-Count']) === 0, countsNothing);
    const left = pdftotext(ran.bytes);
    for (const word of stays) assert.match(left, new RegExp(word), 'other text stays');
  });
}

test('the stranger finds the word in every one of these places before', { skip }, () => {
  const blind = HIDING_PLACES.filter(
    ({ bytes, term = 'SECRET', onlyForPeople }) => !onlyForPeople && placesOf(term, bytes).length === 0,
  );
  assert.deepEqual(
    blind.map(({ what }) => what),
    [],
  );
});
