import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../../testing/documents/collection.ts';
import { askProgram, missing, qpdfObjects } from '../../../../testing/oracles/programs.ts';
import { CffFont } from './cff.ts';
import { readIndex } from './cff-structures.ts';
import { unlessDamaged } from './damage.ts';
import { readFontProgram } from './font-program.ts';
import type { FontProgram, Shown, SubsetOptions } from './subset.ts';
import { TrueTypeFont } from './truetype.ts';
import { readType1, type1Width } from './type1.ts';
import { readCalls } from './type1-charstrings.ts';
import { CharstringReader } from './type2-charstrings.ts';

const NOTHING = readIndex(Buffer.alloc(2), 0);
/** Numbers from -107 to 107 take one byte in an outline. */
const n = (value: number): number => value + 139;

const CFF_OUTLINES: [name: string, bytes: number[], components: number[] | undefined][] = [
  ['a line', [n(1), n(2), 21, n(3), 6, 14], []],
  ['a letter and an accent', [n(0), n(5), n(65), 247, 85, 14], [65, 193]],
  [
    'masks of hints are passed over',
    [n(0), n(1), 18, n(2), n(3), 19, 12, n(0), n(5), n(65), n(66), 14],
    [65, 66],
  ],
  ['operators that reckon are not followed', [n(1), n(2), 12, 10, 14], undefined],
  ['calls of what is not there', [n(1), 10], undefined],
];
for (const [name, bytes, components] of CFF_OUTLINES) {
  test(`CFF outlines: ${name}`, () => {
    const reader = new CharstringReader(Buffer.from(bytes), NOTHING, NOTHING);
    const isUnderstood = reader.follow(0, bytes.length);
    assert.deepEqual(isUnderstood ? [...reader.called.components] : undefined, components);
  });
}

const TYPE1_OUTLINES: [name: string, bytes: number[], called: ReturnType<typeof readCalls>][] = [
  ['a line', [n(0), n(100), 13, n(5), 6, 9, 14], { components: [], subrs: [] }],
  ['a letter and an accent', [n(0), n(1), n(2), n(65), 247, 85, 12, 6], { components: [65, 193], subrs: [] }],
  ['a piece', [n(5), 6, n(7), 10, 14], { components: [], subrs: [7] }],
  [
    'a piece that is called by way of another program',
    [n(9), n(1), n(3), 12, 16, 12, 17, 10, 14],
    { components: [], subrs: [9, 1, 3] },
  ],
  ['a call of what nobody knows', [n(5), 6, 10], undefined],
  ['an outline that ends early', [255, 0], undefined],
];
for (const [name, bytes, called] of TYPE1_OUTLINES) {
  test(`Type 1 outlines: ${name}`, () => assert.deepEqual(readCalls(Uint8Array.from(bytes)), called));
}

/** The font programs of a file. */
function programsIn(file: string): Buffer[] {
  const bytes = readFileSync(fixture(file));
  const objects = qpdfObjects(bytes);
  return Object.values(objects).flatMap(({ value }) => {
    const descriptor = (value ?? {}) as Record<string, string>;
    const ref = descriptor['/FontFile'] ?? descriptor['/FontFile2'] ?? descriptor['/FontFile3'];
    if (!ref) return [];
    const hex = askProgram(
      'qpdf',
      ['--json', '--json-key=qpdf', '--json-stream-data=inline', `--json-object=${ref.split(' ')[0]}`, '{}'],
      bytes,
    );
    const { qpdf } = JSON.parse(hex) as { qpdf: [unknown, Record<string, { stream: { data: string } }>] };
    return [Buffer.from(qpdf[1][`obj:${ref}`]?.stream.data ?? '', 'base64')];
  });
}

interface Told {
  file: string;
  md5: string;
  kind: 'cff' | 'truetype' | 'type1';
  glyphs: number;
  widths: Record<string, number>;
  sum: number;
}

/** Glyphs by name, CID or number, and their widths. */
function widthsIn(kind: Told['kind'], bytes: Buffer): [string, number][] {
  if (kind === 'type1') {
    const font = readType1(bytes) ?? assert.fail();
    return font.charstrings.map((each) => [each.name, type1Width(font, each) ?? Number.NaN]);
  }
  const font = kind === 'cff' ? new CffFont(bytes) : (TrueTypeFont.read(bytes) ?? assert.fail());
  const names = font instanceof CffFont ? (font.names ?? font.charset) : undefined;
  return Array.from({ length: font.glyphCount }, (_, glyph) => [
    String(names?.[glyph] ?? glyph),
    font.width(glyph) ?? Number.NaN,
  ]);
}

test('glyphs and widths are those that fontTools finds', { skip: missing('qpdf') }, () => {
  const told = JSON.parse(readFileSync(fixture('font-program-facts.json'), 'utf8')) as Told[];
  const round = (width: number): number => Math.round(width * 100) / 100;
  for (const { file, md5, kind, glyphs, widths, sum } of told) {
    const program = programsIn(file).find((bytes) =>
      createHash('md5').update(bytes).digest('hex').startsWith(md5),
    );
    const found = widthsIn(kind, program ?? assert.fail(`no ${md5} in ${file}`));
    assert.equal(found.length, glyphs);
    const byName = new Map(found);
    for (const [name, width] of Object.entries(widths))
      assert.equal(round(byName.get(name) ?? -1), width, name);
    assert.equal(round(found.reduce((all, [, width]) => all + width, 0)), sum);
  }
});

const LETTERS: Shown[] = [...'ABCabc'].map((character) => ({
  kind: 'simple',
  code: character.charCodeAt(0),
  name: undefined,
  characters: [character],
  firstCode: 0,
}));
const NUMBERS: Shown[] = [1, 2, 3].map((cid) => ({ kind: 'cid', cid, glyph: undefined }));

function cut(program: FontProgram | undefined, options?: SubsetOptions): Uint8Array | undefined {
  return unlessDamaged(() => {
    const glyphs = [...LETTERS, ...NUMBERS].flatMap((shown) => program?.glyphsOf(shown) ?? []);
    return program?.select(new Set(glyphs))?.cut(options).bytes;
  });
}

const skip = missing('qpdf');

for (const file of ['embedded-fonts.pdf', 'type1-fonts.pdf', 'type1c-fonts.pdf']) {
  test(`what is cut from the programs of ${file} can be read and cut again`, { skip }, () => {
    const programs = programsIn(file);
    assert.ok(programs.length > 0);
    for (const bytes of programs) {
      const once = cut(readFontProgram(bytes));
      assert.ok(once && once.length <= bytes.length);
      assert.deepEqual(cut(readFontProgram(Buffer.from(once))), once);
      const tight = cut(readFontProgram(bytes), { tight: true });
      assert.ok(tight && tight.length <= once.length);
      assert.ok(cut(readFontProgram(Buffer.from(tight))));
    }
  });

  test(`damage anywhere in the programs of ${file} does no harm`, { skip }, () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48271) % 0x7fffffff;
      return seed % below;
    };
    for (const bytes of programsIn(file)) {
      for (let round = 0; round < 60; round += 1) {
        const damaged = Buffer.from(bytes.subarray(0, round % 4 === 0 ? random(bytes.length) : bytes.length));
        const reach = round % 2 === 0 ? damaged.length : Math.min(damaged.length, 600);
        for (let hit = 0; hit < 8 && reach > 4; hit += 1) damaged[4 + random(reach - 4)] = random(256);
        const program = readFontProgram(damaged);
        cut(program);
        cut(program, { tight: true });
      }
    }
  });
}
