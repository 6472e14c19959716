import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '../../contract/log.ts';
import { findData, probe } from './program.ts';
import { createTesseract } from './tesseract.ts';

const { available } = await probe();
const skip = !available && 'not installed: tesseract';

function inFolder<T>(use: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-tesseract-'));
  const end = () => rmSync(dir, { recursive: true, force: true });
  const made = use(dir);
  if (made instanceof Promise) return made.finally(end) as T;
  end();
  return made;
}

test('languages are those whose data is there, by safe names', () => {
  inFolder((dir) => {
    mkdirSync(join(dir, 'script'));
    for (const name of ['eng', 'osd', 'chi_sim', '-l', 'a b'])
      writeFileSync(join(dir, `${name}.traineddata`), '');
    writeFileSync(join(dir, 'script', 'Latin.traineddata'), '');
    writeFileSync(join(dir, 'readme.txt'), '');
    assert.deepEqual(findData([join(dir, 'nowhere'), dir]), {
      folder: dir,
      languages: ['chi_sim', 'eng', 'script/Latin'],
      canOrient: true,
    });
    assert.equal(findData([join(dir, 'nowhere')]), undefined);
  });
});

const rubbish: [name: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('no picture\n/etc/passwd\n')],
  ['a picture cut short', Buffer.from('P5\n2000 2000\n255\n')],
  ['a picture larger than memory', Buffer.from('P5\n4000000 4000000\n255\nxx')],
];
for (const [name, bytes] of rubbish) {
  test(`no words and no fault: ${name}`, { skip }, () =>
    inFolder(async (dir) => {
      const path = join(dir, 'picture.pgm');
      writeFileSync(path, bytes);
      const engine = createTesseract({ log: createLog('silent') });
      const read = await engine.recognise(path, { languages: ['eng'], dpi: 300 });
      assert.deepEqual(read?.paragraphs ?? [], []);
      assert.equal(await engine.orientation(path, 300), undefined);
    }),
  );
}
