import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATALOGUE } from './catalogue.ts';
import { plainLine, plainMediaType, plainText, safeName } from './plain-words.ts';

test('names that the service gives stay as they are', () => {
  let seen = 0;
  for (const [path, { result, params }] of Object.entries(CATALOGUE)) {
    const [type = ''] = result.mediaTypes;
    const names = [
      ...(result.name === undefined ? [] : [result.name]),
      // Formats that a field chooses are endings of the result.
      ...params
        .filter(({ name }) => /^(?:outputFormat|imageFormat|format)$/.test(name) && !/pdfa$|epub$/.test(path))
        .flatMap(({ values = [] }) => values.map((value) => `<name>.${value}`)),
    ];
    for (const name of names.map((each) => each.replace('<name>', 'Bérich 1.0 (日)'))) {
      if (name.endsWith('.rtf')) continue;
      assert.equal(safeName(name, type), name, `${path} ${type}`);
      seen += 1;
    }
  }
  assert.ok(seen > 80, String(seen));
  assert.equal(safeName('a.rtf', 'application/octet-stream'), 'a.rtf');
  assert.equal(safeName('mail.eml.html', 'text/html'), 'mail.eml.html');
});

test('whatever is sent, a name is short, has no folder, begins plainly and ends as its type does', () => {
  const letters = [
    '.',
    '-',
    '/',
    '\\',
    ':',
    ' ',
    '~',
    '\u202e',
    '\u0000',
    '\u001b',
    '\u2028',
    'a',
    'NUL',
    'é',
    '日',
    '\ud800',
    '😀',
  ];
  let seed = 7;
  const next = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let turn = 0; turn < 5000; turn += 1) {
    const sent = Array.from({ length: next(12) }, () => letters[next(letters.length)]).join('');
    const name = safeName(sent, 'application/pdf');
    assert.match(name, /^[^\s.~\-/\\:][^/\\:\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*\.pdf$/u, JSON.stringify(sent));
    assert.ok(Buffer.byteLength(name) <= 250);
    assert.equal(safeName(name, 'application/pdf'), name, 'a safe name stays');
  }
});

test('long words cost little', () => {
  const begun = performance.now();
  const long = '\u202e.-a '.repeat(1_000_000);
  assert.ok(plainLine(long).length <= 2000);
  assert.ok(safeName(long, 'application/pdf').length <= 180);
  plainText(long);
  assert.equal(plainMediaType(`${'a'.repeat(5_000_000)}/b`), 'application/octet-stream');
  assert.ok(performance.now() - begun < 5000);
});

test('lines and tabs of text stay, and nothing else that is unseen', () => {
  assert.equal(plainText('a\tb\r\nc\fd\u001b[2Je\u200d'), 'a\tb\nc\nd[2Je');
  assert.equal(plainLine('a\r\nb\u2028c\u202ed'), 'a b cd');
});
