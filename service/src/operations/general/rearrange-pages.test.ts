import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { objectsOf, pageObjects, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const TIED = fixture('tied-pages.pdf');
const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

const rearrange = (params: Record<string, string | string[]>, bytes: Uint8Array = readFileSync(TIED)) =>
  runHere('general/rearrange-pages', { files: { fileInput: { name: 'doc.pdf', bytes } }, params });

const order = (bytes: Buffer): number[] =>
  pdftotext(bytes)
    .split('\f')
    .slice(0, -1)
    .map((page) => Number(/Text of page (\d)/.exec(page)?.[1]));

const ORDERS: [Record<string, string>, number[]][] = [
  [{}, [1, 2, 3, 4]],
  [{ pageNumbers: '4,2-3,1' }, [4, 2, 3, 1]],
  [{ pageNumbers: '3,3,1,3' }, [3, 3, 1, 3]],
  [{ pageNumbers: 'all,2n' }, [1, 2, 3, 4, 2, 4]],
  [{ pageNumbers: '2', customMode: '' }, [2]],
  [{ pageNumbers: '4,4', customMode: 'custom' }, [4, 4]],
  [{ customMode: 'REVERSE_ORDER' }, [4, 3, 2, 1]],
  [{ customMode: 'REVERSE_ORDER', pageNumbers: 'nonsense' }, [4, 3, 2, 1]],
  [{ customMode: 'duplex_sort' }, [1, 4, 2, 3]],
  [{ customMode: 'BOOKLET_SORT' }, [1, 4, 2, 3]],
  [{ customMode: 'SIDE_STITCH_BOOKLET_SORT' }, [4, 1, 2, 3]],
  [{ customMode: 'ODD_EVEN_SPLIT' }, [1, 3, 2, 4]],
  [{ customMode: 'REMOVE_FIRST' }, [2, 3, 4]],
  [{ customMode: 'REMOVE_LAST' }, [1, 2, 3]],
  [{ customMode: 'REMOVE_FIRST_AND_LAST' }, [2, 3]],
  [{ customMode: 'DUPLICATE' }, [1, 1, 2, 2, 3, 3, 4, 4]],
  [{ customMode: 'DUPLICATE', pageNumbers: '' }, [1, 1, 2, 2, 3, 3, 4, 4]],
  [{ customMode: 'DUPLICATE', pageNumbers: '3' }, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]],
  [{ customMode: 'DUPLICATE', pageNumbers: '1' }, [1, 2, 3, 4]],
];

for (const [params, expected] of ORDERS) {
  test(`${JSON.stringify(params)} gives ${expected}`, { skip }, async () => {
    const ran = await rearrange(params);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.deepEqual(order(bytes), expected);
    assert.equal(pageObjects(bytes), expected.length);
    assert.equal(madeName(ran), 'doc_rearranged.pdf');
    const labels = ['i', 'ii', 'A-1', '5'];
    assert.deepEqual(
      surveyBytes(bytes).pageLabels,
      expected.map((page) => labels[page - 1]),
    );
  });
}

test('a new order keeps everything', { skip }, async () => {
  const before = surveyBytes(readFileSync(TIED));
  const after = surveyBytes(made(await rearrange({ customMode: 'REVERSE_ORDER' })));
  const back = (page: number | null): number | null => (page === null ? null : 3 - page);
  const sorted = (links: typeof before.links) => links.map((link) => JSON.stringify(link)).sort();
  assert.deepEqual(
    sorted(after.links.map(({ from, to }) => ({ from: 3 - from, to: back(to) }))),
    sorted(before.links),
  );
  assert.deepEqual(
    after.outline.map((entry) => ({ ...entry, to: back(entry.to) })),
    before.outline,
  );
  const rest = ({ links: _links, outline: _outline, pageLabels, ...others }: typeof before) => ({
    ...others,
    pageLabels: [...(pageLabels ?? [])].sort(),
  });
  assert.deepEqual(rest(after), rest(before));
});

test('copies are pages of their own, with annotations of their own', { skip }, async () => {
  const bytes = made(await rearrange({ customMode: 'DUPLICATE', pageNumbers: '2' }));
  const pages = objectsOf(bytes, '/Type', 'Page');
  assert.equal(pages.length, 8);
  const annotations = pages.flatMap((page) => (page['/Annots'] as string[] | undefined) ?? []);
  assert.equal(new Set(annotations).size, annotations.length);
  assert.equal(new Set(pages.map((page) => page['/Contents'])).size, 4);
  const survey = surveyBytes(bytes);
  assert.deepEqual(survey.annotations, { Link: 12, Widget: 12, Text: 2, Popup: 2 });
  assert.deepEqual(survey.fields, [
    { name: 'name', value: 'Ada', widgets: 4 },
    { name: 'agree', value: 'Yes', widgets: 2 },
    { name: 'grp', value: null, widgets: 0 },
    { name: 'grp.a', value: 'alpha', widgets: 2 },
    { name: 'grp.b', value: 'beta', widgets: 2 },
    { name: 'sig', value: null, widgets: 2 },
  ]);
});

