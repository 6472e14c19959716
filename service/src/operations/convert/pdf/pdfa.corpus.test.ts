import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { made } from '../../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../../testing/documents/collection.ts';
import { differingPart, lettersOf, outcomeOf, toArchive } from '../../../../testing/oracles/pdfa-likeness.ts';
import { missing, qpdfCheck } from '../../../../testing/oracles/programs.ts';

const DOCUMENTS = 40;
const LARGEST_BYTES = 1_500_000;
/** Damaged or locked on purpose. */
const UNFIT = new Set(['unopenable', 'password', 'malformed', 'blank', 'large']);

/** Some of every folder, one after the other: documents of one folder are alike. */
function varied(): string[] {
  const folders = new Map<string, string[]>();
  for (const path of corpus('pdf')) {
    const folder = basename(dirname(path));
    if (UNFIT.has(folder) || statSync(path).size > LARGEST_BYTES) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const chosen: string[] = [];
  for (let round = 0; chosen.length < DOCUMENTS && round < 20; round += 1)
    for (const paths of folders.values()) if (paths[round]) chosen.push(paths[round] as string);
  return chosen.slice(0, DOCUMENTS);
}

/** Other fonts stand in for those that a document only names; their letters differ in shape. */
const MOST_DIFFERENT = 0.05;

test('forty documents become PDF/A-2b, look the same and read the same', {
  skip: noCorpus() || missing('gs', 'pdftoppm', 'pdftotext', 'qpdf'),
}, async () => {
  const paths = varied();
  assert.equal(paths.length, DOCUMENTS);
  const invalid: string[] = [];
  const unlike: string[] = [];
  for (const path of paths) {
    const source = readFileSync(path);
    const ran = await toArchive(source);
    const name = `${basename(dirname(path))}/${basename(path)}`;
    if (ran.state === 'failed' && ran.problem.reason === 'conformance_failed') {
      invalid.push(`${name}: ${ran.problem.detail}`);
      continue;
    }
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(outcomeOf(ran), 'valid', name);
    const difference = differingPart(source, bytes);
    if (difference > MOST_DIFFERENT)
      unlike.push(`${name}: ${(difference * 100).toFixed(1)} % look different`);
    if (lettersOf(bytes) !== lettersOf(source)) unlike.push(`${name}: reads different`);
  }
  assert.ok(invalid.length <= DOCUMENTS * 0.1, invalid.join('\n'));
  assert.ok(unlike.length <= DOCUMENTS * 0.05, unlike.join('\n'));
});

/** Each has transparent pages beside others, so that part of the document is drawn anew. */
const TRANSPARENT = /(?:GeoBase_NHNC1|RA_CI|tracemonkey_with_editable_annotations|JPXTestRGB)/;

test('documents with transparent pages among others become PDF/A-1b', {
  skip: noCorpus() || missing('gs', 'pdftotext', 'qpdf'),
}, async () => {
  const paths = corpus('pdf').filter((path) => TRANSPARENT.test(path));
  assert.ok(paths.length > 0);
  for (const path of paths) {
    const ran = await toArchive(readFileSync(path), { outputFormat: 'pdfa-1' });
    qpdfCheck(made(ran));
    assert.equal(outcomeOf(ran), 'valid', basename(path));
  }
});
