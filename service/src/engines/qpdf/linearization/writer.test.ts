import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { corpus, fixture, noCorpus, spread } from '../../../../testing/documents/collection.ts';
import { onePage, pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import {
  askProgram,
  askProgramBytes,
  missing,
  pdfinfo,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../../testing/oracles/programs.ts';
import type { Content } from '../../../contract/files.ts';
import { InputFile } from '../../../contract/files.ts';
import { createQpdf } from '../qpdf.ts';
import type { SaveOptions } from '../write.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-linearized-'));
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.pdf`);
};
const { engine, closeAll } = createQpdf({ passwords: [], newFile });
after(() => {
  closeAll();
  rmSync(folder, { recursive: true });
});
const skip = missing('qpdf', 'pdftotext', 'pdfinfo', 'pdftoppm');

const bytesOf = (content: Content): Buffer =>
  'bytes' in content ? Buffer.from(content.bytes) : readFileSync(content.path);

function linearized(bytes: Uint8Array, options: SaveOptions = {}): Buffer {
  const doc = engine.open(new InputFile('a.pdf', { bytes }));
  try {
    return bytesOf(doc.save({ linearize: true, ...options }));
  } finally {
    engine.close(doc);
  }
}

/** The library puts a blank between the words. */
const isOurs = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 100).includes('<</Linearized 1/L');

function checkLinear(bytes: Buffer, what: string): void {
  const said = askProgram('qpdf', ['--check-linearization', '{}'], bytes);
  assert.match(said, /no linearization errors/, what);
  qpdfCheck(bytes);
  assert.equal(pdfinfo(bytes).Optimized, 'yes', what);
}

const images = (bytes: Uint8Array): Buffer =>
  askProgramBytes('pdftoppm', ['-r', '20', '-l', '2', '{}'], bytes, [0, 1, 99]);

/** Those of our own making; of all others the library writes. */
function assertLinearizes(bytes: Uint8Array, what: string, options: SaveOptions = {}): boolean {
  const made = linearized(bytes, options);
  if (!isOurs(made)) return false;
  checkLinear(made, what);
  assert.equal(pdftotext(made), pdftotext(bytes), what);
  assert.ok(images(made).equals(images(bytes)), `${what} looks the same`);
  return true;
}

const INHERITABLE = /^\/(Resources|MediaBox|CropBox|Rotate)$/;

/**
 * The document as qpdf reads it, objects in the order in which they are met from the catalog on, with their data. What
 * pages may take from above is left out: that moves.
 */
function graphOf(bytes: Uint8Array): string[] {
  const args = ['--json', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=none', '{}'];
  const objects = JSON.parse(askProgram('qpdf', args, bytes)).qpdf[1] as Record<string, unknown>;
  const met = new Map<string, number>();
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string' && /^\d+ 0 R$/.test(value)) {
      if (!met.has(value)) met.set(value, met.size);
      return `object ${met.get(value)}`;
    }
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const isOfTree = /^\/Pages?$/.test(String((value as Record<string, unknown>)['/Type']));
    return Object.entries(value)
      .filter(([key]) => key !== '/Length' && !(isOfTree && INHERITABLE.test(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, plain(item)]);
  };
  const { value } = objects.trailer as { value: Record<string, unknown> };
  plain(value['/Root']);
  const made: string[] = [];
  for (const [ref] of met) made.push(JSON.stringify(plain(objects[`obj:${ref}`])));
  return made;
}

interface Shown {
  [label: string]: number | number[];
}

/** What qpdf reads in the file: the parameters, and for each page the numbers told of it. */
function shown(bytes: Buffer): { all: Shown; pages: Shown[] } {
  const lines = askProgram('qpdf', ['--show-linearization', '{}'], bytes).split('\n');
  const all: Shown = {};
  const pages: Shown[] = [];
  for (const line of lines) {
    if (/^Page \d+:/.test(line)) pages.push({ shared: [] });
    const [, indent, label = '', value] = /^( *)([\w ]+): (\d+)/.exec(line) ?? [];
    const page = pages.at(-1);
    if (value === undefined) continue;
    if (page && label.startsWith('identifier')) (page.shared as number[]).push(Number(value));
    else if (indent && page && !(label in page)) page[label] = Number(value);
    else if (!indent) all[label] = Number(value);
  }
  return { all, pages };
}

test('fixtures come out linearized, in tables and in streams', { skip }, () => {
  const names = readdirSync(fixture('.')).filter((name) => name.endsWith('.pdf') && !/locked/.test(name));
  for (const objectStreams of ['preserve', 'generate', 'disable'] as const) {
    const ours = names.filter((name) =>
      assertLinearizes(readFileSync(fixture(name)), `${name}, ${objectStreams}`, { objectStreams }),
    );
    for (const name of ours.slice(0, 6)) {
      const bytes = readFileSync(fixture(name));
      assert.deepEqual(
        graphOf(linearized(bytes, { objectStreams, keepModificationDate: true })),
        graphOf(bytes),
        name,
      );
    }
    assert.ok(ours.length >= 12, `${ours.length} are written by us`);
  }
});

test('the collection comes out linearized', { skip: noCorpus() || skip }, (t) => {
  // Every second document; WHOLE_COLLECTION=1 takes all. Seven programs are asked about each.
  const paths = spread(
    corpus('pdf', 'text', 'tables', 'signed', 'pdfa').filter(
      (path) => statSync(path).size < 3_000_000 && !/password|unopenable|bug_424613308/.test(path),
    ),
    2,
  );
  const ours = paths.filter((path) => assertLinearizes(readFileSync(path), path));
  t.diagnostic(`${ours.length} of ${paths.length}`);
  assert.ok(ours.length >= 40, `${ours.length} are written by us`);
  for (const path of ours.slice(0, 15))
    assertLinearizes(readFileSync(path), `${path}, packed`, { objectStreams: 'generate' });
});

const draw = (text: string): string => streamOf(`BT /F 12 Tf 10 10 Td (${text}) Tj ET`);
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** Three pages: all draw with font 9, the last two also with image 10; 11 on is the outline, when there is one. */
function threePages(catalog = '', more: string[] = []): Buffer {
  const page = (content: number, image = '') =>
    `<< /Type /Page /Parent 2 0 R /Contents ${content} 0 R /Resources << /Font << /F 9 0 R >> ${image} >> >>`;
  const image = '/XObject << /P 10 0 R >>';
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      '<< /Type /Pages /Kids [3 0 R 5 0 R 7 0 R] /Count 3 /MediaBox [0 0 90 90] /Rotate 90 >>',
      page(4),
      draw('one'),
      page(6, image),
      draw('two'),
      page(8, image),
      draw('three'),
      FONT,
      streamOf('0 0 m', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'),
      ...more,
    ],
    { trailer: more.length > 0 ? `/Info ${more.length + 10} 0 R` : '' },
  );
}

test('hint tables tell what each page needs', { skip }, () => {
  const made = linearized(threePages());
  assert.ok(isOurs(made));
  checkLinear(made, 'three pages');
  const { all, pages } = shown(made);
  assert.equal(all.npages, 3);
  assert.equal(all.file_size, made.length);
  // The first page stands with its font; the image is shared by the others.
  assert.equal(all.nshared_first_page, 3);
  assert.equal(all.nshared_total, 4);
  assert.deepEqual(
    pages.map(({ nobjects, shared }) => [nobjects, shared]),
    [
      [3, []],
      [2, [2, 3]],
      [2, [2, 3]],
    ],
  );
  // What was inherited stands in the pages now.
  const inherited = Object.values(qpdfObjects(made)).filter(({ value }) => hasType(value, '/Pages'));
  assert.doesNotMatch(JSON.stringify(inherited), /MediaBox|Rotate/);
  assert.equal(pdfinfo(made, '-f', '3', '-l', '3')['Page    3 rot'], '90');
});

const hasType = (value: unknown, type: string): boolean =>
  (value as Record<string, unknown> | undefined)?.['/Type'] === type;

const OUTLINE = [
  '<< /Type /Outlines /First 12 0 R /Last 12 0 R /Count 1 >>',
  '<< /Title (a) /Parent 11 0 R /Dest [7 0 R /Fit] >>',
  '<< /Producer (x) >>',
];

test('the outline stands with the first page where it shows at once, else at the end', { skip }, () => {
  for (const [mode, objects] of [
    ['/PageMode /UseOutlines', 5],
    ['/PageMode /UseThumbs', 3],
  ] as const) {
    for (const objectStreams of ['disable', 'generate'] as const) {
      const made = linearized(threePages(`/Outlines 11 0 R ${mode}`, OUTLINE), { objectStreams });
      checkLinear(made, `${mode} ${objectStreams}`);
      if (objectStreams === 'disable') assert.equal(shown(made).pages[0]?.nobjects, objects);
      assert.match(askProgram('qpdf', ['--show-linearization', '{}'], made), /Outlines Hint Table/);
    }
  }
});

const ODD: Record<string, Buffer> = {
  'one page': onePage({ content: '0 0 m' }),
  'threads, attachments, labels and a form': threePages(
    '/Threads [11 0 R] /PageLabels << /Nums [0 << /S /r >>] >> /AcroForm << /Fields [12 0 R] >> /Names 13 0 R /OpenAction [5 0 R /Fit]',
    [
      '<< /F << /P 7 0 R /R [0 0 9 9] >> >>',
      '<< /FT /Tx /T (t) /Subtype /Widget /Rect [0 0 9 9] /P 3 0 R >>',
      '<< /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) /EF << /F 14 0 R >> >>] >> >>',
      streamOf('data', '/Type /EmbeddedFile'),
      '<< /Producer (x) >>',
    ],
  ),
  thumbnails: onePage({
    page: '/Thumb 5 0 R',
    more: [streamOf('a', '/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace 6 0 R'), '[/DeviceGray]'],
  }),
  'a page outside the tree': onePage({
    page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /Dest [5 0 R /Fit] >>]',
    more: ['<< /Type /Page /MediaBox [0 0 9 9] /Contents 6 0 R >>', streamOf('9 9 m')],
  }),
  'a page that refers to the tree and the catalog': onePage({ page: '/Up [2 0 R 1 0 R]' }),
  'lengths of streams as objects': onePage({
    page: '/Also 5 0 R',
    more: [streamOf('abc').replace('/Length 3', '/Length 6 0 R'), '3'],
  }),
};
for (const [what, bytes] of Object.entries(ODD)) {
  test(`${what}: linearized, and nothing is lost`, { skip }, () => {
    for (const objectStreams of ['disable', 'generate'] as const) {
      assert.ok(assertLinearizes(bytes, what, { objectStreams }));
      assert.deepEqual(graphOf(linearized(bytes, { objectStreams })), graphOf(bytes), what);
    }
  });
}

test('a large document is written to a file, the same as in memory', { skip }, () => {
  const bytes = onePage({ page: '/Big 5 0 R', more: [streamOf('x'.repeat(4_000_000))] });
  const path = newFile();
  writeFileSync(path, bytes);
  const content = engine
    .open(new InputFile('a.pdf', { path }))
    .save({ linearize: true, keepModificationDate: true });
  assert.ok('path' in content);
  const made = readFileSync(content.path);
  assert.ok(isOurs(made));
  checkLinear(made, 'large');
  const doc = engine.open(new InputFile('a.pdf', { bytes }));
  doc.sourceBytes = 0;
  assert.ok(bytesOf(doc.save({ linearize: true, keepModificationDate: true })).equals(made));
});

test('the same document gives the same bytes, another one another ID', { skip }, () => {
  const make = (content: string): Buffer => linearized(onePage({ content }), { keepModificationDate: true });
  assert.ok(make('0 0 m').equals(make('0 0 m')));
  const idOf = (bytes: Buffer): string[] =>
    [...bytes.toString('latin1').matchAll(/\/ID \[<(\w{32})> <(\w{32})>\]/g)].map(([, , id = '']) => id);
  const [first, second] = [idOf(make('0 0 m')), idOf(make('1 1 m'))];
  assert.equal(first.length, 2);
  assert.equal(first[0], first[1], 'both trailers tell the same');
  assert.notEqual(first[0], second[0]);
  assert.doesNotMatch(first[0] ?? '', /^0+$/);
});

test("encryption and linearizing together are the library's", { skip }, () => {
  const rights = { assembly: true, extract: true, accessibility: true, fillForms: true };
  const allow = { ...rights, modify: true, annotate: true, print: true, printFaithful: true };
  const made = linearized(threePages(), {
    encryption: { keyLength: 256, userPassword: '', ownerPassword: 'o', allow },
  });
  assert.match(askProgram('qpdf', ['--check-linearization', '{}'], made), /no linearization errors/);
  assert.match(pdfinfo(made).Encrypted ?? '', /^yes/);
});
