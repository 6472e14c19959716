import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import {
  askProgram,
  missing,
  pdfinfo,
  qpdfCheck,
  qpdfObjects,
} from '../../../../testing/oracles/programs.ts';
import { InputFile } from '../../../contract/files.ts';
import { createQpdf } from '../qpdf.ts';

const rights = { assembly: true, extract: true, accessibility: true, fillForms: true };
const allow = { ...rights, modify: false, annotate: true, print: true, printFaithful: true };
const LENGTHS = [0, 1, 15, 16, 17, 40_000, 16];

/** Strings and streams that are alike, of lengths around those of blocks. */
const given = onePage({
  page: `/Also [${LENGTHS.map((_, at) => `${at + 5} 0 R`).join(' ')} ${LENGTHS.length + 5} 0 R] /Same [${'(the same words) '.repeat(20)}]`,
  more: [
    ...LENGTHS.map((length) => streamOf('x'.repeat(length))),
    '<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <30820123456789> /Reason (no secret) >>',
  ],
});

function encrypted(keyLength: 128 | 256, ownerPassword?: string): Buffer {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => '' });
  const doc = engine.open(new InputFile('a.pdf', { bytes: given }));
  const content = doc.save({ encryption: { keyLength, userPassword: 'u', ownerPassword, allow } });
  closeAll();
  assert.ok('bytes' in content);
  return Buffer.from(content.bytes);
}

const skip = missing('qpdf', 'pdfinfo');

for (const keyLength of [128, 256] as const) {
  test(`${keyLength} bits: all can be read again, and nothing is encrypted alike`, { skip }, () => {
    const bytes = encrypted(keyLength);
    qpdfCheck(bytes, { password: 'u' });
    const plain = Buffer.from(askProgram('qpdf', ['--password=u', '--decrypt', '--qdf', '{}', '-'], bytes));
    const objects = Object.values(qpdfObjects(plain));
    const values = objects.map(({ value }) => value as Record<string, unknown> | undefined);
    const page = values.find((value) => value?.['/Type'] === '/Page');
    const same = page?.['/Same'] as string[];
    assert.deepEqual([...new Set(same)], ['u:the same words']);
    for (const length of LENGTHS) assert.match(plain.toString('latin1'), new RegExp(`\\nx{${length}}\\n`));
    const strings = [...bytes.toString('latin1').matchAll(/<([0-9a-f]{64})>/g)].map(([, text = '']) => text);
    const starts = strings.map((text) => text.slice(0, 32));
    assert.ok(strings.length >= 20);
    assert.equal(new Set(starts).size, starts.length);
    assert.equal(new Set(strings.map((text) => text.slice(32))).size, strings.length);
  });

  test(`${keyLength} bits: a signature is left as it stands, what else its dictionary says is not`, {
    skip,
  }, () => {
    const bytes = encrypted(keyLength);
    assert.match(bytes.toString('latin1'), /<30820123456789>/i);
    assert.doesNotMatch(bytes.toString('latin1'), /no secret/);
    const plain = askProgram('qpdf', ['--password=u', '--decrypt', '--qdf', '{}', '-'], bytes);
    assert.match(plain, /\/Contents <30820123456789>/);
    assert.match(plain, /\/Reason \(no secret\)/);
  });

  test(`${keyLength} bits: rights hold whether the owner's password is known or not`, { skip }, () => {
    for (const owner of [undefined, 'o']) {
      const bytes = encrypted(keyLength, owner);
      assert.match(pdfinfo(bytes, '-upw', 'u').Encrypted ?? '', /change:no/);
      for (const wrong of ['', 'x', 'undefined'])
        assert.throws(() => askProgram('qpdf', [`--password=${wrong}`, '--check', '{}'], bytes), wrong);
      assert.match(
        askProgram('qpdf', ['--password=u', '--show-encryption', '{}'], bytes),
        /modify anything: not allowed/,
      );
      if (owner)
        assert.match(
          askProgram('qpdf', ['--password=o', '--show-encryption', '{}'], bytes),
          /Supplied password is owner/,
        );
    }
  });
}
