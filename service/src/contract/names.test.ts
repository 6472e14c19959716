import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseName, contentDisposition, safeName, uniqueNames } from './names.ts';

test('a name loses its path, control characters and length', () => {
  const cases: [string | undefined, string][] = [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\docs\\a.pdf', 'a.pdf'],
    ['a\u0000b\n.pdf', 'ab.pdf'],
    ['gnp\u202efdp.exe', 'gnpfdp.exe'],
    ['a\u200f\u061c\ufeff\u{e0041}b\u200dc.pdf', 'ab\u200dc.pdf'],
    ['', 'document'],
    [undefined, 'document'],
    ['..', 'document'],
    ['folder/', 'document'],
    ['x'.repeat(300), 'x'.repeat(180)],
    ['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(180)],
  ];
  for (const [given, wanted] of cases) assert.equal(safeName(given), wanted);
});

test('the base is the name without its last extension', () => {
  assert.equal(baseName('a.b.pdf'), 'a.b');
  assert.equal(baseName('.hidden'), '.hidden');
  assert.equal(baseName('plain'), 'plain');
});

test('a disposition has an ASCII form and a UTF-8 form', () => {
  assert.equal(
    contentDisposition('Zürich "1" \\ (a)*.pdf'),
    'attachment; filename="Z_rich _1_ _ (a)*.pdf"; filename*=UTF-8\'\'Z%C3%BCrich%20%221%22%20%5C%20%28a%29%2A.pdf',
  );
  assert.match(contentDisposition('\u{1f600}.pdf'), /filename="_\.pdf"/);
});

test('equal names in an archive are numbered', () => {
  assert.deepEqual(uniqueNames(['a.pdf', 'a.pdf', 'A.pdf', 'a_1.pdf', 'b']), [
    'a.pdf',
    'a_1.pdf',
    'A_2.pdf',
    'a_1_1.pdf',
    'b',
  ]);
});