test('tags are copied along', { skip }, async () => {
  const bytes = made(await rearrange({ customMode: 'DUPLICATE' }));
  const elements = objectsOf(bytes, '/Type', 'StructElem');
  const pages = new Set(objectsOf(bytes, '/Type', 'Page').map((page) => page['/StructParents']));
  assert.equal(pages.size, 8);
  // One document element; all others twice, and the paragraph over two pages once more for each of them.
  assert.equal(elements.length, 1 + 2 * 7 + 1);
  const links = elements.filter((element) => element['/S'] === '/Link');
  const named = links.map((link) => (link['/K'] as Record<string, string>[])[0]?.['/Obj']);
  assert.equal(new Set(named).size, 2);
  assert.match(
    askProgram('pdfinfo', ['-struct-text', '{}'], bytes),
    /(Text of page 1.*){2}(Text of page 4.*){2}/s,
  );
});

test('an annotation names the page it stands on, a popup its note', { skip }, async () => {
  const bytes = made(await rearrange({ pageNumbers: '2,2' }));
  const popups = objectsOf(bytes, '/Subtype', 'Popup');
  assert.equal(new Set(popups.map((popup) => popup['/Parent'])).size, 2);
  assert.equal(new Set(popups.map((popup) => popup['/P'])).size, 2);
});

test('dropped pages leave no trace', { skip }, async () => {
  const bytes = made(await rearrange({ pageNumbers: '3,1,3' }));
  const survey = surveyBytes(bytes);
  assert.equal(pageObjects(bytes), 3);
  assert.deepEqual(
    survey.fields.map(({ name, widgets }) => [name, widgets]),
    [
      ['name', 1],
      ['agree', 2],
      ['grp', 0],
      ['grp.a', 1],
      ['grp.b', 2],
    ],
  );
  assert.deepEqual(survey.links, [{ from: 1, to: 0 }]);
});

const REFUSED: [Record<string, string | string[]>, string, string][] = [
  [{ pageNumbers: '3-1' }, 'invalid_page_selection', 'pageNumbers'],
  [{ pageNumbers: `${'1,'.repeat(8192)}1` }, 'invalid_page_selection', 'pageNumbers'],
  [{ pageNumbers: ['1', '2'] }, 'invalid_parameter', 'pageNumbers'],
  [{ pageNumbers: '5' }, 'page_out_of_range', '5'],
  [{ pageNumbers: '9n' }, 'page_out_of_range', 'pageNumbers'],
  [{ customMode: 'SHUFFLE' }, 'invalid_parameter', 'customMode'],
  [{ customMode: 'DUPLICATE', pageNumbers: '0' }, 'invalid_parameter', 'pageNumbers'],
  [{ customMode: 'DUPLICATE', pageNumbers: '101' }, 'invalid_parameter', 'pageNumbers'],
  [{ customMode: 'DUPLICATE', pageNumbers: '2-3' }, 'invalid_parameter', 'pageNumbers'],
  [{ customMode: 'DUPLICATE', pageNumbers: '2.5' }, 'invalid_parameter', 'pageNumbers'],
];

for (const [params, reason, word] of REFUSED) {
  test(`${JSON.stringify(params).slice(0, 70)} is refused as ${reason}`, async () => {
    const problem = failed(await rearrange(params));
    assert.equal(problem.reason, reason);
    assert.ok(problem.detail.includes(word), problem.detail);
  });
}

for (const customMode of ['REMOVE_FIRST', 'REMOVE_LAST', 'REMOVE_FIRST_AND_LAST']) {
  test(`${customMode} of a single page is refused`, async () => {
    const problem = failed(await rearrange({ customMode }, onePage()));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /customMode/);
  });
}

test('20 000 pages are made, more are refused', { skip }, async () => {
  const numbers = Array(4000).fill('all').join(',');
  const five = made(
    await rearrange({ customMode: 'DUPLICATE', pageNumbers: '5' }, onePage({ content: '0 0 9 9 re f' })),
  );
  const many = made(await rearrange({ pageNumbers: numbers }, five));
  assert.equal(pdfinfo(many).Pages, '20000');
  const problem = failed(await rearrange({ pageNumbers: `${numbers},1` }, five));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /20000/);
});
