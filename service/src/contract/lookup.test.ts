import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lookup } from './lookup.ts';

test('a table has its own entries and nothing that objects inherit', () => {
  const table = lookup({ red: 1, toString: 2 });
  assert.equal(table.red, 1);
  assert.equal(table.toString, 2);
  for (const word of ['constructor', '__proto__', 'hasOwnProperty', 'valueOf'])
    assert.equal(table[word], undefined, word);
});

const SOURCE = new URL('../', import.meta.url).pathname;
/** Where words of documents are looked up. Settings of LibreOffice are written, never looked up. */
const FOLDERS = ['pdf', 'engines', 'layout', 'writers', 'mail', 'ebook', 'markup', 'procedures'];
const WRITTEN = 'engines/office/profile.ts';

/** At the top of a file: `const TABLE: Record<string, ...> = {`. */
const TABLE =
  /^(?:export )?const \w+: (?:Readonly<)?(?:Partial<)?Record<string,[^=;]*> = (?:\{|Object\.fromEntries\()/m;

test('every table over words of documents is made by it', () => {
  const plain = FOLDERS.flatMap((folder) =>
    readdirSync(`${SOURCE}${folder}`, { recursive: true })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /(?<!\.test)\.ts$/.test(file) && file !== WRITTEN)
      .filter((file) => TABLE.test(readFileSync(`${SOURCE}${file}`, 'utf8'))),
  );
  assert.deepEqual(plain, []);
});
