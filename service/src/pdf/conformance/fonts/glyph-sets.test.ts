// CharSet of Type 1 subsets: part 1 asks that it lists the glyphs that are shown, later parts all of the program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../../testing/documents/collection.ts';
import { fileInMemory } from '../../../contract/files.ts';
import { createQpdf } from '../../../engines/qpdf/qpdf.ts';
import { PdfString, Ref } from '../../objects.ts';
import { checkConformance } from '../check.ts';
import { standardOf } from '../standards.ts';
import { Subject } from '../validation-context.ts';

const RULES = [
  ['1b', '6.3.5-2'],
  ['2b', '6.2.11.4.2-1'],
  ['ua1', '7.21.4.2-1'],
] as const;

/** Which standards find fault when the CharSet of a font is made from the names its program has and shows. */
function faults(
  file: string,
  charSet: (there: string[], shown: Set<string>) => string | undefined,
): string[] {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
  try {
    const bytes = readFileSync(fixture(file));
    const doc = engine.open(fileInMemory('a.pdf', bytes));
    const [font] = new Subject(doc, bytes, { isEncrypted: false }).fonts;
    const program = font?.program;
    assert.ok(program && (program.kind === 'type1' || program.kind === 'cff'));
    const names =
      program.kind === 'type1'
        ? program.font.charstrings.map(({ name }) => name)
        : (program.font.names ?? []);
    const made = charSet(
      names.filter((name) => name !== '.notdef'),
      new Set(font.allGlyphs().flatMap(({ glyphName }) => glyphName ?? [])),
    );
    const ref = font.font.get('FontDescriptor');
    assert.ok(ref instanceof Ref);
    const descriptor = doc.edit(ref);
    if (made === undefined) descriptor.delete('CharSet');
    else descriptor.set('CharSet', new PdfString(Buffer.from(made, 'latin1')));
    const subject = new Subject(doc, bytes, { isEncrypted: false });
    return RULES.flatMap(([standard, rule]) =>
      checkConformance(subject, standardOf(standard)).failures.some(({ ruleId }) => ruleId === rule)
        ? [standard]
        : [],
    );
  } finally {
    closeAll();
  }
}

const list = (names: Iterable<string>): string => [...names].map((name) => `/${name}`).join('');

for (const file of ['type1-fonts.pdf', 'type1c-fonts.pdf'])
  test(`what CharSet has to list, ${file}`, () => {
    assert.deepEqual(
      faults(file, (there) => list(there)),
      [],
    );
    assert.deepEqual(
      faults(file, (there) => `/.notdef ${list(there)}`),
      [],
      'with .notdef',
    );
    assert.deepEqual(
      faults(file, (there) => list([...there, 'Nobody'])),
      ['2b', 'ua1'],
      'more than there is',
    );
    assert.deepEqual(
      faults(file, (there, shown) => list(there.filter((name) => name !== [...shown][0]))),
      ['1b', '2b', 'ua1'],
      'less than is shown',
    );
    assert.deepEqual(
      faults(file, (there) => list(there).slice(1)),
      ['1b', '2b', 'ua1'],
      'no list',
    );
    assert.deepEqual(
      faults(file, () => undefined),
      ['1b'],
      'none',
    );
  });
