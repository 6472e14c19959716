import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LaidPhoto,
  madeImage,
  madeScan,
  type ScanLook,
  scanOf,
} from '../../../testing/documents/scanned-photos.ts';
import { findPhotos } from './photo-finding.ts';
import { cornersOf, leastRectangle, overlap, type Rectangle } from './rectangles.ts';

const RULES = { tolerance: 20, minArea: 8000, minContourArea: 500, borderSize: 1 };
const GLASS = { width: 1240, height: 1754 };

const at = (x: number, y: number, width: number, height: number, degrees = 0): Rectangle => ({
  x,
  y,
  width,
  height,
  degrees,
});

async function laid(places: readonly Rectangle[]): Promise<LaidPhoto[]> {
  return Promise.all(
    places.map(async (place, index) => ({
      ...place,
      image: await madeImage(index + 1, Math.round(place.width), Math.round(place.height)),
    })),
  );
}

interface Case {
  /** In reading order. */
  photos: Rectangle[];
  look?: Partial<ScanLook>;
  rules?: Partial<typeof RULES>;
  /** Where photos are found other than where they lie. */
  found?: Rectangle[];
}

const window = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
const hair = (d: string): string => `<path d="${d}" fill="none" stroke="#333" stroke-width="3"/>`;
const dust = Array.from({ length: 150 }, (_, i) => {
  const [x, y] = [(i * 7919) % GLASS.width, (i * 104_729) % GLASS.height];
  return `<circle cx="${x}" cy="${y}" r="${1 + (i % 5)}" fill="#555"/>`;
}).join('');
const FOUR = [
  at(330, 300, 500, 350, 2),
  at(900, 320, 520, 380, -6),
  at(320, 1000, 400, 600, 12),
  at(900, 1250, 380, 560, -31),
];

const CASES: Record<string, Case> = {
  'four under a light lid': { photos: FOUR },
  'four under a dark lid': { photos: FOUR, look: { lid: '#101012', rim: '#1c1c1e' } },
  'four under a blue lid': { photos: FOUR, look: { lid: '#9fb6ff' } },
  'a lid that shades off': { photos: FOUR, look: { lid: '#f8f8f4', rim: '#c4c4c0' } },
  'much grain': { photos: FOUR, look: { grain: 16 } },
  'dust and hairs': {
    photos: FOUR,
    look: { above: dust + hair('M100 600C300 640 500 560 700 690') + hair('M560 380L680 330') },
  },
  'photos four pixels apart': {
    photos: [at(352, 302, 500, 400), at(856, 302, 500, 400), at(352, 706, 500, 400), at(856, 706, 500, 400)],
  },
  'tilted photos six pixels apart': {
    photos: [
      at(400, 500, 500, 400, 10),
      at(400 + 506 * Math.cos(Math.PI / 18), 500 + 506 * Math.sin(Math.PI / 18), 500, 400, 10),
    ],
  },
  'a hair across the gap between two': {
    photos: [at(350, 400, 400, 300), at(770, 400, 400, 300)],
    look: { above: hair('M500 390L620 410') },
  },
  'photos at the edges and in the corners': {
    photos: [at(200, 150, 400, 300), at(1040, 500, 400, 300), at(620, 1554, 500, 400)],
  },
  'a photo over the edge': {
    photos: [at(100, 700, 400, 300)],
    found: [at(150, 700, 300, 300)],
  },
  'the colour of the lid within a photo': {
    photos: [at(600, 800, 700, 900, 8)],
    look: { above: window(500, 600, 250, 300, '#f2f2f0') + window(380, 900, 120, 220, '#f2f2f0') },
  },
  'the colour of the lid at the side of a photo': {
    photos: [at(600, 800, 700, 900)],
    look: { above: '<path d="M250 500C400 560 380 700 250 720z" fill="#f2f2f0"/>' },
  },
  'the colour of the lid right across a photo': {
    photos: [at(600, 800, 700, 900, 3)],
    look: {
      above:
        '<path d="M200 700C400 640 500 790 650 720S900 760 1000 690V800C800 900 700 760 550 860S300 800 200 890z" fill="#f2f2f0"/>',
    },
  },
  'a dark line of the scanner at the edge': {
    photos: [at(600, 500, 500, 400, 5), at(600, 1200, 500, 400, -5)],
    look: { above: window(0, 0, 9, 1754, '#111') + window(0, 0, 1240, 5, '#000') },
  },
  'a very tilted photo': { photos: [at(600, 800, 600, 400, 44)] },
  'a small one with a smaller bound': {
    photos: [at(600, 800, 40, 30, 0)],
    rules: { minArea: 1000, minContourArea: 100 },
  },
  'a photo below the bound': { photos: [at(600, 800, 80, 90)], found: [] },
  'nothing but the lid': { photos: [], look: { rim: '#d0d0d0', grain: 8, above: dust } },
  'nothing but words': {
    photos: [],
    look: {
      above: Array.from(
        { length: 30 },
        (_, line) =>
          `<text x="120" y="${200 + 45 * line}" font-size="32" font-family="Liberation Sans">The quick brown fox jumps over the lazy dog, line ${line}</text>`,
      ).join(''),
    },
  },
  'a wide border': {
    photos: [at(200, 150, 400, 300), at(800, 900, 400, 300, 20)],
    rules: { borderSize: 500 },
  },
  'no border': { photos: [at(200, 150, 400, 300), at(800, 900, 400, 300, 20)], rules: { borderSize: 0 } },
};

