// Object numbers and generations as high as they can be written, wherever a file can say them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { missing, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { Dict } from '../../pdf/objects.ts';
import { createQpdf } from './qpdf.ts';

const HIGHEST = 2 ** 31 - 1;
const skip = missing('qpdf');

const PAGES = [
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
];

interface Row {
  number: number;
  kind: 1 | 2;
  second: number;
  third: number;
}

/** A page whose cross-references are a stream; with one more object, packed in a stream where so asked. */
function withXrefStream(
  number: number,
  options: { packed?: boolean; size?: number; catalog?: string } = {},
): Buffer {
  let body = '%PDF-1.7\n';
  const rows: Row[] = [];
  const add = (own: number, text: string): void => {
    rows.push({ number: own, kind: 1, second: body.length, third: 0 });
    body += `${own} 0 obj\n${text}\nendobj\n`;
  };
  const catalog = `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`;
  for (const [index, text] of [catalog, ...PAGES].entries()) add(index + 1, text);
  if (options.packed) {
    const head = `${number} 0 `;
    const held = `${head}(high)`;
    add(
      4,
      `<< /Type /ObjStm /N 1 /First ${head.length} /Length ${held.length} >>\nstream\n${held}\nendstream`,
    );
    rows.push({ number, kind: 2, second: 4, third: 0 });
  } else add(number, '(high)');
  const at = body.length;
  rows.push({ number: 5, kind: 1, second: at, third: 0 });
  const data = Buffer.concat(
    rows.map(({ kind, second, third }) => {
      const row = Buffer.alloc(6);
      row.writeUInt8(kind, 0);
      row.writeUInt32BE(second, 1);
      row.writeUInt8(third, 5);
      return row;
    }),
  );
  const index = rows.map((row) => `${row.number} 1`).join(' ');
  const size = options.size ?? number + 1;
  const dict = `<< /Type /XRef /Root 1 0 R /Size ${size} /W [1 4 1] /Index [${index}] /Length ${data.length} >>`;
  return Buffer.concat([
    Buffer.from(`${body}5 0 obj\n${dict}\nstream\n`),
    data,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
}

const high = (from: string, to: string): Buffer =>
  Buffer.from(
    onePage({ more: ['(high)'] })
      .toString('latin1')
      .replace(from, to),
    'latin1',
  );

const FILES: Record<string, Buffer> = {
  'a stream of cross-references up to the highest number': withXrefStream(HIGHEST - 1),
  'a stream of cross-references that understates its size': withXrefStream(HIGHEST - 1, { size: 6 }),
  'the highest number of all': withXrefStream(HIGHEST),
  'a number beyond 32 bits': withXrefStream(2 ** 32 + 1),
  'the highest number in a stream of objects': withXrefStream(HIGHEST - 1, { packed: true }),
  'a size without objects': high('/Size 6', `/Size ${HIGHEST}`),
  'a size beyond 32 bits': high('/Size 6', '/Size 99999999999'),
  'no number for a size': high('/Size 6', '/Size (six)'),
  'a section of a table that begins beyond all numbers': high('xref\n0 6', `xref\n${HIGHEST} 6`),
  'a section of a table with as many rows as there are numbers': high('xref\n0 6', `xref\n0 ${HIGHEST}`),
  'a reference to the highest number': onePage({ catalog: `/High ${HIGHEST} 0 R` }),
  'a reference to the highest number but one': onePage({ catalog: `/High ${HIGHEST - 1} 0 R` }),
  'a reference beyond 32 bits': onePage({ catalog: '/High 99999999999999999999 0 R' }),
  'the highest generation': high('5 0 obj', '5 65535 obj'),
  'a generation beyond 16 bits': onePage({ catalog: `/High 5 ${HIGHEST} R` }),
  'a generation beyond 32 bits': onePage({ catalog: '/High 5 99999999999 R' }),
};

for (const [what, bytes] of Object.entries(FILES)) {
  test(`${what}: objects are added, or it is refused`, { skip }, () => {
    const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail('small') });
    try {
      const doc = engine.open(new InputFile('given.pdf', { bytes }));
      const other = engine.create();
      for (let count = 0; count < 5; count += 1) {
        doc.addStream(new Dict(), Buffer.from('words'));
        doc.edit(doc.catalogRef).set(`Added${count}`, doc.add(new Dict()));
        other.setPages(doc.pages().map((page) => other.copyFrom(doc, page)));
      }
      for (const options of [{}, { linearize: true }, { objectStreams: 'generate' }] as const) {
        const made = doc.save(options);
        assert.ok('bytes' in made);
        qpdfCheck(made.bytes, { tolerant: true });
      }
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      assert.equal(error.reason, 'invalid_pdf');
    } finally {
      closeAll();
    }
  });
}

test('a document with the highest number but one is numbered anew, and nothing of it is lost', {
  skip,
}, () => {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail('small') });
  const bytes = withXrefStream(HIGHEST - 1, { catalog: `/High ${HIGHEST - 1} 0 R` });
  const doc = engine.open(new InputFile('given.pdf', { bytes }));
  doc.addStream(new Dict(), Buffer.from('words'));
  const made = doc.save();
  assert.ok('bytes' in made);
  qpdfCheck(made.bytes);
  assert.match(Buffer.from(made.bytes).toString('latin1'), /\(high\)/);
  closeAll();
});
