import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from './bounded-json.ts';

const nested = (levels: number, inner: string): string => '['.repeat(levels) + inner + ']'.repeat(levels);

test('JSON within bounds is read as it is', () => {
  for (const text of [
    '{"a":[1,"]}[{,:\\"",null]}',
    ' [ ] ',
    '"\\\\"',
    '7',
    nested(64, '1'),
    nested(65, ''),
    '{"__proto__":{"a":1}}',
  ])
    assert.deepEqual(readJson(text), { value: JSON.parse(text) });
});

test('what is too deep, too much or none is told', () => {
  const names = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
  const faults: [string, RegExp][] = [
    [nested(65, '1'), /nests deeper than 64 levels/],
    [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, /nests deeper/],
    [`[${'1,'.repeat(250_000)}1]`, /more than 250000 values/],
    [names(20_001), /more than 20000 names/],
    [`"${'x'.repeat(1024 * 1024)}"`, /larger than 1048576 bytes/],
    ['[1,', /not valid JSON/],
    ['', /not valid JSON/],
  ];
  for (const [text, fault] of faults) {
    const read = readJson(text);
    assert.match('fault' in read ? read.fault : 'it was read', fault, text.slice(0, 40));
  }
});