for (const [name, { photos, look, rules, found: expected = photos }] of Object.entries(CASES)) {
  test(`found: ${name}`, async () => {
    const scan = scanOf(await madeScan(await laid(photos), { ...GLASS, ...look }));
    const found = findPhotos(scan, { ...RULES, ...rules }).photos;
    assert.equal(found.length, expected.length, JSON.stringify(found));
    for (const [index, place] of expected.entries()) assertSame(found[index], place);
  });
}

/** "within 2 px / 0.5 degrees": each corner is where it should be. */
function assertSame(found: Rectangle | undefined, place: Rectangle): void {
  assert.ok(found);
  const shown = `${JSON.stringify(found)} is not ${JSON.stringify(place)}`;
  assert.ok(Math.abs(found.degrees - place.degrees) < 0.5, shown);
  const corners = cornersOf(place);
  for (const [index, [x, y]] of cornersOf(found).entries()) {
    const [wantedX, wantedY] = corners[index] ?? [Number.NaN, Number.NaN];
    assert.ok(Math.hypot(x - wantedX, y - wantedY) < 2, shown);
  }
}

test('of a tilted photo over the edge what is on the glass is found', async () => {
  const place = at(150, 700, 500, 300, 10);
  const [found, ...more] = findPhotos(scanOf(await madeScan(await laid([place]), GLASS)), RULES).photos;
  assert.ok(found && more.length === 0);
  assert.ok(Math.abs(found.degrees - place.degrees) < 0.5);
  // The right side is seen whole.
  for (const corner of [1, 2] as const) {
    const [x, y] = cornersOf(found)[corner];
    const [wantedX, wantedY] = cornersOf(place)[corner];
    assert.ok(Math.hypot(x - wantedX, y - wantedY) < 2, JSON.stringify(found));
  }
  assert.ok(found.width < 460 && found.width > 350, JSON.stringify(found));
});

test('no tolerance finds the faintest photo on a clean scan, all of it nothing', async () => {
  const image = await madeImage(1, 300, 200);
  const faint = `<g opacity="0.02">${window(300, 300, 400, 300, '#000')}</g>`;
  const look = { ...GLASS, lid: '#ffffff', grain: 0, above: faint };
  const scan = scanOf(await madeScan([], look));
  assert.equal(findPhotos(scan, { ...RULES, tolerance: 0 }).photos.length, 1);
  assert.equal(findPhotos(scan, RULES).photos.length, 0);
  const plain = scanOf(await madeScan([{ ...at(600, 600, 300, 200), image }], look));
  assert.equal(findPhotos(plain, { ...RULES, tolerance: 255 }).photos.length, 0);
});

test('scans of a few pixels have no photos, and do no harm', () => {
  for (const [width, height] of [
    [1, 1],
    [2, 1],
    [3, 700],
    [700, 2],
  ] as const) {
    const data = Buffer.from(Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 97) & 255));
    assert.deepEqual(findPhotos(scanOf({ width, height, data }), RULES).photos, []);
    findPhotos(scanOf({ width, height, data }), { ...RULES, minArea: 1, minContourArea: 1 });
  }
});

test('the least rectangle around turned points, and what two have in common', () => {
  const place = at(10, 20, 30, 12, 33);
  const found = leastRectangle(Float64Array.from(cornersOf(place).flat()));
  for (const key of ['x', 'y', 'width', 'height', 'degrees'] as const)
    assert.ok(Math.abs(found[key] - place[key]) < 1e-9, key);
  assert.ok(Math.abs(overlap(place, place) - 360) < 1e-9);
  assert.equal(overlap(at(0, 0, 10, 10), at(20, 0, 10, 10)), 0);
  assert.ok(Math.abs(overlap(at(0, 0, 10, 10), at(5, 0, 10, 10)) - 50) < 1e-9);
});
