import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { missing } from '../../../../testing/oracles/programs.ts';
import { FontFile } from '../../../engines/text/font-file.ts';
import { readUnicodeCmap } from './cmap-table.ts';

/** What fontconfig says a font has: ranges in hexadecimal. */
function charset(path: string, index: number): [number, number][] {
  const { stdout } = spawnSync('fc-query', ['--index', String(index), '--format', '%{charset}', path], {
    encoding: 'utf8',
  });
  return stdout
    .trim()
    .split(' ')
    .map((range) => {
      const [first = 0, last = first] = range.split('-').map((number) => Number.parseInt(number, 16));
      return [first, last];
    });
}

for (const [path, index] of [
  ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', 0],
  ['/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf', 0],
  ['/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf', 0],
  ['/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf', 0],
  ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 2],
] as const) {
  const skip = missing('fc-query') || (!existsSync(path) && `not installed: ${path}`);
  test(`fontconfig sees the same characters in ${path}`, { skip }, () => {
    const map = FontFile.with(path, (file) => {
      const { tables } = file.face(file.faceOffsets()[index] ?? 0);
      return readUnicodeCmap(file.table(tables, 'cmap', 1 << 22) ?? Buffer.alloc(4));
    });
    const ranges = charset(path, index);
    assert(ranges.length > 1);
    for (const [first, last] of ranges) {
      for (let code = first; code <= last; code += 1) {
        // Controls have glyphs in some fonts; nobody draws them.
        if (code >= 0x20) assert(map.glyph(code) !== 0, `has U+${code.toString(16)}`);
      }
    }
    let previous = 0x1f;
    for (const [first, last] of ranges) {
      for (const code of [previous + 1, first - 1]) {
        if (code > previous && code < first && code > 0xa0)
          assert.equal(map.glyph(code), 0, `lacks U+${code.toString(16)}`);
      }
      previous = last;
    }
  });
}

test('a damaged table has no characters', () => {
  assert.equal(readUnicodeCmap(Buffer.alloc(4)).glyph(65), 0);
  const beyond = Buffer.from('000000010003000100ffffff', 'hex');
  assert.equal(readUnicodeCmap(beyond).glyph(65), 0);
});
