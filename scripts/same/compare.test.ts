import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { onePage } from '../../service/testing/documents/written-pdf.ts';
import { zipOf } from '../../service/testing/oracles/archives.ts';
import { missing } from '../../service/testing/oracles/programs.ts';
import type { Answer, Run } from './answers.ts';
import { compareAnswers, compareBytes } from './compare.ts';

const FROM = Date.UTC(2026, 4, 5, 10, 20, 30);
const RUN: Run = { from: FROM, to: FROM + 3000, passwords: [], sent: [Buffer.from('/ID [<0a0b0c0d> <01>]')] };
const NEEDS_QPDF = { skip: missing('qpdf', 'pdftotext', 'pdftoppm') };

const answer = (text: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  bytes: Buffer.from(text),
  ...more,
});
const texts = async (base: string, here: string) => compareBytes(Buffer.from(base), Buffer.from(here), RUN);
const pdfs = async (base: Parameters<typeof onePage>[0], here: Parameters<typeof onePage>[0]) =>
  compareBytes(onePage(base), onePage(here), RUN);

test('equal bytes are equal, headers of the moment apart', async () => {
  const one = answer('a', { headers: { 'content-type': 'text/plain', 'x-request-id': '1', date: 'now' } });
  const other = answer('a', { headers: { 'content-type': 'text/plain', 'x-request-id': '2', date: 'then' } });
  assert.deepEqual(await compareAnswers(one, other, RUN), { state: 'byte-equal' });
});

test('another status, name or type of a result is a difference', async () => {
  const problem = answer('{"reason":"invalid_pdf","detail":"no"}', { status: 400 });
  const refused = await compareAnswers(answer('a'), problem, RUN);
  assert.deepEqual(refused, {
    state: 'different',
    kind: 'status',
    what: '200 -> 400: made -> invalid_pdf (no)',
  });
  const named = answer('a', { headers: { 'content-type': 'text/plain', 'content-disposition': 'x' } });
  const likeness = await compareAnswers(answer('a'), named, RUN);
  assert.ok(likeness.state === 'different' && likeness.kind === 'headers', JSON.stringify(likeness));
});

test('the time of the run is overlooked, in whatever zone; any other time is not', async () => {
  for (const [base, here] of [
    ['D:20260505102030Z', 'D:20260505102032Z'],
    ["D:20260505122030+02'00'", "D:20260505122031+02'00'"],
    ['%%CreationDate: Tue May  5 12:20:30 2026', '%%CreationDate: Tue May  5 12:20:32 2026'],
    ['at 2026-05-05T10:20:30Z', 'at 2026-05-05T10:20:31.250Z'],
    ['{"at":"2026-05-05T10:20:30+00:00"}', '{"at":"2026-05-05T10:20:31+00:00"}'],
  ] as const)
    assert.deepEqual(await texts(base, here), { state: 'judged-equal' }, base);
  for (const [base, here] of [
    ['D:20260505102030Z', 'D:20260505103030Z'],
    ['D:20250505102030Z', 'D:20250505102031Z'],
    ['%%CreationDate: Mon May  5 10:20:30 2025', '%%CreationDate: Mon May  5 10:20:32 2025'],
    ['{"at":"2025-05-05T10:20:30Z"}', '{"at":"2025-05-05T10:20:31Z"}'],
    ['{"a":[1,2]}', '{"a":[1,3]}'],
    ['one\ntwo', 'one\ntwo\n'],
  ] as const)
    assert.equal((await texts(base, here)).state, 'different', base);
});

test('of identifiers only those drawn by lot are overlooked', async () => {
  const uuid = (version: string, last: string) => `uuid:0f0e0d0c-0b0a-${version}908-8706-05040302010${last}`;
  assert.equal((await texts(uuid('4', '1'), uuid('4', '2'))).state, 'judged-equal');
  assert.equal((await texts(uuid('5', '1'), uuid('5', '2'))).state, 'different');
});

