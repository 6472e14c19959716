import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';
import { parseCsv } from '../../../../testing/oracles/tables.ts';

const TABLES = fixture('tables.pdf');
const xlsx = (file: string, params: Record<string, string> = {}) =>
  runHere('convert/pdf/xlsx', { files: { fileInput: file }, params });

/** The system's packages are seen by the system's own Python only. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import openpyxl']).status === 0,
);
const noOpenpyxl = python === undefined && 'not installed: python3-openpyxl';

/** The workbook as openpyxl reads it. */
const READ = `
import json, shutil, sys, openpyxl
shutil.copy(sys.argv[1], sys.argv[1] + '.xlsx')
book = openpyxl.load_workbook(sys.argv[1] + '.xlsx')
print(json.dumps([{
  'name': sheet.title,
  'rows': [[cell.value for cell in row] for row in sheet.iter_rows()],
  'types': sorted({cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None}),
  'bold': [any(cell.font.b for cell in row if cell.value is not None) for row in sheet.iter_rows()],
  'merged': sorted(str(each) for each in sheet.merged_cells.ranges),
  'widths': [sheet.column_dimensions[chr(65 + i)].width for i in range(sheet.max_column)],
} for sheet in book]))
`;

interface ReadSheet {
  name: string;
  rows: (string | null)[][];
  types: string[];
  bold: boolean[];
  merged: string[];
  widths: number[];
}

const read = (bytes: Uint8Array): ReadSheet[] =>
  JSON.parse(askProgram(python ?? 'python3', ['-c', READ, '{}'], bytes)) as ReadSheet[];

test('one sheet per table, named by page and number; cells are text', { skip: noOpenpyxl }, async () => {
  const ran = await xlsx(TABLES);
  assert.equal(madeName(ran), 'tables.xlsx');
  const sheets = read(made(ran));
  assert.deepEqual(
    sheets.map(({ name, rows }) => [name, rows.length]),
    [
      ['Page 1 Table 1', 5],
      ['Page 1 Table 2', 4],
      ['Page 2', 71],
    ],
  );
  const [spans, fruit] = sheets;
  assert.deepEqual(spans?.merged, ['A1:A2', 'A3:A4', 'B1:C1', 'B5:C5', 'D1:E1']);
  assert.deepEqual(spans?.bold, [true, true, false, false, false]);
  // What looks like a number or a formula stays what is printed.
  assert.deepEqual(fruit?.rows.slice(2), [
    ['Plums', 'Eaten at once', '012'],
    ['Cherries <sour>', 'Pressed & bottled', '=4+3'],
  ]);
  for (const { types } of sheets) assert.deepEqual(types, ['s']);
  assert.ok((fruit?.widths[1] ?? 0) > (fruit?.widths[0] ?? 0));
});

test('LibreOffice opens it and finds the same', { skip: missing('soffice') }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-xlsx-'));
  try {
    const ran = await xlsx(TABLES, { pageNumbers: '2-3' });
    writeFileSync(join(dir, 'book.xlsx'), made(ran));
    const { status, stderr } = spawnSync(
      'soffice',
      [
        `-env:UserInstallation=file://${dir}/profile`,
        '--headless',
        '--convert-to',
        'csv',
        '--outdir',
        dir,
        join(dir, 'book.xlsx'),
      ],
      { encoding: 'utf8', timeout: 120_000 },
    );
    assert.equal(status, 0, stderr);
    const rows = parseCsv(readFileSync(join(dir, 'book.csv'), 'utf8'));
    assert.equal(rows.length, 71);
    assert.deepEqual(rows[11], ['Item 11', 'Shelf 12', '407.1', '1,001']);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('the pages asked for only; without tables nothing', async () => {
  assert.equal((await xlsx(TABLES, { pageNumbers: '4' })).state, 'nothing');
  assert.equal((await xlsx(fixture('text-two-pages.pdf'))).state, 'nothing');
  assert.equal(failed(await xlsx(TABLES, { pageNumbers: '9' })).reason, 'page_out_of_range');
  assert.equal(failed(await xlsx(TABLES, { pageNumbers: 'x' })).reason, 'invalid_page_selection');
});

test('equal documents give equal bytes', async () => {
  const [one, other] = [await xlsx(TABLES), await xlsx(TABLES)];
  assert.ok(made(one).equals(made(other)));
});
