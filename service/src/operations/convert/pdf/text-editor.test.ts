import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import type { z } from 'zod';
import { madeJson, madeName, runHere } from '../../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../../testing/documents/collection.ts';
import { onePage } from '../../../../testing/documents/written-pdf.ts';
import { askProgram, missing } from '../../../../testing/oracles/programs.ts';
import { EDITOR_SCHEMA } from '../../../pdf/editing/editor-schema.ts';

type Editor = z.output<typeof EDITOR_SCHEMA>;
type Given = string | { name: string; bytes: Uint8Array };

const run = (file: Given, params: Record<string, string> = {}) =>
  runHere('convert/pdf/text-editor', { files: { fileInput: file }, params });
const takenApart = async (file: Given, params?: Record<string, string>): Promise<Editor> =>
  EDITOR_SCHEMA.parse(madeJson(await run(file, params)));

const squeezed = (text: string): string => text.normalize('NFKC').replace(/[\s\u00ad\u2010-]+/g, '');

test('the JSON is named after the document and tells of all of it', async () => {
  const file = fixture('everything.pdf');
  assert.equal(madeName(await run(file)), 'everything.json');
  const { metadata, pages, fonts, formFields } = await takenApart(file);
  assert.equal(metadata.numberOfPages, 4);
  assert.equal(pages.length, 4);
  assert.ok(fonts.every(({ uid, id, pageNumber }) => uid === `${pageNumber}:${id}`));
  assert.ok(
    formFields.some(
      ({ name, fieldType, rect }) => name === 'name' && fieldType === 'Tx' && rect?.length === 4,
    ),
  );
  assert.ok(pages.some(({ annotations }) => annotations.some(({ subtype }) => subtype === 'Link')));
  assert.ok(pages.some(({ imageElements }) => imageElements.length > 0));
});

test('strings stand where poppler sees their words', { skip: missing('pdftotext') }, async () => {
  const file = fixture('text-two-pages.pdf');
  const { pages } = await takenApart(file, { lightweight: 'true' });
  const printed = askProgram('pdftotext', ['-bbox', '{}', '-'], readFileSync(file));
  const first = printed.split('<page ')[1] ?? '';
  const words = [
    ...first.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</g),
  ];
  assert.ok(words.length > 20);
  const [page] = pages;
  assert.ok(page);
  const misplaced = words.filter(([, xMin, yMin, xMax, yMax]) => {
    const [x, y] = [(Number(xMin) + Number(xMax)) / 2, page.height - (Number(yMin) + Number(yMax)) / 2];
    return !page.textElements.some(
      (each) =>
        x > each.x - 1 &&
        x < each.x + each.width + 1 &&
        y > each.y - each.height / 2 &&
        y < each.y + each.height,
    );
  });
  assert.deepEqual(
    misplaced.map((word) => word[5]),
    [],
  );
});

test('an embedded font brings the program that qpdf finds', { skip: missing('qpdf') }, async () => {
  const file = fixture('embedded-fonts.pdf');
  const { fonts } = await takenApart(file);
  const programs = fonts.filter(({ embedded }) => embedded);
  assert.ok(programs.length > 0);
  for (const { program, programFormat, unitsPerEm } of programs) {
    const head = Buffer.from(program ?? '', 'base64')
      .subarray(0, 4)
      .toString('hex');
    if (programFormat === 'ttf') assert.match(head, /^(00010000|74727565)$/);
    else assert.match(head, /^0100/);
    assert.ok((unitsPerEm ?? 0) >= 1000);
  }
});

test('what is light has no data in it', async () => {
  const text = JSON.stringify(await takenApart(fixture('everything.pdf'), { lightweight: 'true' }));
  assert.doesNotMatch(text, /"(program|imageData|rawData|contentStreams|resources|cosDictionary|toUnicode)"/);
});

test('images come as seen, with their places; those in forms too', async () => {
  const { pages } = await takenApart(fixture('images-in-forms.pdf'));
  const images = pages.flatMap(({ imageElements }) => imageElements);
  assert.ok(images.length >= 12);
  for (const { imageData, imageFormat, nativeWidth, nativeHeight, width } of images) {
    const { format, width: across, height } = await sharp(Buffer.from(imageData ?? '', 'base64')).metadata();
    assert.equal(format, imageFormat);
    assert.deepEqual([across, height], [nativeWidth, nativeHeight]);
    assert.ok(width > 0);
  }
});