test('a PDF is the same where only the time and new identifiers differ', NEEDS_QPDF, async () => {
  const made = (second: string, id: string) => ({
    more: [`<< /CreationDate (D:202605051020${second}Z) >>`],
    trailer: `/Info 5 0 R /ID [<0a0b0c0d> <${id}>]`,
  });
  assert.deepEqual(await pdfs(made('30', '01'), made('31', '02')), { state: 'judged-equal' });
  assert.deepEqual(await pdfs({ trailer: '/ID [<f1f2f3> <02>]' }, { trailer: '/ID [<f4f5f6> <04>]' }), {
    state: 'judged-equal',
  });
});

test(
  'the numbers a browser that has printed before gives to tags are counted from its first',
  NEEDS_QPDF,
  async () => {
    const tagged = (...ids: string[]) => ({ more: ids.map((id) => `<< /S /P /ID (node000000${id}) >>`) });
    assert.deepEqual(await pdfs(tagged('15', '17'), tagged('26', '28')), { state: 'judged-equal' });
    assert.equal((await pdfs(tagged('15', '17'), tagged('28', '26'))).state, 'different');
  },
);

test('a PDF differs by any object, and by an identifier that was to be kept', NEEDS_QPDF, async () => {
  for (const [base, here] of [
    [{ page: '/Rotate 90' }, { page: '/Rotate 180' }],
    [{ content: '0 0 m' }, { content: '0 1 m' }],
    [{ more: ['<< /CreationDate (D:2020) >>'] }, { more: ['<< /CreationDate (D:2021) >>'] }],
    [{ trailer: '/ID [<0a0b0c0d> <02>]' }, { trailer: '/ID [<0a0b0c0e> <04>]' }],
    [{}, { more: ['(one more)'] }],
  ] as const) {
    const likeness = await compareBytes(
      onePage({ ...base, more: [...(base.more ?? [])] }),
      onePage({ ...here, more: [...(here.more ?? [])] }),
      RUN,
    );
    assert.ok(likeness.state === 'different' && likeness.kind === 'objects', JSON.stringify(likeness));
  }
});

test('a signature may have other bytes, but not another length', NEEDS_QPDF, async () => {
  const signed = (digits: string) => ({
    more: [`<< /Type /Sig /ByteRange [0 1 2 3] /Contents <${digits}> >>`],
  });
  assert.equal((await pdfs(signed('0102'), signed('0304'))).state, 'judged-equal');
  assert.equal((await pdfs(signed('0102'), signed('030405'))).state, 'different');
});

test('archives are compared entry by entry', async () => {
  const now = '2026-05-05T10:20:30Z';
  const likeness = async (base: Record<string, string>, here: Record<string, string>) =>
    compareBytes(await zipOf(base), await zipOf(here), RUN);
  const same = await likeness(
    { 'a.txt': 'x', 'b.xml': now },
    { 'a.txt': 'x', 'b.xml': now.replace('30Z', '31Z') },
  );
  assert.equal(same.state, 'judged-equal');
  const named = await likeness({ a: 'x', b: 'y' }, { a: 'x', c: 'y' });
  assert.ok(named.state === 'different' && named.kind === 'entries');
  const content = await likeness({ a: 'x', b: 'y' }, { a: 'x', b: 'z' });
  assert.ok(content.state === 'different' && content.what.startsWith('b: '));
});

test('images are compared by their pixels', async () => {
  const image = (red: number, compressionLevel: number) =>
    sharp({ create: { width: 20, height: 20, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png({ compressionLevel })
      .toBuffer();
  assert.equal((await compareBytes(await image(9, 0), await image(9, 9), RUN)).state, 'judged-equal');
  const other = await compareBytes(await image(9, 0), await image(10, 0), RUN);
  assert.ok(other.state === 'different' && other.kind === 'pixels');
});
