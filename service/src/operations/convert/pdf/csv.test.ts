import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { failed, made, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpus, corpusFolder, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import {
  adjacency,
  cellsInPlace,
  f1,
  type Measured,
  measureTruths,
  parseCsv,
  readStructure,
  readTruths,
  tablesOfZip,
} from '../../../../testing/oracles/tables.ts';

const TABLES = fixture('tables.pdf');
const csv = (file: string, params: Record<string, string> = {}) =>
  runHere('convert/pdf/csv', { files: { fileInput: file }, params });

const SPANS =
  '"Country","2020","","2021",""\r\n"","N","%","N","%"\r\n"France","1","2","3","4"\r\n"","5","6","7","8"\r\n' +
  '"Spain","none, ""so far""","","9","10"\r\n';
const FRUIT =
  '"Fruit","Remark","Tonnes"\r\n"Apples","Stored in the cold until spring, then sold","1,204"\r\n' +
  '"Plums","Eaten at once","012"\r\n"Cherries <sour>","Pressed & bottled","=4+3"\r\n';

test('tables of a page follow each other, every value quoted, one blank line between', async () => {
  const ran = await csv(TABLES, { pageNumbers: '1' });
  assert.equal(made(ran).toString('utf8'), `${SPANS}\r\n${FRUIT}`);
  assert.equal(madeName(ran), 'tables_extracted.csv');
});

test('a table that goes on over pages is one, its head written once', async () => {
  const rows = parseCsv(made(await csv(TABLES, { pageNumbers: '2-3' })).toString('utf8'));
  assert.equal(rows.length, 71);
  assert.deepEqual(rows[0], ['Article', 'Place', 'Weight', 'Price']);
  assert.deepEqual(
    rows.slice(1).map(([item]) => item),
    Array.from({ length: 70 }, (_, i) => `Item ${i + 1}`),
  );
});

test('its second page alone has a head of its own', async () => {
  const rows = parseCsv(made(await csv(TABLES, { pageNumbers: '3' })).toString('utf8'));
  assert.deepEqual(rows[0], ['Article', 'Place', 'Weight', 'Price']);
  assert.equal(rows.at(-1)?.[0], 'Item 70');
});

test('as a ZIP each table is a file named by its page and number', async () => {
  const ran = await csv(TABLES, { output: 'zip' });
  assert.equal(madeName(ran), 'tables_extracted.zip');
  const bytes = made(ran);
  const names = [...bytes.toString('latin1').matchAll(/PK\x01\x02.{42}(tables_p\d+_t\d+\.csv)/gs)].map(
    ([, name]) => name,
  );
  assert.deepEqual(names, ['tables_p1_t1.csv', 'tables_p1_t2.csv', 'tables_p2_t1.csv']);
  const [first] = await tablesOfZip(bytes);
  assert.deepEqual(first?.grid, parseCsv(SPANS));
});

test('a table without lines in a document of everything', async () => {
  const text = made(await csv(fixture('everything.pdf'))).toString('utf8');
  assert.deepEqual(parseCsv(text), [
    ['Fruit', 'Weight', 'Price'],
    ['Apple', '12', '3.50'],
    ['Pear', '7', '2.10'],
    ['Plum', '31', '0.95'],
  ]);
});

test('tables as browsers draw them: sunk frames, dots, lines between rows only', async () => {
  const text = made(await csv(fixture('browser-tables.pdf'))).toString('utf8');
  assert.equal(
    text,
    '"Key","Value","Unit"\r\n"alpha","1","mm"\r\n"beta","22","cm"\r\n\r\n' +
      '"Area","Note"\r\n"5 m2","floor"\r\n"7 m2","wall"\r\n\r\n' +
      '"Year","Sum","Part"\r\n"2021","12.5","one"\r\n"2022","7.25","two"\r\n"2023","140","three"\r\n',
  );
});

test('prose, lists and forms have no table', async () => {
  assert.equal((await csv(TABLES, { pageNumbers: '4' })).state, 'nothing');
  for (const name of ['text-two-pages.pdf', 'form-fields.pdf', 'images-in-forms.pdf', 'annotated-pages.pdf'])
    assert.equal((await csv(fixture(name))).state, 'nothing', name);
});

test('a page turned by its rotation reads as it is displayed', async () => {
  for (const angle of ['90', '180', '270']) {
    const turned = made(
      await runHere('general/rotate-pdf', { files: { fileInput: TABLES }, params: { angle } }),
    );
    const ran = await runHere('convert/pdf/csv', {
      files: { fileInput: { name: 'turned.pdf', bytes: turned } },
      params: { pageNumbers: '1' },
    });
    assert.equal(made(ran).toString('utf8'), `${SPANS}\r\n${FRUIT}`, angle);
  }
});

test('refusals name the field', async () => {
  const beyond = failed(await csv(TABLES, { pageNumbers: '5' }));
  assert.equal(beyond.reason, 'page_out_of_range');
  const output = failed(await csv(TABLES, { output: 'xml' }));
  assert.equal(output.reason, 'invalid_parameter');
  assert.match(output.detail, /output/);
});

test('the measure tells right from wrong', () => {
  const truth = [
    ['', 'a', 'b'],
    ['x', '1', '2'],
  ];
  assert.equal(f1(adjacency(truth, truth)), 1);
  assert.equal(f1(cellsInPlace(truth, [['', '', ''], ...truth])), 1);
  assert.equal(f1(adjacency(truth, [])), 0);
  assert.ok(
    f1(
      cellsInPlace(truth, [
        ['', 'a b'],
        ['x', '1 2'],
      ]),
    ) < 0.5,
  );
});

test('lines over sums, and tables side by side, in a budget and in a table of taxes', {
  skip: noCorpus(),
}, async () => {
  const rows = async (document: string, pageNumbers: string) =>
    parseCsv(
      made(
        await csv(fileURLToPath(new URL(document, corpusFolder('.'))), { pageNumbers, output: 'text' }),
      ).toString('utf8'),
    );
  const budget = await rows('pdf/malformed/core__PDFBOX-3949.pdf', '9');
  assert.deepEqual(
    budget.find(([label]) => label === 'Total Resources'),
    [
      'Total Resources',
      '534,907,470',
      '522,037,934',
      '467,743,745',
      '498,857,642',
      '499,707,085',
      '499,825,448',
    ],
  );
  const taxes = await rows('pdf/large/pdfminer-six__i1040nr.pdf', '34');
  assert.deepEqual(
    taxes.find(([from]) => from === '1,300'),
    ['1,300', '1,325', '131', '131', '131'],
  );
});

test('whole documents against what people wrote down', { skip: noCorpus() }, async () => {
  const collection = corpusFolder('.');
  const { truths, files } = await measureTruths(readTruths(collection), async (pdf) => {
    const ran = await csv(pdf, { output: 'zip' });
    return ran.state === 'nothing' ? [] : tablesOfZip(made(ran));
  });
  const mean = (list: readonly Measured[], measure: keyof Measured): number =>
    list.reduce((sum, each) => sum + each[measure], 0) / list.length;
  const human = truths.filter(({ truth }) => truth.isHuman);
  for (const [what, list, least] of [
    ['human truths', human, 0.95],
    ['all truths', truths, 0.9],
    ['whole files', files, 0.95],
  ] as const) {
    assert.ok(list.length > 0, what);
    for (const measure of ['neighbours', 'cells'] as const)
      assert.ok(
        mean(list, measure) >= least,
        `${what}: F1 of ${measure} is ${mean(list, measure).toFixed(3)}, wanted ${least}`,
      );
  }
});

test('tables with lines between groups only, as people wrote them down', { skip: noCorpus() }, async () => {
  const folder = corpusFolder('tables/icdar2013');
  for (const [name, count] of [
    ['eu-026', 3],
    ['us-033', 3],
  ] as const) {
    const truths = readStructure(readFileSync(new URL(`${name}-str.xml`, folder), 'utf8'));
    assert.equal(truths.length, count, name);
    const found = await tablesOfZip(
      made(await csv(new URL(`${name}.pdf`, folder).pathname, { output: 'zip' })),
    );
    assert.equal(found.length, count, name);
    for (const { page, grid } of truths) {
      const best = Math.max(
        ...found.filter((each) => each.page === page).map((each) => f1(cellsInPlace(grid, each.grid))),
      );
      assert.ok(best >= 0.95, `${name}, page ${page}: ${best.toFixed(3)}`);
    }
  }
});

/** Documents in which a reader sees no table: prose, scans, drawings, lists, contents pages, forms, listings. */
const WITHOUT_TABLES = [
  'ocr',
  'pdf/scanned',
  'pdf/blank',
  'pdf/rtl',
  'pdf/links',
  'pdf/rotated',
  'pdf/xfa',
  'pdf/form',
  'pdf/annots',
  'pdf/portfolio',
  'pdf/encrypted-open',
  'pdf/layers',
  'pdf/multipage-text/pdfbox__cweb.pdf',
  'pdf/multipage-text/pdfminer-six__dmca.pdf',
  'pdf/multipage-text/pypdf__outline-without-title.pdf',
  'pdf/large/pdfcpu__pike-stanford.pdf',
  'pdf/outline/pdfplumber__issue-982-example.pdf',
  'pdf/outline/pypdf__pdflatex-outline.pdf',
  'pdf/outline/pdfcpu__xdp_2.0.pdf',
  'pdf/tagged/pdfcpu__Walden.pdf',
  'pdf/malformed/core__PDFBOX-3783.pdf',
  'pdf/cjk/pdfminer-six__jo.pdf',
];

test('documents without tables give nothing', { skip: noCorpus() }, async () => {
  const paths = corpus('ocr', 'pdf').filter((path) =>
    WITHOUT_TABLES.some((part) => path.includes(`/corpus/${part}`)),
  );
  assert.ok(paths.length > 30);
  const found: string[] = [];
  for (const path of paths) {
    const ran = await csv(path);
    if (ran.state === 'made') found.push(`${path}: ${ran.bytes.toString('utf8').slice(0, 200)}`);
    else if (
      ran.state === 'failed' &&
      ran.problem.reason !== 'invalid_pdf' &&
      ran.problem.reason !== 'password_required'
    )
      found.push(`${path}: ${ran.problem.reason} ${ran.cause ?? ''}`);
  }
  assert.deepEqual(found, []);
});
