import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setWidths } from './substitute-parts.ts';

test('a font that tells of more widths than it has gets those it has', () => {
  const hhea = Buffer.alloc(36);
  hhea.writeUInt16BE(9, 34);
  const maxp = Buffer.alloc(6);
  maxp.writeUInt16BE(4, 4);
  const hmtx = Buffer.from([0, 100, 0, 1, 0, 200, 0, 2]);
  const tables = new Map([
    ['hhea', hhea],
    ['maxp', maxp],
    ['hmtx', hmtx],
  ]);
  setWidths(tables, new Map([[3, 500]]), 1000);
  const made = tables.get('hmtx') ?? Buffer.of();
  assert.deepEqual(
    [0, 1, 2, 3].map((glyph) => made.readUInt16BE(glyph * 4)),
    [100, 200, 200, 500],
  );
  const none = new Map([...tables, ['hmtx', Buffer.of(0, 1)]] as [string, Buffer][]);
  setWidths(none, new Map([[1, 5]]), 1000);
  assert.equal(none.get('hmtx')?.length, 2);
});
