import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { failed, made, madeName, runHere, runPipelineHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';
import { sniff } from '../../contract/kinds.ts';

const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere('misc/extract-images', { files: { fileInput: { name: 'a.pdf', bytes } }, params });
const extracted = async (bytes: Uint8Array, params: Record<string, string> = {}) => {
  const ran = await run(bytes, params);
  assert.equal(madeName(ran), 'a_extracted-images.zip');
  return zipEntries(made(ran));
};

/** Four bytes a pixel. */
const pixelsOf = async (file: Buffer): Promise<number[]> =>
  Array.from(await sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer());

const bytes = (...values: number[]) => String.fromCharCode(...values);
const image = (data: string, dict: string, size = '/Width 2 /Height 1') =>
  streamOf(data, `/Type /XObject /Subtype /Image ${size} ${dict}`);
/** A page that draws object 5; further objects from 6 on. */
const drawing = (first: string, ...more: string[]) =>
  onePage({ page: '/Resources << /XObject << /I 5 0 R >> >>', content: '/I Do', more: [first, ...more] });

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const BLACK = [0, 0, 0, 255];
const WHITE = [255, 255, 255, 255];
const grey = (value: number) => [value, value, value, 255];
const TINT = '<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0 0] /N 1 >>';

/** Two pixels each, as they must come out. */
const SPACES: [what: string, file: Buffer, pixels: number[][]][] = [
  [
    'RGB',
    drawing(image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB')),
    [RED, GREEN],
  ],
  [
    'grey',
    drawing(image(bytes(7, 200), '/BitsPerComponent 8 /ColorSpace /DeviceGray')),
    [grey(7), grey(200)],
  ],
  ['1 bit', drawing(image(bytes(0x40), '/BitsPerComponent 1 /ColorSpace /DeviceGray')), [BLACK, WHITE]],
  [
    '2 bits',
    drawing(image(bytes(0x60), '/BitsPerComponent 2 /ColorSpace /DeviceGray')),
    [grey(85), grey(170)],
  ],
  [
    '4 bits',
    drawing(image(bytes(0x3c), '/BitsPerComponent 4 /ColorSpace /DeviceGray')),
    [grey(51), grey(204)],
  ],
  [
    '16 bits',
    drawing(image(bytes(0x80, 0, 0xff, 0xff), '/BitsPerComponent 16 /ColorSpace /DeviceGray')),
    [grey(128), WHITE],
  ],
  [
    'a decode array',
    drawing(
      image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Decode [1 0 1 0 1 0]'),
    ),
    [
      [0, 255, 255, 255],
      [255, 0, 255, 255],
    ],
  ],
  [
    'indexed',
    drawing(
      image(bytes(1, 2), '/BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 2 <ff000000ff000000ff>]'),
    ),
    [GREEN, BLUE],
  ],
  [
    'indexed, 4 bits',
    drawing(
      image(bytes(0x20), '/BitsPerComponent 4 /ColorSpace [/Indexed /DeviceRGB 2 <ff000000ff000000ff>]'),
    ),
    [BLUE, RED],
  ],
  [
    'separation',
    drawing(image(bytes(255, 0), `/BitsPerComponent 8 /ColorSpace [/Separation /Spot /DeviceRGB ${TINT}]`)),
    [RED, WHITE],
  ],
  [
    'several inks',
    drawing(
      image(bytes(255, 0, 0, 255), '/BitsPerComponent 8 /ColorSpace [/DeviceN [/A /B] /DeviceRGB 6 0 R]'),
      streamOf('{ 0 }', '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]'),
    ),
    [RED, GREEN],
  ],
  [
    'calibrated',
    drawing(
      image(
        bytes(255, 255, 255, 0, 0, 0),
        '/BitsPerComponent 8 /ColorSpace [/CalRGB << /WhitePoint [0.9505 1 1.089] >>]',
      ),
    ),
    [WHITE, BLACK],
  ],
  [
    'Lab',
    drawing(
      image(
        bytes(255, 128, 128, 0, 128, 128),
        '/BitsPerComponent 8 /ColorSpace [/Lab << /WhitePoint [0.9642 1 0.8249] /Range [-128 127 -128 127] >>]',
      ),
    ),
    [WHITE, BLACK],
  ],
  [
    'CMYK',
    drawing(image(bytes(0, 0, 0, 0, 0, 0, 0, 255), '/BitsPerComponent 8 /ColorSpace /DeviceCMYK')),
    [WHITE, [35, 31, 32, 255]],
  ],
  [
    'a soft mask',
    drawing(
      image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /SMask 6 0 R'),
      image(bytes(255, 128), '/BitsPerComponent 8 /ColorSpace /DeviceGray'),
    ),
    [RED, [0, 255, 0, 128]],
  ],
  [
    'a stencil mask',
    drawing(
      image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Mask 6 0 R'),
      image(bytes(0x40), '/BitsPerComponent 1 /ImageMask true'),
    ),
    [RED, [0, 0, 0, 0]],
  ],
  [
    'a colour that is clear',
    drawing(
      image(
        bytes(255, 0, 0, 0, 255, 0),
        '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Mask [255 255 0 0 0 0]',
      ),
    ),
    [[0, 0, 0, 0], GREEN],
  ],
  [
    'a stencil, which paints black',
    drawing(image(bytes(0x40), '/BitsPerComponent 1 /ImageMask true')),
    [BLACK, [0, 0, 0, 0]],
  ],
  [
    'a mask that is larger',
    drawing(
      image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /SMask 6 0 R'),
      image(bytes(255, 255, 0, 0), '/BitsPerComponent 8 /ColorSpace /DeviceGray', '/Width 4 /Height 1'),
    ),
    [RED, [0, 0, 0, 0]],
  ],
  [
    'packed twice',
    drawing(image('<FF000000FF00>', '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/ASCIIHexDecode]')),
    [RED, GREEN],
  ],
  [
    'a layer that is switched off',
    onePage({
      catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
      page: '/Resources << /XObject << /I 5 0 R >> >>',
      content: '/I Do',
      more: [
        image(bytes(255, 0, 0, 0, 255, 0), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /OC 6 0 R'),
        '<< /Type /OCG /Name (off) >>',
      ],
    }),
    [RED, GREEN],
  ],
];
/** A group 4 fax of 16 by 2 pixels, the left half black. */
const FAX = bytes(
  ...(`001001101010001011111${'000000000001'.repeat(2)}`.padEnd(48, '0').match(/.{8}/g) ?? []).map((bits) =>
    Number.parseInt(bits, 2),
  ),
);

test('fax and JPEG codecs are undone, inks included', async () => {
  const fax = drawing(
    image(
      FAX,
      '/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 16 /Rows 2 >>',
      '/Width 16 /Height 2',
    ),
  );
  const [faxed] = await extracted(fax);
  const row = [...Array(8).fill(BLACK), ...Array(8).fill(WHITE)].flat();
  assert.deepEqual(await pixelsOf(faxed?.bytes ?? Buffer.alloc(0)), [...row, ...row]);
  const red = sharp({ create: { width: 16, height: 16, channels: 3, background: '#e01010' } });
  for (const [space, jpeg, dict] of [
    ['RGB', await red.clone().jpeg().toBuffer(), '/ColorSpace /DeviceRGB'],
    // Adobe's way: inks are stored as what is left of white.
    [
      'CMYK',
      await red.clone().toColourspace('cmyk').jpeg().toBuffer(),
      '/ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 1 0]',
    ],
  ] as const) {
    const size = '/Width 16 /Height 16 /BitsPerComponent 8 /Filter /DCTDecode';
    const [entry] = await extracted(drawing(image(jpeg.toString('latin1'), dict, size)));
    const [r = 0, g = 255, b = 255] = await pixelsOf(entry?.bytes ?? Buffer.alloc(0));
    assert.ok(r > 180 && g < 70 && b < 70, `${space}: ${r} ${g} ${b}`);
  }
});

for (const [what, file, pixels] of SPACES) {
  test(`colours and masks are right: ${what}`, async () => {
    const entries = await extracted(file);
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['a_page_1_1.png'],
    );
    const { bytes: png = Buffer.alloc(0) } = entries[0] ?? {};
    const { width, height } = await sharp(png).metadata();
    assert.deepEqual([width, height], [2, 1], 'its own pixels');
    const seen = await pixelsOf(png);
    pixels.flat().forEach((value, i) => {
      // What is clear has no colour worth comparing.
      const clear = i % 4 < 3 && pixels.flat()[i - (i % 4) + 3] === 0;
      assert.ok(clear || Math.abs((seen[i] ?? -1) - value) <= 2, `${seen} is not ${pixels}`);
    });
  });
}

test('nested, patterned, inline and annotated images are found, in the order they are drawn', async () => {
  const dot = (value: number) =>
    image(bytes(value), '/BitsPerComponent 8 /ColorSpace /DeviceGray', '/Width 1 /Height 1');
  const form = (content: string, resources: string) =>
    streamOf(content, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`);
  const file = onePage({
    page: `/Resources << /XObject << /A 5 0 R /F 6 0 R >> /Pattern << /P 8 0 R >> /ColorSpace << /Own [/Indexed /DeviceGray 1 <0028>] >> >>
      /Annots [<< /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 11 0 R >> >>]`,
    content:
      '/A Do BI /W 1 /H 1 /BPC 8 /CS /G ID \x32 EI /F Do /Pattern cs /P scn 0 0 9 9 re f /A Do BI /W 1 /H 1 /BPC 8 /CS /Own /F [/AHx] ID 01> EI',
    more: [
      dot(10),
      form('/G Do', '/XObject << /G 7 0 R >>'),
      form('/I Do /F Do', '/XObject << /I 9 0 R /F 6 0 R >>'),
      streamOf(
        '/I Do',
        '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /XObject << /I 10 0 R >> >>',
      ),
      dot(20),
      dot(30),
      form('/I Do', '/XObject << /I 12 0 R /Unused 13 0 R >>'),
      dot(60),
      dot(70),
    ],
  });
  const entries = await extracted(file);
  const values = await Promise.all(entries.map(async ({ bytes: png }) => (await pixelsOf(png))[0]));
  assert.deepEqual(values, [10, 50, 20, 30, 40, 60], 'the one nothing draws is left out');
  assert.deepEqual(
    entries.map(({ name }) => name),
    [1, 2, 3, 4, 5, 6].map((number) => `a_page_1_${number}.png`),
  );
});

test('each distinct image comes once, under the first page that draws it', async () => {
  const entries = await extracted(readFileSync(fixture('images-in-forms.pdf')));
  assert.ok(entries.length > 1);
  const seen = new Set(entries.map(({ bytes: png }) => png.toString('latin1')));
  assert.equal(seen.size, entries.length);
  const twice = drawing(image(bytes(1, 2), '/BitsPerComponent 8 /ColorSpace /DeviceGray'));
  const copies = onePage({
    page: '/Resources << /XObject << /A 5 0 R /B 6 0 R >> >>',
    content: '/A Do /B Do /A Do',
    more: [
      image(bytes(1, 2), '/BitsPerComponent 8 /ColorSpace /DeviceGray'),
      image(bytes(1, 1, 1, 2, 2, 2), '/BitsPerComponent 8 /ColorSpace /DeviceRGB'),
    ],
  });
  assert.equal((await extracted(twice)).length, 1);
  assert.equal((await extracted(copies)).length, 1, 'equal pixels, however they are stored');
});

for (const [format, kind] of [
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['jpg', 'jpeg'],
  ['gif', 'gif'],
  ['JPG', 'jpeg'],
] as const) {
  test(`${format} is ${kind}`, async () => {
    const entries = await extracted(readFileSync(fixture('everything.pdf')), { format });
    assert.ok(entries.length > 0);
    for (const entry of entries) {
      assert.equal(sniff(entry.bytes), kind);
      assert.match(entry.name, new RegExp(`^a_page_\\d+_\\d+\\.${format.toLowerCase()}$`));
    }
  });
}

test('what is clear is white in JPEG', async () => {
  const clear = drawing(
    image(
      bytes(0).repeat(3 * 256),
      '/BitsPerComponent 8 /ColorSpace /DeviceRGB /SMask 6 0 R',
      '/Width 16 /Height 16',
    ),
    image(
      bytes(0).repeat(255) + bytes(1),
      '/BitsPerComponent 8 /ColorSpace /DeviceGray',
      '/Width 16 /Height 16',
    ),
  );
  const [entry] = await extracted(clear, { format: 'jpeg' });
  const seen = await pixelsOf(entry?.bytes ?? Buffer.alloc(0));
  assert.ok(seen.every((value) => value >= 250));
});

test('a document without images gives an empty ZIP; in a pipeline it is dropped', async () => {
  const ran = await run(onePage());
  assert.equal(sniff(made(ran)), 'zip');
  assert.deepEqual(await extracted(onePage()), []);
  const piped = await runPipelineHere({
    files: { fileInput: { name: 'a.pdf', bytes: onePage() } },
    params: { steps: '[{"op":"misc/extract-images"}]' },
  });
  assert.equal(piped.state, 'nothing');
});

test('an unknown format is refused by name', async () => {
  const problem = failed(await run(onePage(), { format: 'bmp' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /format .*png, jpeg, jpg, gif/);
});

test('images of no size, of rubbish and of unknown codecs are left out', async () => {
  const file = onePage({
    page: '/Resources << /XObject << /A 5 0 R /B 6 0 R /C 7 0 R /D 8 0 R /E 9 0 R >> >>',
    content: '/A Do /B Do /C Do /D Do /E Do BI ID EI BI /W 1 ID',
    more: [
      image('', '/ColorSpace /DeviceGray', '/Width 0 /Height -1'),
      image('x', '/ColorSpace /DeviceGray /BitsPerComponent 8', '/Width 1e9 /Height 1e9'),
      image('junk', '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JPXDecode'),
      image('junk', '/ColorSpace [/Indexed 9 0 R] /BitsPerComponent 8 /SMask 8 0 R'),
      image(bytes(9, 9), '/ColorSpace /DeviceGray /BitsPerComponent 8'),
    ],
  });
  const values = await Promise.all(
    (await extracted(file)).map(async ({ bytes: png }) => (await pixelsOf(png))[0]),
  );
  assert.ok(values.includes(9));
});

test('a page that only points in circles ends', async () => {
  const file = onePage({
    page: '/Resources 5 0 R /Annots [5 0 R << /AP << /N 5 0 R >> >>]',
    content: '/A Do /P scn',
    more: [
      streamOf(
        '/A Do /P scn',
        '/Subtype /Form /XObject << /A 5 0 R >> /Pattern << /P 5 0 R >> /Resources 5 0 R',
      ),
    ],
  });
  assert.deepEqual(await extracted(file), []);
});

/** Pixels; larger images take long to compare. */
const MOST_COMPARED = 300_000;

/** What poppler writes, by size: the pixels of those that are neither masks nor in inks. */
async function popplersImages(file: Buffer): Promise<Map<string, number[][]>> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-images-'));
  try {
    const rows = askProgram('pdfimages', ['-list', '{}'], file)
      .split('\n')
      .slice(2)
      .map((row) => row.trim().split(/\s+/));
    askProgram('pdfimages', ['-png', join('{}'), join(dir, 'x')], file);
    const found = new Map<string, number[][]>();
    for (const name of readdirSync(dir).sort()) {
      const row = rows[Number(/-(\d+)\./.exec(name)?.[1])];
      if (row?.[2] !== 'image' || !['rgb', 'gray', 'icc'].includes(row[5] ?? '')) continue;
      if (Number(row[3]) * Number(row[4]) > MOST_COMPARED) continue;
      const size = `${row[3]}x${row[4]}`;
      const raw = await sharp(join(dir, name)).toColourspace('srgb').removeAlpha().raw().toBuffer();
      found.set(size, [...(found.get(size) ?? []), Array.from(raw)]);
    }
    return found;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('a large image comes out whole, one that fits nowhere is refused', async () => {
  const large = (width: number, height: number) =>
    onePage({
      content: 'q 100 0 0 100 0 0 cm /I Do Q',
      page: '/Resources << /XObject << /I 5 0 R >> >>',
      more: [
        streamOf(
          deflateSync(Buffer.alloc(Math.ceil(width / 8) * Math.min(height, 11_000), 0xf0)).toString('latin1'),
          `/Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode`,
        ),
      ],
    });
  const [image] = await extracted(large(10_000, 11_000));
  const { width, height } = await sharp(image?.bytes, { limitInputPixels: false }).metadata();
  assert.deepEqual([width, height], [10_000, 11_000]);
  const problem = failed(await run(large(60_000, 60_000)));
  assert.equal(problem.reason, 'memory_exceeded');
  assert.match(problem.detail, /page 1 has 60000 x 60000 pixels/);
});

test('opaque images are those poppler extracts', { skip: noCorpus() || missing('pdfimages') }, async () => {
  let compared = 0;
  for (const path of corpus('pdf/images', 'pdf/portfolio', 'pdf/large')) {
    const file = readFileSync(path);
    const theirs = await popplersImages(file);
    for (const { name, bytes: png } of await extracted(file)) {
      const { width = 0, height = 0, hasAlpha } = await sharp(png).metadata();
      const candidates = theirs.get(`${width}x${height}`) ?? [];
      if (hasAlpha || candidates.length === 0 || width * height > MOST_COMPARED) continue;
      const ours = await sharp(png).toColourspace('srgb').raw().toBuffer();
      const apart = (other: number[]) =>
        ours.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0) / ours.length;
      assert.ok(Math.min(...candidates.map(apart)) < 2, `${path} ${name}`);
      compared += 1;
    }
  }
  assert.ok(compared > 10, String(compared));
});
