// Font programs that were cut off, as validation sees them. veraPDF takes what is not whole for not embedded.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../../testing/documents/collection.ts';
import { fileInMemory } from '../../../contract/files.ts';
import { createQpdf } from '../../../engines/qpdf/qpdf.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import { Dict, Ref } from '../../objects.ts';
import { checkConformance } from '../check.ts';
import { standardOf } from '../standards.ts';
import { Subject } from '../validation-context.ts';

const NOT_EMBEDDED = '6.2.11.4.1-1';

/** How many fonts are told to be missing when only this part of each program is left. */
function missingFonts(file: string, part: number): number {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
  try {
    const bytes = readFileSync(fixture(file));
    const doc = engine.open(fileInMemory('a.pdf', bytes));
    if (part < 1) for (const ref of programsIn(doc)) cut(doc, ref, part);
    const { failures } = checkConformance(new Subject(doc, bytes, { isEncrypted: false }), standardOf('2b'));
    return failures.filter(({ ruleId }) => ruleId === NOT_EMBEDDED).length;
  } finally {
    closeAll();
  }
}

function programsIn(doc: QpdfDocument): Ref[] {
  return [...doc.allRefs()].flatMap((ref) => {
    const dict = doc.get(ref);
    if (!(dict instanceof Dict)) return [];
    return ['FontFile', 'FontFile2', 'FontFile3'].flatMap((key) => {
      const program = dict.get(key);
      return program instanceof Ref ? [program] : [];
    });
  });
}

function cut(doc: QpdfDocument, ref: Ref, part: number): void {
  const { bytes } = doc.streamData(ref);
  doc.replaceStreamData(ref, Uint8Array.from(bytes.subarray(0, Math.floor(bytes.length * part))));
}

for (const [file, fonts] of [
  ['type1-fonts.pdf', 3],
  ['type1c-fonts.pdf', 3],
] as const)
  test(`fonts of ${file} that were cut off are not embedded`, () => {
    assert.equal(missingFonts(file, 1), 0);
    assert.equal(missingFonts(file, 0.95), fonts);
    assert.equal(missingFonts(file, 0.6), fonts);
  });