test('matrices, spacing and colours are those of the content', async () => {
  const content =
    'q 2 0 0 2 10 20 cm BT 1 0 0 rg 0 1 0 0 K /F1 12 Tf 3 Tc 4 Tw 50 Tz 5 Ts 2 Tr 0 1 -1 0 30 40 Tm (A b) Tj ET Q ' +
    'BT /F1 10 Tf 100 700 Td [(left) -2000 (right)] TJ ET q 50 0 0 60 70 80 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u00ff EI Q';
  const resources = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  const bytes = onePage({ page: `${resources} /Rotate 90`, content });
  const { pages, fonts } = await takenApart({ name: 'doc.pdf', bytes });
  assert.deepEqual(
    fonts.map(({ id, embedded, standard14Name }) => [id, embedded, standard14Name]),
    [['F1', false, 'Helvetica']],
  );
  const [page] = pages;
  assert.deepEqual([page?.width, page?.height, page?.rotation], [612, 792, 90]);
  const [turned, gapped] = page?.textElements ?? [];
  assert.deepEqual(turned?.textMatrix, [0, 2, -2, 0, 60, 100]);
  assert.deepEqual(
    [turned?.text, turned?.fontSize, turned?.fontMatrixSize, turned?.characterSpacing, turned?.wordSpacing],
    ['A b', 12, 24, 3, 4],
  );
  assert.deepEqual([turned?.horizontalScaling, turned?.rise, turned?.renderingMode], [50, 5, 2]);
  assert.deepEqual(turned?.fillColor, { colorSpace: 'DeviceRGB', components: [1, 0, 0] });
  assert.deepEqual(turned?.strokeColor, { colorSpace: 'DeviceCMYK', components: [0, 1, 0, 0] });
  assert.deepEqual([gapped?.text, gapped?.x, gapped?.y], ['left right', 100, 700]);
  const [image] = page?.imageElements ?? [];
  assert.deepEqual(
    [image?.inlineImage, image?.transform, image?.left, image?.top],
    [true, [50, 0, 0, 60, 70, 80], 70, 140],
  );
});

test('a form that draws itself, and a font that is none, do no harm', async () => {
  const page = '/Resources << /XObject << /X 5 0 R >> /Font << /F 7 >> >>';
  const more = [
    '<< /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream',
  ];
  const bytes = onePage({ page, more, content: '/X Do BT /F 9 Tf (x) Tj ET Q Q ET' });
  const { pages } = await takenApart({ name: 'doc.pdf', bytes });
  assert.equal(pages.length, 1);
});

test('over many documents the strings hold what poppler reads', {
  skip: noCorpus() || missing('pdftotext'),
}, async (t) => {
  const files = corpus('pdf')
    .filter((_, index) => index % 16 === 0)
    .slice(0, 14);
  const shares: number[] = [];
  for (const path of files) {
    const ran = await run(path, { lightweight: 'true' });
    if (ran.state !== 'made') continue;
    const { pages } = EDITOR_SCHEMA.parse(JSON.parse(ran.bytes.toString('utf8')));
    const ours = squeezed(
      pages.flatMap(({ textElements }) => textElements.map(({ text }) => text)).join(' '),
    );
    const theirs = squeezed(askProgram('pdftotext', ['-raw', '{}', '-'], readFileSync(path), [0, 1, 3]));
    if (theirs.length < 200) continue;
    const share = commonShare(ours, theirs);
    shares.push(share);
    if (share < 0.9) t.diagnostic(`${path}: ${share.toFixed(2)}`);
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  assert.ok(mean > 0.95, `${shares.length} documents, ${mean.toFixed(3)} of the characters on average`);
});

/** Share of the characters of one text that the other has too, whatever their order. */
function commonShare(ours: string, theirs: string): number {
  const count = (text: string) => {
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    return counts;
  };
  const [a, b] = [count(ours), count(theirs)];
  let common = 0;
  for (const [character, times] of b) common += Math.min(times, a.get(character) ?? 0);
  return common / [...theirs].length;
}
