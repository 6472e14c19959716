// Documents that try to keep a word from being redacted: nothing of it may be found in any result, by any tool.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../testing/calls/run-here.ts';
import { askProgram, missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { CHEATS } from '../../../testing/redaction/redaction-attacks.ts';

const skip = missing('pdftotext', 'qpdf');
const withMutool = missing('mutool') === false;

/** A word as it may stand in a file: plain, in UTF-16, in hexadecimal. */
function spellings(word: string): string[] {
  const lower = word.toLowerCase();
  const bytes = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
  const wide = (text: string): string => [...text].map((letter) => `\0${letter}`).join('');
  return [lower, wide(lower), bytes(lower), bytes(word), bytes(wide(lower)), bytes(wide(word))].map((text) =>
    text.toLowerCase(),
  );
}

/** Strings of content streams run together: letters apart in TJ make words again. */
function shownStrings(dump: string): string {
  return [...dump.matchAll(/<([0-9a-f]+)>|\(((?:[^()\\]|\\.)*)\)/gi)]
    .map(([, hex, literal]) =>
      hex === undefined ? (literal ?? '') : Buffer.from(hex, 'hex').toString('latin1'),
    )
    .join('');
}

for (const { what, bytes, term = 'SECRET', stays = [], countsNothing = false } of CHEATS) {
  test(`${what}: nothing is found`, { skip }, async () => {
    const ran = await runHere('security/auto-redact', {
      files: { fileInput: { name: 'cheat.pdf', bytes } },
      params: { listOfText: term },
    });
    assert.equal(ran.state, 'made', JSON.stringify(ran));
    if (ran.state !== 'made') return;
    qpdfCheck(ran.bytes);
    assert.equal(Number(ran.result.headers['X-Redaction-Count']) === 0, countsNothing);
    const dump = askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], ran.bytes, [0, 3]);
    const found: Record<string, string> = {
      pdftotext: pdftotext(ran.bytes),
      'pdftotext -raw': pdftotext(ran.bytes, '-raw'),
      'pdftotext -layout': pdftotext(ran.bytes, '-layout'),
      'the file itself': ran.bytes.toString('latin1'),
      'qpdf --qdf': dump,
      'strings of qpdf --qdf': shownStrings(dump),
      ...(withMutool ? { mutool: askProgram('mutool', ['draw', '-q', '-F', 'text', '{}'], ran.bytes) } : {}),
    };
    for (const [tool, text] of Object.entries(found)) {
      const plain = text.toLowerCase().replace(/-\n/g, '').replace(/\n/g, ' ');
      for (const spelling of spellings(term))
        assert.ok(!plain.includes(spelling), `${tool} finds ${JSON.stringify(spelling)}`);
      if (tool.startsWith('pdftotext'))
        assert.ok(
          !plain.replace(/\s/g, '').includes(term.toLowerCase().replace(/\s/g, '')),
          `${tool}, blanks apart`,
        );
    }
    for (const word of stays) assert.match(found.pdftotext ?? '', new RegExp(word), 'other text stays');
  });
}
