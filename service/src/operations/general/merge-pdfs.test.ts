import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { failed, type GivenFile, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdfsig', 'pdftoppm');
const TEXT = fixture('text-two-pages.pdf');
const FORM = fixture('form-fields.pdf');
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const merge = (files: GivenFile[], params: Record<string, string | string[]> = {}) =>
  runHere('general/merge-pdfs', { files: { fileInput: files }, params });
const named = (name: string, bytes: Buffer): GivenFile => ({ name, bytes });
const words = (bytes: Buffer): string[] =>
  pdftotext(bytes)
    .split(/\s+/)
    .filter((word) => word !== '');

function qpdfJson(key: string, bytes: Buffer): unknown {
  const whole = JSON.parse(askProgram('qpdf', ['--json', `--json-key=${key}`, '{}'], bytes)) as Record<
    string,
    unknown
  >;
  return whole[key];
}

interface PlainOutline {
  title: string;
  page: number;
  kids: PlainOutline[];
}
function outline(bytes: Buffer): PlainOutline[] {
  type Entry = { title: string; destpageposfrom1: number; kids: Entry[] };
  const plain = ({ title, destpageposfrom1, kids }: Entry): PlainOutline => ({
    title,
    page: destpageposfrom1,
    kids: kids.map(plain),
  });
  return (qpdfJson('outlines', bytes) as Entry[]).map(plain);
}

function fieldNames(bytes: Buffer): string[] {
  return (qpdfJson('acroform', bytes) as { fields: { fullname: string }[] }).fields.map(
    (field) => field.fullname,
  );
}

/** Two pages that say `word1` and `word2`, with one of everything that hangs on documents. */
function rich(
  word: string,
  options: { title?: string; info?: string; role?: string; font?: string } = {},
): Buffer {
  const page = (number: number, more: string) =>
    `<< /Type /Page /Parent 2 0 R /Contents ${number + 4} 0 R /StructParents ${number - 1} /Resources << /Font << /F 7 0 R >> /Properties << /L 14 0 R >> >> ${more} >>`;
  const content = (text: string) =>
    streamOf(
      `/P << /MCID 0 >> BDC BT /F 24 Tf 72 700 Td (${text}) Tj ET EMC /OC /L BDC BT /F 24 Tf 72 400 Td (hidden) Tj ET EMC`,
    );
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R /Outlines 8 0 R /Names << /Dests << /Names [(end) [4 0 R /Fit]] >> /EmbeddedFiles << /Names [(note.txt) 12 0 R] >> /JavaScript << /Names [(start) << /S /JavaScript /JS (1) >>] >> >> /AcroForm << /Fields [15 0 R] /DA (/Helv 9 Tf) /DR << /Font << /Helv 16 0 R >> >> >> /PageLabels << /Nums [0 << /S /r >>] >> /OCProperties << /OCGs [14 0 R] /D << /Order [14 0 R] /OFF [14 0 R] >> >> /StructTreeRoot 17 0 R /MarkInfo << /Marked true >> >>`,
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 612 792] >>',
      page(1, '/Annots [11 0 R 15 0 R]'),
      page(2, ''),
      content(`${word}1`),
      content(`${word}2`),
      FONT,
      '<< /Type /Outlines /First 9 0 R /Last 9 0 R /Count 1 >>',
      `<< /Title (${word}) /Parent 8 0 R /Dest (end) /First 10 0 R /Last 10 0 R /Count 1 >>`,
      `<< /Title (${word} below) /Parent 9 0 R /A << /S /GoTo /D [3 0 R /Fit] >> >>`,
      '<< /Type /Annot /Subtype /Link /Rect [72 600 200 620] /A << /S /GoTo /D (end) >> >>',
      '<< /Type /Filespec /F (note.txt) /UF (note.txt) /EF << /F 13 0 R >> >>',
      streamOf(`note of ${word}`, '/Type /EmbeddedFile'),
      `<< /Type /OCG /Name (layer of ${word}) >>`,
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [72 500 200 520] /P 3 0 R /F 4 >>',
      options.font ?? FONT,
      `<< /Type /StructTreeRoot /K [18 0 R] /ParentTree << /Nums [0 [19 0 R] 1 [20 0 R]] >> /ParentTreeNextKey 2 /RoleMap << /Para /${options.role ?? 'P'} >> >>`,
      '<< /Type /StructElem /S /Document /P 17 0 R /K [19 0 R 20 0 R] >>',
      '<< /Type /StructElem /S /Para /P 18 0 R /Pg 3 0 R /K 0 >>',
      '<< /Type /StructElem /S /Para /P 18 0 R /Pg 4 0 R /K 0 >>',
      `<< /Title (${options.title ?? word}) ${options.info ?? ''} >>`,
    ],
    { trailer: '/Info 21 0 R' },
  );
}

test('pages, bookmarks, links, fields, labels, attachments, layers and tags of all files are kept', {
  skip,
}, async () => {
  const ran = await merge([
    named('a.pdf', rich('Alpha')),
    named('b.pdf', rich('Beta')),
    named('c.pdf', rich('Gamma')),
  ]);
  const bytes = made(ran);
  qpdfCheck(bytes);
  assert.equal(madeName(ran), 'a_merged_unsigned.pdf');
  assert.deepEqual(words(bytes), ['Alpha1', 'Alpha2', 'Beta1', 'Beta2', 'Gamma1', 'Gamma2']);
  assert.equal(pdfinfo(bytes).Title, 'Alpha');
  assert.deepEqual(
    outline(bytes),
    ['Alpha', 'Beta', 'Gamma'].map((title, index) => ({
      title,
      page: 2 * index + 2,
      kids: [{ title: `${title} below`, page: 2 * index + 1, kids: [] }],
    })),
  );
  const destinations = askProgram('pdfinfo', ['-dests', '{}'], bytes);
  assert.deepEqual(
    [...destinations.matchAll(/(\d+) \[ Fit.*"(\w+)"/g)].map((m) => [m[1], m[2]]),
    [
      ['2', 'end'],
      ['4', 'end_2'],
      ['6', 'end_3'],
    ],
  );
  assert.deepEqual(fieldNames(bytes), ['name', 'name_2', 'name_3']);
  assert.deepEqual(
    (qpdfJson('pagelabels', bytes) as { index: number; label: { '/S': string } }[]).map(
      ({ index, label }) => [index, label['/S']],
    ),
    [
      [0, '/r'],
      [2, '/r'],
      [4, '/r'],
    ],
  );
  const attachments = askProgram('qpdf', ['--list-attachments', '{}'], bytes);
  assert.deepEqual(attachments.match(/^note\S*/gm), ['note.txt', 'note.txt_2', 'note.txt_3']);
  assert.equal(askProgram('qpdf', ['--show-attachment=note.txt_2', '{}'], bytes), 'note of Beta');
  const structure = askProgram('pdfinfo', ['-struct-text', '{}'], bytes);
  assert.deepEqual(structure.match(/"\w+"/g), [
    '"Alpha1"',
    '"Alpha2"',
    '"Beta1"',
    '"Beta2"',
    '"Gamma1"',
    '"Gamma2"',
  ]);
});

test('links of later files use the new names, scripts and layers are joined', { skip }, async () => {
  const objects = qpdfObjects(made(await merge([named('a.pdf', rich('A')), named('b.pdf', rich('B'))])));
  const dicts = Object.values(objects).map(({ value }) => (value ?? {}) as Record<string, unknown>);
  const follow = (value: unknown): unknown =>
    typeof value === 'string' && value.endsWith(' R') ? objects[`obj:${value}`]?.value : value;
  const links = dicts.filter((dict) => dict['/Subtype'] === '/Link');
  assert.deepEqual(links.map((dict) => (dict['/A'] as { '/D': string })['/D']).sort(), ['u:end', 'u:end_2']);
  const catalog = dicts.find((dict) => dict['/Type'] === '/Catalog');
  const layers = follow(catalog?.['/OCProperties']) as { '/OCGs': string[]; '/D': Record<string, string[]> };
  assert.equal(layers['/OCGs'].length, 2);
  for (const list of ['/Order', '/OFF']) assert.deepEqual(layers['/D'][list], layers['/OCGs']);
  const names = follow(catalog?.['/Names']) as Record<string, unknown>;
  const scripts = follow(names['/JavaScript']) as { '/Names': unknown[] };
  assert.deepEqual([scripts['/Names'][0], scripts['/Names'][2]], ['u:start', 'u:start_2']);
});

/** Links to the page before and to the page behind, through arrays of their own; a thread over both pages. */
const LINKED = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R /Threads [9 0 R] >>',
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [5 0 R] /B [10 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 8 8] /Annots [6 0 R] /B [11 0 R] >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 1 1] /Dest 7 0 R /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 1 1] /A << /S /GoTo /D 8 0 R >> /P 4 0 R >>',
  '[4 0 R /Fit]',
  '[3 0 R /FitB]',
  '<< /Type /Thread /F 10 0 R >>',
  '<< /Type /Bead /T 9 0 R /N 11 0 R /V 11 0 R /P 3 0 R /R [0 0 9 9] >>',
  '<< /Type /Bead /T 9 0 R /N 10 0 R /V 10 0 R /P 4 0 R /R [0 0 9 9] >>',
]);

for (const [way, end] of [
  ['in memory', ''],
  ['by the library', '%'],
] as const) {
  test(`links and threads of a later file lead to its pages, before and behind; merged ${way}`, {
    skip,
  }, async () => {
    const given = named('linked.pdf', Buffer.concat([LINKED, Buffer.from(end)]));
    const bytes = made(await merge([TEXT, given]));
    qpdfCheck(bytes);
    const objects = Object.values(qpdfObjects(bytes)).map((each) => ('value' in each ? each.value : null));
    const pages = objects.flatMap((value) =>
      isRecord(value) && Array.isArray(value['/Kids']) ? value['/Kids'] : [],
    );
    const found = (kind: string) =>
      objects.find((value) => Array.isArray(value) && value[1] === kind) as unknown[];
    assert.equal(found('/Fit')[0], pages[3]);
    assert.equal(found('/FitB')[0], pages[2]);
    const beads = objects.filter((value) => isRecord(value) && value['/Type'] === '/Bead') as Record<
      string,
      unknown
    >[];
    assert.deepEqual(new Set(beads.map((bead) => bead['/P'])), new Set(pages.slice(2)));
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('a role and a font that mean another thing in the second file get new names there', {
  skip,
}, async () => {
  const other = rich('B', { role: 'H1', font: FONT.replace('Helvetica', 'Courier') });
  const bytes = made(await merge([named('a.pdf', rich('A')), named('b.pdf', other)]));
  qpdfCheck(bytes);
  // pdfinfo prints the standard role that an element's own role stands for.
  assert.deepEqual(askProgram('pdfinfo', ['-struct', '{}'], bytes).match(/P|H1/g), ['P', 'P', 'H1', 'H1']);
  const objects = Object.values(qpdfObjects(bytes)).map(({ value }) => value as Record<string, unknown>);
  const field = objects.find((dict) => dict?.['/T'] === 'u:name_2');
  assert.equal(field?.['/DA'], 'u:/Helv_2 9 Tf');
  const resources = objects.find((dict) => dict?.['/Fields'])?.['/DR'] as { '/Font': object };
  assert.deepEqual(Object.keys(resources['/Font']), ['/Helv', '/Helv_2']);
});

test('files without page labels count by themselves where another file has labels', { skip }, async () => {
  const bytes = made(await merge([TEXT, named('b.pdf', rich('B'))]));
  assert.deepEqual(
    (qpdfJson('pagelabels', bytes) as { index: number; label: { '/S': string } }[]).map((each) => [
      each.index,
      each.label['/S'],
    ]),
    [
      [0, '/D'],
      [2, '/r'],
    ],
  );
  assert.deepEqual(qpdfJson('pagelabels', made(await merge([TEXT, TEXT]))), []);
});

test('generateToc puts the bookmarks of each file below its name', { skip }, async () => {
  const bytes = made(await merge([named('first.one.pdf', rich('A')), TEXT], { generateToc: 'true' }));
  const below = [{ title: 'A', page: 2, kids: [{ title: 'A below', page: 1, kids: [] }] }];
  assert.deepEqual(outline(bytes), [
    { title: 'first.one', page: 1, kids: below },
    { title: 'text-two-pages', page: 3, kids: [] },
  ]);
});

/** Fields by full name: parents named in `a.b` are made; all stand on one page. */
function withFields(...tree: string[]): Buffer {
  const widget = (entries: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [10 10 90 30] /F 4 /P 3 0 R ${entries} >>`;
  const objects: string[] = [];
  const roots: number[] = [];
  const annotations: number[] = [];
  const add = (object: string) => objects.push(object) + 4;
  for (const name of tree) {
    const [parent, kid] = name.split('.');
    if (kid === undefined) {
      roots.push(add(widget(`/T (${parent})`)));
      annotations.push(objects.length + 4);
      continue;
    }
    const number = objects.length + 5;
    annotations.push(add(widget(`/T (${kid}) /Parent ${number + 1} 0 R`)));
    roots.push(add(`<< /T (${parent}) /Kids [${number} 0 R] >>`));
  }
  const refs = (numbers: number[]) => `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
  return onePage({
    catalog: `/AcroForm << /Fields ${refs(roots)} >>`,
    page: `/Annots ${refs(annotations)}`,
    more: objects,
  });
}

for (const [title, first, second, wanted] of [
  ['equal names', ['a', 'b'], ['b', 'c'], ['a', 'b', 'b_2', 'c']],
  ['a new name another field has', ['a'], ['a', 'a_2'], ['a', 'a_3', 'a_2']],
  ['equal names below one parent', ['p.a'], ['p.a'], ['p.a', 'p.a_2']],
  ['different names below one parent', ['p.a'], ['p.b'], ['p.a', 'p.b']],
  ['a field that is a parent elsewhere', ['p'], ['p.a'], ['p', 'p_2.a']],
  ['a parent that is a field elsewhere', ['p.a'], ['p'], ['p.a', 'p_2']],
] as const) {
  test(`form fields: ${title}`, { skip }, async () => {
    const bytes = made(
      await merge([named('a.pdf', withFields(...first)), named('b.pdf', withFields(...second))]),
    );
    qpdfCheck(bytes);
    assert.deepEqual(fieldNames(bytes), wanted);
  });
}

test('a form given three times has each field three times', { skip }, async () => {
  const once = fieldNames(readFileSync(FORM)).length;
  const names = fieldNames(made(await merge([FORM, FORM, FORM])));
  assert.equal(names.length, 3 * once);
  assert.equal(new Set(names).size, names.length);
});

const SIGNED = onePage({
  catalog: '/AcroForm << /Fields [5 0 R] /SigFlags 3 >> /Perms << /DocMDP 6 0 R >>',
  page: '/Annots [5 0 R] /Rotate 90',
  content: '1 0 0 rg 2 0 0 2 0 0 cm 10 10 50 50 re f',
  more: [
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /V 6 0 R /Rect [100 100 300 160] /P 3 0 R /F 132 /AP << /N 7 0 R >> >>',
    '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> >>',
    streamOf(
      '0 0 1 rg 0 0 20 60 re f 0 1 0 rg 0 60 20 40 re f',
      '/Type /XObject /Subtype /Form /BBox [0 0 20 100] /Matrix [0 1 -1 0 0 0]',
    ),
  ],
});

test('signature fields are flattened: gone as fields, the same to the eye', { skip }, async () => {
  const ran = await merge([named('s.pdf', SIGNED), TEXT]);
  const bytes = made(ran);
  qpdfCheck(bytes);
  assert.match(askProgram('pdfsig', ['{}'], bytes, [0, 1, 2]), /does not contain any signatures/);
  assert.doesNotMatch(JSON.stringify(qpdfObjects(bytes)), /\/Sig"|SigFlags|Perms|ByteRange/);
  const image = (from: Buffer) =>
    askProgramBytes('pdftoppm', ['-r', '36', '-l', '1', '-gray', '{}'], from).toString('base64');
  assert.equal(image(bytes), image(SIGNED));
});

test('removeCertSign=false keeps signature fields and gives another name', { skip }, async () => {
  const ran = await merge([named('s.pdf', SIGNED), TEXT], { removeCertSign: 'false' });
  assert.equal(madeName(ran), 's_merged.pdf');
  assert.deepEqual(fieldNames(made(ran)), ['Signature']);
});

const dated = (word: string, info: string) => rich(word, { title: word, info });
const SORTED: [string, string, [string, Buffer][], string][] = [
  [
    'orderProvided',
    'as sent',
    [
      ['b.pdf', rich('B')],
      ['a.pdf', rich('A')],
    ],
    'BA',
  ],
  [
    'byFileName',
    'in natural order',
    [
      ['x10.pdf', rich('C')],
      ['x9.pdf', rich('B')],
      ['X1.pdf', rich('A')],
    ],
    'ABC',
  ],
  [
    'byPDFTitle',
    'by title in natural order',
    [
      ['a.pdf', rich('C', { title: 'Part 10' })],
      ['b.pdf', rich('B', { title: 'part 9' })],
      ['c.pdf', rich('A', { title: 'Part 1' })],
    ],
    'ABC',
  ],
  [
    'BYDATEMODIFIED',
    'newest first, zones heeded, undated last',
    [
      ['a.pdf', dated('C', '')],
      ['b.pdf', dated('B', "/ModDate (D:20240101100000+02'00')")],
      ['c.pdf', dated('A', '/ModDate (D:20240101090000Z)')],
    ],
    'ABC',
  ],
  [
    'byDateCreated',
    'newest first, ties as sent',
    [
      ['a.pdf', dated('B', '/CreationDate (D:2020)')],
      ['b.pdf', dated('C', '/CreationDate (D:2020)')],
      ['c.pdf', dated('A', '/CreationDate (D:2021)')],
    ],
    'ABC',
  ],
];
for (const [sortType, how, files, wanted] of SORTED) {
  test(`sortType ${sortType} orders ${how}`, { skip }, async () => {
    const ran = await merge(
      files.map(([name, bytes]) => named(name, bytes)),
      { sortType },
    );
    assert.equal(
      words(made(ran))
        .filter((word) => word.endsWith('1'))
        .join('')
        .replaceAll('1', ''),
      wanted,
    );
    // The name is that of the first file sent, whatever the order.
    assert.equal(madeName(ran), `${files[0]?.[0].replace('.pdf', '')}_merged_unsigned.pdf`);
  });
}

test('fileOrder overrides sortType; files not listed follow as sent', { skip }, async () => {
  const files = ['A', 'B', 'C', 'D'].map((word) => named(`${word}.pdf`, rich(word)));
  const bytes = made(await merge(files, { fileOrder: 'D.pdf\r\nB.pdf\n', sortType: 'byFileName' }));
  assert.equal(
    words(bytes)
      .filter((word) => word.endsWith('1'))
      .join(''),
    'D1B1A1C1',
  );
});

test('encrypted files are opened with the first password that fits', { skip }, async () => {
  const files = [locked('One', 256), locked('Two', 128)];
  const bytes = made(await merge(files, { inputPassword: ['Two', 'One'] }));
  assert.deepEqual(words(bytes), ['One1', 'One2', 'Two1', 'Two2']);
  assert.equal(pdfinfo(bytes).Encrypted, 'no');
  const refused = failed(await merge(files, { inputPassword: 'One' }));
  assert.equal(refused.reason, 'wrong_password');
  assert.match(refused.detail, /Two\.pdf/);
  assert.equal(failed(await merge(files)).reason, 'password_required');
});

const ALLOWED = {
  assembly: true,
  extract: true,
  accessibility: true,
  fillForms: true,
  modify: true,
  annotate: true,
  print: true,
  printFaithful: true,
};
/** A document whose password is its word. */
function locked(word: string, keyLength: 128 | 256): GivenFile {
  const bytes = rich(word);
  const qpdf = createQpdf({ passwords: [], newFile: () => '' });
  const encryption = { keyLength, userPassword: word, ownerPassword: word, allow: ALLOWED };
  const content = qpdf.engine.open(fileInMemory(word, bytes)).save({ encryption });
  qpdf.closeAll();
  return named(`${word}.pdf`, Buffer.from('bytes' in content ? content.bytes : readFileSync(content.path)));
}

const REFUSED: [string, GivenFile[], Record<string, string>, string, RegExp][] = [
  [
    'a file that is no PDF',
    [TEXT, named('notes.pdf', Buffer.from('hello'))],
    {},
    'invalid_pdf',
    /notes\.pdf/,
  ],
  ['no file', [], {}, 'invalid_parameter', /fileInput/],
  ['501 files', Array.from({ length: 501 }, () => TEXT), {}, 'invalid_parameter', /500/],
  ['an unknown sortType', [TEXT], { sortType: 'bySize' }, 'invalid_parameter', /sortType.*byPDFTitle/],
  [
    'an unknown name in fileOrder',
    [TEXT],
    { fileOrder: 'other.pdf' },
    'invalid_parameter',
    /fileOrder.*other\.pdf/,
  ],
  [
    'a name listed too often',
    [TEXT],
    { fileOrder: 'text-two-pages.pdf\ntext-two-pages.pdf' },
    'invalid_parameter',
    /fileOrder/,
  ],
  [
    'a removeCertSign that is no flag',
    [TEXT],
    { removeCertSign: 'maybe' },
    'invalid_parameter',
    /removeCertSign/,
  ],
  ['a generateToc that is no flag', [TEXT], { generateToc: '2' }, 'invalid_parameter', /generateToc/],
];
for (const [what, files, params, reason, detail] of REFUSED) {
  test(`${what} is refused`, async () => {
    const problem = failed(await merge(files, params));
    assert.equal(problem.reason, reason);
    assert.match(problem.detail, detail);
  });
}

test('clientFileIds has no effect, whatever it holds', { skip }, async () => {
  for (const clientFileIds of ['["a"]', 'not json'])
    assert.equal(pdfinfo(made(await merge([TEXT], { clientFileIds }))).Pages, '2');
});

test('trees with cycles and wrong types are merged all the same', { skip }, async () => {
  const odd = onePage({
    catalog:
      '/Outlines 5 0 R /Names << /Dests 6 0 R /EmbeddedFiles 7 >> /AcroForm << /Fields [8 0 R 8 0 R 3 0 R null] /DR 5 /CO 4 >> /PageLabels [1] /OCProperties << /OCGs 3 /D [] >> /StructTreeRoot << /K 9 0 R /ParentTree 6 0 R /RoleMap 1 >> /Dests (x)',
    page: '/Annots [3 0 R 8 0 R 7 << /Subtype /Link /Dest (gone) /A 10 0 R >>] /AA 4',
    more: [
      '<< /First 5 0 R /Last 3 0 R /Next 5 0 R >>',
      '<< /Kids [6 0 R] /Names [(a) [0 /Fit] (b)] /Nums [0] >>',
      '<< >>',
      '<< /T (x) /Kids [8 0 R] /Parent 8 0 R /FT /Sig >>',
      '<< /S /P /K [9 0 R] /P 9 0 R >>',
      '<< /S /GoTo /D (a) /Next 10 0 R >>',
    ],
  });
  const bytes = made(await merge([named('a.pdf', odd), named('b.pdf', odd), TEXT, named('c.pdf', odd)]));
  qpdfCheck(bytes, { tolerant: true });
  assert.equal(pdfinfo(bytes).Pages, '5');
});

const FOLDERS = [
  'outline',
  'links',
  'form',
  'tagged',
  'layers',
  'attachments',
  'rotated',
  'encrypted-open',
  'annots',
  'js',
  'xfa',
];
const collected = FOLDERS.flatMap((folder) => corpus(`pdf/${folder}`).slice(0, 3));
test('pages of real documents keep their text, three at a time', {
  skip: skip || noCorpus(),
}, async () => {
  for (let at = 0; at < collected.length; at += 2) {
    const files = [0, 7, 15].flatMap((step) => collected[(at + step) % collected.length] ?? []);
    const bytes = made(await merge(files, { generateToc: String(at % 4 === 0) }));
    const label = files.map((path) => basename(path)).join(' + ');
    const sources = files.map((path) => readFileSync(path));
    qpdfCheck(bytes, { tolerant: true });
    const pages = sources.reduce((sum, source) => sum + Number(pdfinfo(source).Pages), 0);
    assert.equal(Number(pdfinfo(bytes).Pages), pages, label);
    assert.equal(pdftotext(bytes), sources.map((source) => pdftotext(source)).join(''), label);
    const fields = sources.reduce((sum, source) => sum + fieldCount(source), 0);
    assert.equal(fieldCount(bytes), fields, label);
  }
});

const fieldCount = (bytes: Buffer): number =>
  (qpdfJsonTolerant(bytes) as { acroform: { fields: { fieldtype: string }[] } }).acroform.fields.filter(
    (f) => f.fieldtype !== '/Sig',
  ).length;
const qpdfJsonTolerant = (bytes: Buffer): unknown =>
  JSON.parse(askProgram('qpdf', ['--json', '--json-key=acroform', '{}'], bytes, [0, 3]));
