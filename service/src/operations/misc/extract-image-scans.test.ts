import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { failed, type GivenFile, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpusFolder, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { IMAGES } from '../../../testing/documents/images.ts';
import { type LaidPhoto, madeImage, madeScan, pngOf } from '../../../testing/documents/scanned-photos.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { meanDifference, type Raster, rasterOf, resized } from '../../../testing/oracles/rasters.ts';
import type { Rectangle } from '../../pdf/images/rectangles.ts';

const OPERATION = 'misc/extract-image-scans';
const extract = (file: GivenFile, params: Record<string, string> = {}) =>
  runHere(OPERATION, { files: { fileInput: file }, params });

const GLASS = { width: 900, height: 1200 };
const PLACES: Rectangle[] = [
  { x: 250, y: 220, width: 360, height: 240, degrees: 0 },
  { x: 640, y: 260, width: 300, height: 400, degrees: 9 },
  { x: 420, y: 820, width: 600, height: 400, degrees: -17 },
];

const photos = (places: readonly Rectangle[]): Promise<LaidPhoto[]> =>
  Promise.all(
    places.map(async (place, index) => ({
      ...place,
      image: await madeImage(index + 11, place.width, place.height),
    })),
  );

/** The photo is the one laid there, as large to two pixels; `most` is how far it may differ in the mean, of 255. */
async function assertShows(file: Buffer, photo: LaidPhoto, most: number): Promise<void> {
  const found = await rasterOf(file);
  const shown = `${found.width} x ${found.height} for ${photo.width} x ${photo.height}`;
  assert.ok(Math.abs(found.width - photo.width) <= 2 && Math.abs(found.height - photo.height) <= 2, shown);
  const original = await rasterOf(photo.image);
  const difference = meanDifference(await resized(found, original), original);
  assert.ok(difference < most, `${difference} ${shown}`);
}

const inPdf = async (scan: Raster): Promise<Buffer> => {
  const file = { name: 'album.png', bytes: await pngOf(scan) };
  return made(
    await runHere('convert/img/pdf', {
      files: { fileInput: file },
      params: { fitOption: 'fitDocumentToImage' },
    }),
  );
};

for (const lid of ['#f4f3f0', '#131313']) {
  test(`photos under a lid of ${lid} come out upright, in reading order, as they were`, async () => {
    const laid = await photos(PLACES);
    const scan = await madeScan(laid, { ...GLASS, lid, grain: 3 });
    const ran = await extract({ name: 'album.png', bytes: await pngOf(scan) });
    assert.equal(madeName(ran), 'album_processed.zip');
    const entries = await zipEntries(made(ran));
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['album_processed_1.png', 'album_processed_2.png', 'album_processed_3.png'],
    );
    for (const [index, { bytes }] of entries.entries())
      await assertShows(bytes, laid[index] as LaidPhoto, index === 0 ? 3 : 7);
  });
}

test('one photo comes as itself; one that lies straight keeps its pixels', async () => {
  const [photo] = (await photos(PLACES)) as [LaidPhoto];
  const scan = await madeScan([photo], { ...GLASS, grain: 0 });
  const ran = await extract({ name: 'my.scan.png', bytes: await pngOf(scan) });
  assert.equal(madeName(ran), 'my.scan.png');
  assert.deepEqual(await rasterOf(made(ran)), await rasterOf(photo.image));
});

test('angleThreshold: what is tilted less is cut out as it lies, all of it', async () => {
  const tilted = { x: 450, y: 500, width: 500, height: 300, degrees: 8 };
  const laid = await photos([tilted]);
  const file = { name: 'album.png', bytes: await pngOf(await madeScan(laid, GLASS)) };
  const radians = (8 * Math.PI) / 180;
  for (const [angleThreshold, width, height] of [
    ['7', 500, 300],
    ['0', 500, 300],
    [
      '9',
      500 * Math.cos(radians) + 300 * Math.sin(radians),
      500 * Math.sin(radians) + 300 * Math.cos(radians),
    ],
  ] as const) {
    const found = await rasterOf(made(await extract(file, { angleThreshold })));
    assert.ok(Math.abs(found.width - width) <= 2, `${found.width} for ${width}`);
    assert.ok(Math.abs(found.height - height) <= 2, `${found.height} for ${height}`);
  }
});

test('minArea, minContourArea and tolerance say what is a photo', async () => {
  const laid = await photos(PLACES);
  const file = { name: 'album.png', bytes: await pngOf(await madeScan(laid, { ...GLASS, grain: 3 })) };
  const count = async (params: Record<string, string>): Promise<number> => {
    const ran = await extract(file, params);
    if (ran.state === 'failed' && ran.problem.reason === 'nothing_found') return 0;
    return madeName(ran) === 'album.png' ? 1 : (await zipEntries(made(ran))).length;
  };
  assert.equal(await count({ minArea: '100000' }), 2);
  assert.equal(await count({ minContourArea: '130000' }), 1);
  assert.equal(await count({ minArea: '100000000' }), 0);
  assert.equal(await count({ tolerance: '255' }), 0);
  assert.equal(await count({ borderSize: '500' }), 3);
});

