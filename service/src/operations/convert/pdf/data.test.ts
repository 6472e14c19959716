import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { corpusFolder, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { DOCUMENT_DATA, type DocumentData } from '../../../contract/document-data.ts';

async function data(path: string): Promise<DocumentData> {
  const ran = await runHere('convert/pdf/data', { files: { fileInput: path }, params: {} });
  return DOCUMENT_DATA.strict().parse(JSON.parse(made(ran).toString('utf8')));
}

test('tables of a document with their places, every value within its page', async () => {
  const { tables, pageCount, truncated, schemaVersion } = await data(fixture('tables.pdf'));
  assert.deepEqual([schemaVersion, truncated], [1, false]);
  assert.ok(tables.length >= 3);
  for (const { page, box, rows, columns } of tables) {
    assert.ok(page >= 1 && page <= pageCount && box.width > 0 && box.height > 0);
    assert.ok(rows.every((row) => row.length === columns));
  }
});

test('fields of a form with their values count once and for certain', async () => {
  const { pairs } = await data(fixture('form-fields.pdf'));
  const fields = pairs.filter(({ source }) => source === 'field');
  assert.ok(fields.length > 0);
  for (const { confidence, field, value } of fields) {
    assert.equal(confidence, 1);
    assert.ok(field && value !== '' && value !== 'Off');
  }
  assert.equal(new Set(fields.map(({ field }) => field)).size, fields.length);
});

test('labels and values of a document nobody made for this', { skip: noCorpus() }, async () => {
  const folder = corpusFolder('pdf/annots');
  const { pairs } = await data(new URL('pdfbox__test.unc.pdf', folder).pathname);
  const found = new Map(pairs.filter(({ page }) => page === 3).map(({ key, value }) => [key, value]));
  assert.equal(found.get('Doc-No.'), 'GAL-MAN-ASTD-SA-Z-0069');
  assert.equal(found.get('Issue'), '1.3');
  assert.equal(found.get('Date'), '28.09.2010');
});

test('a document without text has no data', async () => {
  const { pairs, tables, totals, dates, addresses } = await data(fixture('scan.pdf'));
  assert.deepEqual(
    { pairs, tables, totals, dates, addresses },
    { pairs: [], tables: [], totals: [], dates: [], addresses: [] },
  );
});
