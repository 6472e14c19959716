// Every PDF of the collection beside the clone goes through the page operations.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, type Ran, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import type { Survey } from '../../../testing/oracles/document-survey.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = noCorpus() || missing('qpdf', 'pdfinfo');
const ROOT = corpusFolder('.');

const read = (name: string): string =>
  existsSync(new URL(name, ROOT)) ? readFileSync(new URL(name, ROOT), 'utf8') : '';
const facts = JSON.parse(read('facts.json') || '{}') as Record<string, { pages_qpdf: number | null }>;

function column(name: string): Map<string, string> {
  const [head = '', ...rows] = read('INDEX.tsv').split('\n');
  const at = head.split('\t').indexOf(name);
  return new Map(rows.map((row) => row.split('\t')).map((cells) => [cells[0] ?? '', cells[at] ?? '']));
}
const passwords = column('password');

const UNREADABLE = ['invalid_pdf', 'password_required', 'wrong_password'];

/** The bytes, or undefined where the document was refused for a reason of its own. */
function result(ran: Ran, isReadable: boolean): Buffer | undefined {
  assert.notEqual(ran.state, 'nothing');
  if (ran.state === 'made') return ran.bytes;
  assert.ok(ran.state === 'failed');
  assert.ok(
    UNREADABLE.includes(ran.problem.reason),
    `${ran.problem.reason}: ${ran.problem.detail} ${ran.cause ?? ''}`,
  );
  assert.ok(!isReadable, 'other programs can read it');
  return undefined;
}

/** What a new order of pages must not change. */
function conserved(survey: Survey): unknown {
  const { links, outline, pageLabels, ...rest } = survey;
  return {
    ...rest,
    links: links.length,
    linksToPages: links.filter(({ to }) => to !== null).length,
    outline: outline.map(({ title, depth, to }) => [title, depth, to !== null]),
    pageLabels: pageLabels && [...pageLabels].sort(),
  };
}

for (const path of corpus('.')) {
  const name = `shared/${path.slice(path.indexOf('/corpus/') + 8)}`;
  test(name, { skip }, async () => {
    const password = passwords.get(name) ?? '';
    const params: Record<string, string> = password === '' ? {} : { inputPassword: password };
    const pages = facts[name]?.pages_qpdf ?? undefined;
    const isReadable = pages !== undefined && pages > 0;
    const run = (op: string, more: Record<string, string> = {}) =>
      runHere(op, { files: { fileInput: path }, params: { ...params, ...more } });

    const count = await run('analysis/page-count');
    if (result(count, isReadable) && isReadable) assert.deepEqual(madeJson(count), { pageCount: pages });

    const rotated = result(await run('general/rotate-pdf'), isReadable);
    const reversed = result(
      await run('general/rearrange-pages', { customMode: 'REVERSE_ORDER' }),
      isReadable,
    );
    if (!rotated || !reversed) return;
    const before = surveyBytes(readFileSync(path), password === '' ? [] : [password]);
    for (const bytes of [rotated, reversed]) {
      qpdfCheck(bytes, { tolerant: true });
      if (isReadable) assert.equal(pdfinfo(bytes).Pages, String(pages));
    }
    assert.deepEqual(surveyBytes(rotated), before);
    assert.deepEqual(conserved(surveyBytes(reversed)), conserved(before));
  });
}
