// Messages of Outlook whose chains and sizes lie: reading them takes no more time and memory than their size warrants.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { corpusFolder, noCorpus, WHOLE_COLLECTION } from '../../testing/documents/collection.ts';
import { compoundFile, LYING_COMPOUND_FILES } from '../../testing/documents/compound-file.ts';
import { isBounded } from './compound-bounds.ts';
import { looksLikeMsg, readMsg } from './msg.ts';

test('a sound file is read', () => {
  const file = compoundFile();
  assert.ok(looksLikeMsg(file) && isBounded(file));
  assert.equal(readMsg(file)?.files.length, 0);
});

for (const [what, parts] of Object.entries(LYING_COMPOUND_FILES)) {
  test(`refused at once: ${what}`, () => {
    const file = compoundFile(parts);
    assert.ok(looksLikeMsg(file));
    assert.equal(readMsg(file), undefined);
  });
}

const GENUINE = new URL('tika__testMSG_att_doc.msg', corpusFolder('mail'));

test('a message with numbers changed here and there is read or refused, in little memory', {
  skip: noCorpus(),
}, () => {
  assert.ok(isBounded(readFileSync(GENUINE)), 'as it is');
  const script = `
    import { readFileSync } from 'node:fs';
    import { looksLikeMsg, readMsg } from ${JSON.stringify(new URL('msg.ts', import.meta.url))};
    const genuine = readFileSync(new URL(${JSON.stringify(GENUINE)}));
    let seed = 1;
    const random = (below) => {
      seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
      return (seed >>> 0) % below;
    };
    for (let round = 0; round < ${WHOLE_COLLECTION ? 1500 : 400}; round += 1) {
      const file = Buffer.from(genuine);
      for (let changes = 1 + random(8); changes > 0; changes -= 1) {
        const at = (random(3) === 0 ? random(512) : random(file.length - 4)) & ~3;
        const values = [random(110), random(20), 0xfffffffe, 0x7fffffff, 0x10000000, random(2 ** 31), 0];
        file.writeUInt32LE(values[random(values.length)], at);
      }
      try {
        if (looksLikeMsg(file)) readMsg(file);
      } catch {}
    }`;
  const args = [
    '--max-old-space-size=150',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
  ];
  const ran = spawnSync(process.execPath, [...args, script], { timeout: 120_000, encoding: 'utf8' });
  assert.equal(ran.status, 0, `${ran.signal ?? ''} ${ran.stderr.slice(0, 500)}`);
});
