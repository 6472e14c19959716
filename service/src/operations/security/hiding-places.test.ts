// A word hidden in every place a PDF can hold it: no stranger finds it in the result, whatever it is read with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { HIDING_PLACES } from '../../../testing/redaction/hiding-places.ts';
import { placesOf } from '../../../testing/redaction/stranger.ts';

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

// What the service answers with rests on its own reading: that must not be blind either.
test('the service itself finds the word in every one of these places, and tells where', {
  skip,
}, async () => {
  const blind: string[] = [];
  for (const { what, bytes, term = 'SECRET', params = {}, countsNothing } of HIDING_PLACES) {
    if (countsNothing) continue;
    const ran = await runHere('security/auto-redact', {
      files: { fileInput: { name: 'hidden.pdf', bytes } },
      params: { listOfText: term, report: 'true', ...params },
    });
    const [, report] = await zipEntries(made(ran));
    const { found } = JSON.parse(report?.bytes.toString('utf8') ?? '{}');
    const { terms, outsidePages, places } = found;
    if (terms.pdfium + terms.content + outsidePages === 0) blind.push(what);
    const outside = places.filter(({ kind }: { kind: string }) => kind !== 'page');
    assert.equal(outside.length, outsidePages);
    for (const { object } of outside) assert.ok(object === undefined || Number.isInteger(object));
    assert.doesNotMatch(JSON.stringify(found), /secret/i);
  }
  assert.deepEqual(blind, []);
});
