import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { corpusForms, formPdf } from '../../../testing/oracles/forms.ts';

interface Placed {
  name: string;
  widgets: Record<string, number | string>[];
  [key: string]: unknown;
}

const list = async (fileInput: string | Buffer, params = {}): Promise<Placed[]> =>
  madeJson(
    await runHere('form/fields-with-coordinates', {
      files: { fileInput: typeof fileInput === 'string' ? fileInput : { name: 'a.pdf', bytes: fileInput } },
      params,
    }),
  ) as Placed[];

test('every member of a field and its widgets', async () => {
  const bytes = formPdf({
    fields: [
      '/FT /Tx /T (note) /Ff 4099 /V (hello) /TU (Say hello) /DA (0 g /Helv 12 Tf) /Rect [50 280 250 260]',
    ],
  });
  assert.deepEqual(await list(bytes), [
    {
      name: 'note',
      label: 'Say hello',
      type: 'text',
      value: 'hello',
      options: [],
      displayOptions: [],
      required: true,
      readOnly: true,
      multiSelect: false,
      multiline: true,
      tooltip: 'Say hello',
      widgets: [{ pageIndex: 0, x: 50, y: 20, width: 200, height: 20, fontSize: 12 }],
    },
  ]);
});

test('no form gives an empty list', async () => {
  assert.deepEqual(await list(onePage()), []);
});

/** A 20 by 10 box whose lower-left corner is at (30, 40), on a page cropped to [10 20 210 120]. */
const turns: Record<number, number[]> = {
  0: [20, 70, 20, 10],
  90: [20, 20, 10, 20],
  180: [160, 20, 20, 10],
  270: [70, 160, 10, 20],
};
for (const [turn, [x, y, width, height]] of Object.entries(turns)) {
  test(`coordinates on a cropped page turned by ${turn}`, async () => {
    const page = `/MediaBox [0 0 400 300] /CropBox [10 20 210 120] /Rotate ${turn}`;
    const [field] = await list(formPdf({ fields: ['/FT /Tx /T (a) /Rect [30 40 50 50]'], page }));
    assert.deepEqual(field?.widgets, [{ pageIndex: 0, x, y, width, height, fontSize: 0 }]);
  });
}

test('options, what is shown for them, and export values of buttons', async () => {
  const listed = await list(
    formPdf({
      fields: [
        '/FT /Ch /T (land) /Ff 131072 /Opt [[(de) (Germany)] (fr)] /Rect [0 200 10 210]',
        '/Parent 8 0 R /AP << /N << /a 4 0 R >> >> /Rect [0 100 10 110]',
        '/FT /Btn /Ff 32768 /T (pick) /Kids [7 0 R]',
      ],
      listed: '8 0 R 6 0 R',
      annots: '7 0 R 6 0 R',
    }),
  );
  assert.deepEqual(
    listed.map(({ name, options, displayOptions, widgets }) => [
      name,
      options,
      displayOptions,
      widgets[0]?.exportValue,
    ]),
    [
      ['land', ['de', 'fr'], ['Germany', 'fr'], undefined],
      ['pick', ['a'], ['a'], 'a'],
    ],
  );
});

test('sorted by line, a line being 10 points high, then from left to right; without a place last', async () => {
  const at = (name: string, rect: string) => `/FT /Tx /T (${name}) ${rect}`;
  const listed = await list(
    formPdf({
      fields: [
        at('d', '/Rect [10 100 20 110]'),
        at('c', '/Rect [300 241 310 251]'),
        at('b', '/Rect [200 250 210 260]'),
        at('a', '/Rect [100 245 110 255]'),
      ],
      listed: '<< /FT /Tx /T (nowhere) >> 6 0 R 7 0 R 8 0 R 9 0 R',
    }),
  );
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['a', 'b', 'c', 'd', 'nowhere'],
  );
});

test('every form of the collection is listed, its widgets on pages of the document', {
  skip: noCorpus(),
}, async () => {
  for (const { path, password, fields } of corpusForms()) {
    const listed = await list(path, password === undefined ? {} : { inputPassword: password });
    assert.ok(listed.length >= Math.min(fields.length, 1), basename(path));
    for (const { widgets } of listed)
      for (const { pageIndex, width } of widgets) assert.ok(Number(pageIndex) >= 0 && Number(width) >= 0);
  }
});