test('pages of a PDF are read at 300 dots per inch, one after the other', async () => {
  const laid = await photos(PLACES);
  // A point for each pixel: 300 dots per inch are 4.17 times as many.
  const small = laid.map((photo) => ({
    ...photo,
    x: photo.x / 3,
    y: photo.y / 3,
    width: photo.width / 3,
    height: photo.height / 3,
  }));
  const page = await inPdf(await madeScan(small, { width: 300, height: 400, grain: 0 }));
  const both = made(
    await runHere('general/merge-pdfs', {
      files: { fileInput: [0, 1].map((n) => ({ name: `${n}.pdf`, bytes: page })) },
    }),
  );
  const entries = await zipEntries(made(await extract({ name: 'two.pdf', bytes: both })));
  assert.deepEqual(
    entries.map(({ name }) => name),
    [1, 2, 3, 4, 5, 6].map((n) => `two_processed_${n}.png`),
  );
  for (const [index, { bytes }] of entries.entries()) {
    const facts = await sharp(bytes).metadata();
    const { width, height } = PLACES[index % 3] as Rectangle;
    const scale = 300 / 72 / 3;
    // A pixel of the scan is four of the page.
    assert.ok(Math.abs(facts.width - width * scale) <= 5, `${facts.width} for ${width * scale}`);
    assert.ok(Math.abs(facts.height - height * scale) <= 5, `${facts.height} for ${height * scale}`);
    assert.equal(facts.density, 300);
  }
});

test('grey scans give grey photos, and each frame of a TIFF is a scan', async () => {
  const [photo] = (await photos(PLACES)) as [LaidPhoto];
  const scan = await madeScan([photo], { ...GLASS, grain: 0, lid: '#ffffff' });
  const grey = () =>
    sharp(scan.data, { raw: { ...GLASS, channels: 3 } })
      .greyscale()
      .toColourspace('b-w');
  const ran = await extract({
    name: 'album.tiff',
    bytes: await grey().tiff({ compression: 'lzw' }).toBuffer(),
  });
  const facts = await sharp(made(ran)).metadata();
  assert.deepEqual([facts.width, facts.height, facts.channels, facts.space], [360, 240, 1, 'b-w']);
  const stacked = await sharp({
    create: { ...GLASS, height: 2 * GLASS.height, channels: 3, background: '#fff', pageHeight: GLASS.height },
  })
    .composite([
      { input: await pngOf(scan), left: 0, top: 0 },
      { input: await pngOf(scan), left: 0, top: GLASS.height },
    ])
    .tiff()
    .toBuffer();
  const frames = (await sharp(stacked).metadata()).pages;
  assert.equal(frames, 2);
  assert.equal((await zipEntries(made(await extract({ name: 'a.tif', bytes: stacked })))).length, 2);
});

test('images of every kind are taken, upright as their orientation says', async () => {
  const [photo] = (await photos(PLACES)) as [LaidPhoto];
  const scan = await madeScan([photo], { ...GLASS, grain: 0 });
  const image = () => sharp(scan.data, { raw: { ...GLASS, channels: 3 } });
  const files: Record<string, Buffer> = {
    'a.jpg': await image().rotate(-90).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer(),
    'a.webp': await image().webp({ quality: 95 }).toBuffer(),
    'a.gif': await image().gif().toBuffer(),
    'a.avif': await image().avif({ quality: 90, effort: 0 }).toBuffer(),
    'deep.png': await image().toColourspace('rgb16').png().toBuffer(),
    'clear.png': await image().ensureAlpha(0.999).png().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const ran = await extract({ name, bytes });
    assert.equal(madeName(ran), `${name.replace(/\..*/, '')}.png`);
    await assertShows(made(ran), photo, 12);
  }
});

test('what holds no photo is told so; what cannot be read is refused', async () => {
  const blank = await pngOf(await madeScan([], GLASS));
  for (const file of [
    { name: 'blank.png', bytes: blank },
    { name: 'blank.pdf', bytes: onePage() },
    { name: 'words.pdf', bytes: onePage({ content: '0.5 g 72 72 3 3 re f' }) },
  ])
    assert.equal(failed(await extract(file)).reason, 'nothing_found', file.name);
  const rubbish = { name: 'scan.pdf', bytes: Buffer.from('%PDF-1.7\nnothing follows') };
  assert.equal(failed(await extract(rubbish)).reason, 'invalid_pdf');
  assert.equal(failed(await extract(fixture('everything-locked.pdf'))).reason, 'password_required');
  const refused = {
    'a.txt': Buffer.from('words'),
    'a.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  };
  const broken = Object.entries(await IMAGES()).filter(
    ([name]) => name.startsWith('broken.') && name !== 'broken.svg',
  );
  for (const [name, bytes] of [...Object.entries(refused), ...broken]) {
    const problem = failed(await extract({ name, bytes }));
    assert.equal(problem.reason, 'unsupported_file_type', name);
  }
});

const REAL = [
  'exif-orientation-examples__Landscape_3.jpg',
  'exif-orientation-examples__Portrait_8.jpg',
  'Pillow__flower.jpg',
];

test('real photographs come out as they were', { skip: noCorpus() }, async () => {
  const places = [
    { x: 420, y: 330, width: 720, height: 480, degrees: 6 },
    { x: 1150, y: 560, width: 480, height: 720, degrees: -11 },
    { x: 480, y: 1000, width: 480, height: 360, degrees: 0 },
  ];
  const folder = corpusFolder('img');
  const laid: LaidPhoto[] = [];
  for (const [index, place] of places.entries()) {
    const file = new URL(REAL[index] as string, folder);
    assert.ok(existsSync(file));
    const upright = sharp(readFileSync(file)).autoOrient().resize(place.width, place.height, { fit: 'fill' });
    laid.push({ ...place, image: await upright.png().toBuffer() });
  }
  const scan = await madeScan(laid, { width: 1500, height: 1300, lid: '#f6f6f2', rim: '#dededa', grain: 4 });
  const entries = await zipEntries(made(await extract({ name: 'album.png', bytes: await pngOf(scan) })));
  assert.equal(entries.length, 3);
  // In reading order: the first two are beside each other.
  for (const [index, { bytes }] of entries.entries()) await assertShows(bytes, laid[index] as LaidPhoto, 8);
});
