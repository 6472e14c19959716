import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { failed, type GivenFile, made, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import {
  apart,
  type GivenImage,
  images,
  photo,
  raster,
  withImages,
} from '../../../testing/oracles/compression.ts';
import { surveyOf } from '../../../testing/oracles/document-survey.ts';
import { askProgram, missing, pdftotext, qpdfCheck, qpdfObjects } from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { encodeFax } from '../../pdf/filters/ccitt-g4-encoder.ts';

const skip = missing('qpdf', 'pdftotext', 'pdfimages', 'pdftoppm');

async function compress(file: GivenFile | Buffer, params: Record<string, string> = {}) {
  const fileInput = Buffer.isBuffer(file) ? { name: 'given.pdf', bytes: file } : file;
  const ran = await runHere('misc/compress-pdf', { files: { fileInput }, params });
  const bytes = made(ran);
  const headers = ran.state === 'made' ? (ran.result.headers ?? {}) : {};
  return { bytes, headers };
}

function survey(bytes: Uint8Array) {
  const qpdf = createQpdf({ passwords: [], newFile: () => assert.fail('nothing is saved') });
  try {
    return surveyOf(qpdf.engine.open(fileInMemory('given.pdf', bytes)));
  } finally {
    qpdf.closeAll();
  }
}

const RGB = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
const photograph = (drawn: number, more = ''): GivenImage => ({
  width: 600,
  height: 400,
  data: photo(600, 400, 3),
  entries: `${RGB} ${more}`,
  drawn: { width: drawn, height: (drawn * 2) / 3 },
});
const jpegOf = (data: Buffer, channels: 1 | 3, quality = 95): Promise<Buffer> =>
  sharp(data, { raw: { width: 600, height: 400, channels } })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality })
    .toBuffer();

describe('all levels', { skip }, () => {
  for (const level of ['1', '2', '3', '4', '6', '9']) {
    test(`level ${level} keeps what a document says and holds`, async () => {
      for (const name of ['everything.pdf', 'form-fields.pdf', 'reading-tagged.pdf', 'embedded-fonts.pdf']) {
        const before = readFileSync(fixture(name));
        const { bytes, headers } = await compress(fixture(name), { optimizeLevel: level });
        qpdfCheck(bytes);
        assert.equal(headers['X-Compression-Result'], 'reduced', name);
        assert.ok(bytes.length < before.length, name);
        assert.equal(pdftotext(bytes), pdftotext(before), name);
        assert.deepEqual(survey(bytes), survey(before), name);
        if (Number(level) <= 3) assert.ok(apart(raster(bytes), raster(before)).worst < 3, name);
      }
    });
  }

  test('levels 1 to 3 change no pixel', async () => {
    const given = withImages([photograph(100), { ...photograph(300), width: 300, height: 800 }]);
    const { bytes } = await compress(given, { optimizeLevel: '3' });
    assert.deepEqual(raster(bytes), raster(given));
    assert.deepEqual(
      images(bytes).map(({ width, coding }) => [width, coding]),
      [
        [600, 'image'],
        [300, 'image'],
      ],
    );
  });

  test('equal objects become one, what nothing draws goes', async () => {
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
    const data = photo(60, 40, 3).toString('latin1');
    const image = streamOf(data, `/Subtype /Image /Width 60 /Height 40 ${RGB}`);
    const given = onePage({
      page: '/Resources << /Font << /A 5 0 R /B 6 0 R >> /XObject << /X 7 0 R /Y 8 0 R /Z 9 0 R >> >>',
      content: '60 0 0 40 0 0 cm /X Do 1 0 0 1 1 1 cm /Y Do BT /A 1 Tf (a) Tj /B 1 Tf (b) Tj ET',
      more: [
        font,
        font,
        image,
        image,
        streamOf(data.slice(3), `/Subtype /Image /Width 59 /Height 40 ${RGB}`),
      ],
    });
    const { bytes } = await compress(given, { optimizeLevel: '2' });
    const streams = Object.values(qpdfObjects(bytes)).filter(
      ({ stream }) => stream?.dict['/Subtype'] === '/Image',
    );
    assert.equal(streams.length, 1);
    const fonts = JSON.stringify(qpdfObjects(bytes)).match(/\/Helvetica/g);
    assert.equal(fonts?.length, 1);
    assert.deepEqual(raster(bytes), raster(given));
  });
});

describe('images', { skip }, () => {
  test('have the dots their place needs', async () => {
    const { bytes, headers } = await compress(withImages([photograph(100)]));
    const [image] = images(bytes);
    assert.equal(image?.coding, 'jpeg');
    assert.ok(Math.abs((image?.ppi ?? 0) - 150) < 3, `${image?.ppi}`);
    assert.match(
      headers['X-Compression-Ledger'] ?? '',
      /^images=\d+\/\d+; fonts=0\/0; streams=\d+\/\d+; structure=\d+\/\d+$/,
    );
  });

  test('are as large as where they are drawn largest, through forms and patterns', async () => {
    const { width, height, data } = photograph(0);
    const given = onePage({
      page: '/Resources << /XObject << /F 5 0 R /P 6 0 R >> >>',
      content: 'q 30 0 0 20 0 0 cm /P Do Q q 2 0 0 2 50 50 cm /F Do Q',
      more: [
        streamOf(
          'q 60 0 0 40 0 0 cm /P Do Q',
          '/Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /P 6 0 R >> >>',
        ),
        streamOf(
          Buffer.from(data).toString('latin1'),
          `/Subtype /Image /Width ${width} /Height ${height} ${RGB}`,
        ),
      ],
    });
    const { bytes } = await compress(given);
    // 120 points at 149.6 dots per inch.
    assert.deepEqual([...new Set(images(bytes).map((each) => each.width))], [249]);
  });

  test('that are drawn much larger than their dots stay as they are', async () => {
    const data = await jpegOf(photo(600, 400, 3), 3);
    const given = withImages([
      { ...photograph(0), data, filter: '/DCTDecode', drawn: { width: 900, height: 600 } },
    ]);
    const { bytes } = await compress(given, { optimizeLevel: '9' });
    assert.deepEqual(raster(bytes), raster(given));
  });

  const WRAPPED: [filter: string, wrap: (jpeg: Buffer) => Buffer][] = [
    ['[/ASCIIHexDecode /DCTDecode]', (jpeg) => Buffer.from(`${jpeg.toString('hex')}>`)],
    ['[/FlateDecode /DCTDecode]', (jpeg) => deflateSync(jpeg)],
  ];
  for (const [filter, wrap] of WRAPPED) {
    test(`that are packed once more are worked on: ${filter}`, async () => {
      const jpeg = await jpegOf(photo(600, 400, 3), 3);
      const plain = withImages([{ ...photograph(120), data: jpeg, filter: '/DCTDecode' }]);
      const given = withImages([{ ...photograph(120), data: wrap(jpeg), filter }]);
      const ways: Record<string, string>[] = [
        { optimizeLevel: '9' },
        { optimizeLevel: '4', grayscale: 'true' },
      ];
      for (const params of ways) {
        const [one, other] = [await compress(given, params), await compress(plain, params)];
        assert.deepEqual(images(one.bytes), images(other.bytes));
        assert.deepEqual(raster(one.bytes), raster(other.bytes));
        assert.ok(images(one.bytes)[0]?.width !== 600);
      }
      const { bytes } = await compress(given, { optimizeLevel: '2' });
      assert.deepEqual(raster(bytes), raster(given));
      assert.ok(bytes.length < jpeg.length + 2000);
    });
  }

  test('faxes written as text become faxes again', async () => {
    const rows = Array.from({ length: 400 }, (_, y) => Buffer.alloc(75, y % 9 < 4 ? 0xf0 : 0));
    const fax = encodeFax(rows, 600, { setIsBlack: true });
    const data = Buffer.from(`${Buffer.from(fax).toString('hex')}>`);
    const parms = '/DecodeParms [null << /K -1 /Columns 600 /Rows 400 >>]';
    const given = withImages([
      {
        ...photograph(120),
        data,
        entries: `/ColorSpace /DeviceGray /BitsPerComponent 1 ${parms}`,
        filter: '[/ASCIIHexDecode /CCITTFaxDecode]',
      },
    ]);
    const { bytes } = await compress(given, { optimizeLevel: '2' });
    assert.deepEqual(raster(bytes), raster(given));
    assert.equal(images(bytes)[0]?.coding, 'ccitt');
    assert.doesNotMatch(bytes.toString('latin1'), /ASCIIHex/);
  });

  const grey = photo(600, 400, 1);
  const tint = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 0.5 0] /N 1 >>';
  const spaces: [string, () => Promise<{ entries: string; data: Buffer; filter?: string }>, string][] = [
    ['red-green-blue', async () => ({ entries: RGB, data: photo(600, 400, 3) }), 'rgb'],
    [
      'red-green-blue as JPEG',
      async () => ({ entries: RGB, data: await jpegOf(photo(600, 400, 3), 3), filter: '/DCTDecode' }),
      'rgb',
    ],
    [
      'grey the other way round',
      async () => ({ entries: '/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [1 0]', data: grey }),
      'gray',
    ],
    [
      'inks',
      async () => ({ entries: '/ColorSpace /DeviceCMYK /BitsPerComponent 8', data: photo(600, 400, 4) }),
      'cmyk',
    ],
    [
      'an ink of its own',
      async () => ({
        entries: `/ColorSpace [/Separation /Rose /DeviceCMYK ${tint}] /BitsPerComponent 8`,
        data: grey,
      }),
      'sep',
    ],
    [
      'sixteen bits',
      async () => ({
        entries: '/ColorSpace /DeviceGray /BitsPerComponent 16',
        data: Buffer.from(grey.toString('latin1').replace(/[\s\S]/g, '$&\0'), 'latin1'),
      }),
      'gray',
    ],
    [
      'a palette',
      async () => ({
        entries: `/ColorSpace [/Indexed /DeviceRGB 255 <${Array.from({ length: 256 }, (_, i) => [i, 255 - i, i >> 1].map((v) => v.toString(16).padStart(2, '0')).join('')).join('')}>] /BitsPerComponent 8`,
        data: grey,
      }),
      'rgb',
    ],
  ];
  for (const [name, given, colour] of spaces) {
    test(`keep their colours: ${name}`, async () => {
      const file = withImages([
        { width: 600, height: 400, drawn: { width: 150, height: 100 }, ...(await given()) },
      ]);
      const { bytes } = await compress(file, { optimizeLevel: '5' });
      qpdfCheck(bytes);
      const [image] = images(bytes);
      assert.deepEqual([image?.coding, image?.colour, image?.width], ['jpeg', colour, 312]);
      const { mean, worst } = apart(raster(bytes), raster(file));
      assert.ok(mean < 0.5 && worst < 12, `${mean} ${worst}`);
    });
  }

  test('of one bit stay so, as faxes', async () => {
    const bits = Buffer.alloc(100 * 400);
    // Edges that wander from row to row, as those of scanned letters do.
    const edges = Array.from({ length: 40 }, (_, index) => 20 * index + 3);
    for (let y = 0, seed = 9; y < 400; y += 1) {
      for (let edge = 0; edge < edges.length; edge += 1) {
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        edges[edge] = (edges[edge] ?? 0) + (((seed >> 16) % 3) - 1) * (y % 3 === edge % 3 ? 1 : 0);
      }
      for (let x = 0; x < 800; x += 1) {
        const at = y * 100 + (x >> 3);
        if (edges.filter((edge) => edge <= x).length % 2) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
      }
    }
    const drawn = { width: 100, height: 50 };
    const file = withImages([
      { width: 800, height: 400, data: bits, entries: '/ColorSpace /DeviceGray /BitsPerComponent 1', drawn },
      { width: 800, height: 400, data: bits, entries: '/ImageMask true', drawn },
      { width: 800, height: 400, data: bits, entries: '/ImageMask true /Decode [1 0]', drawn },
    ]);
    const { bytes } = await compress(file, { optimizeLevel: '9' });
    assert.deepEqual(raster(bytes), raster(file));
    assert.ok(
      images(bytes).every(({ bits: one, width, coding }) => one === 1 && width === 800 && coding === 'ccitt'),
      JSON.stringify(images(bytes)),
    );
  });

  test('in the codecs of scans are kept byte for byte', async () => {
    const rows = Array.from({ length: 400 }, (_, y) => Buffer.alloc(100, y % 3 ? 0xf0 : 0x11));
    const fax = encodeFax(rows, 800, { setIsBlack: true });
    const file = withImages([
      {
        width: 800,
        height: 400,
        data: fax,
        filter: '/CCITTFaxDecode /DecodeParms << /K -1 /Columns 800 >>',
        entries: '/ColorSpace /DeviceGray /BitsPerComponent 1',
        drawn: { width: 50, height: 25 },
      },
    ]);
    const { bytes } = await compress(file, { optimizeLevel: '9' });
    assert.ok(bytes.includes(fax));
  });

  test('with clear colours keep every sample', async () => {
    const file = withImages([photograph(60, '/Mask [100 130 0 255 0 255]')]);
    const { bytes } = await compress(file, { optimizeLevel: '9' });
    assert.deepEqual(raster(bytes), raster(file));
  });

  test('keep their opacity; mixed with a ground they stay as they are', async () => {
    const opacity = (matte: string): string =>
      streamOf(
        photo(600, 400, 1).toString('latin1'),
        `/Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceGray /BitsPerComponent 8 ${matte}`,
      );
    for (const [matte, width] of [
      ['', 125],
      ['/Matte [0 0 0]', 600],
    ] as const) {
      const file = withImages([photograph(60, '/SMask 5 0 R')], [opacity(matte)]);
      const { bytes } = await compress(file);
      assert.deepEqual(
        images(bytes).map((each) => [each.type, each.width]),
        [
          ['image', width],
          ['smask', width],
        ],
      );
      assert.ok(apart(raster(bytes), raster(file)).mean < 0.3);
    }
  });

  test('that are damaged, or lie about their size, stay as they are', async () => {
    const whole = await jpegOf(photo(600, 400, 3), 3);
    const cut = whole.subarray(0, whole.length >> 1);
    const data = photo(60, 40, 3);
    const drawn = { width: 60, height: 40 };
    for (const image of [
      { width: 600, height: 400, data: cut, filter: '/DCTDecode', entries: RGB, drawn },
      { width: 6000, height: 400, data, entries: RGB, drawn },
      {
        width: 600,
        height: 400,
        data: whole,
        filter: '/DCTDecode',
        entries: '/ColorSpace /DeviceGray /BitsPerComponent 8',
        drawn,
      },
      {
        width: 60,
        height: 40,
        data,
        entries: '/ColorSpace [/Indexed /DeviceRGB 255] /BitsPerComponent 8',
        drawn,
      },
      { width: 60, height: 40, data, entries: '/ColorSpace 99 0 R /BitsPerComponent 7 /SMask 5 0 R', drawn },
    ]) {
      const file = withImages([image]);
      const { bytes } = await compress(file);
      qpdfCheck(bytes, { tolerant: true });
      assert.deepEqual(raster(bytes), raster(file));
    }
  });

  test('that pack well are not made larger by what loses something', async () => {
    const ramp = (of: (x: number, y: number, channel: number) => number): Buffer =>
      Buffer.from(
        Array.from({ length: 600 * 400 * 3 }, (_, at) =>
          of(Math.floor(at / 3) % 600, Math.floor(at / 1800), at % 3),
        ),
      );
    for (const data of [
      ramp((x, y, channel) => [x % 256, y % 256, (x + y) % 256][channel] ?? 0),
      ramp((x, y) => ((x >> 4) + (y >> 4)) * 3),
      photo(600, 400, 3),
    ]) {
      const source = withImages([
        { width: 600, height: 400, data, entries: RGB, drawn: { width: 300, height: 200 } },
        { width: 600, height: 400, data, entries: RGB, drawn: { width: 150, height: 100 } },
      ]);
      let before = Number.POSITIVE_INFINITY;
      for (const optimizeLevel of ['1', '3', '4', '5', '6', '7', '8', '9']) {
        const { bytes } = await compress(source, { optimizeLevel });
        assert.ok(bytes.length <= before * 1.01, `level ${optimizeLevel}: ${bytes.length} after ${before}`);
        before = bytes.length;
      }
    }
  });

  test('become grey, or lines of black and white, when asked to', async () => {
    const file = withImages([
      photograph(200),
      { ...photograph(100), data: await jpegOf(photo(600, 400, 3), 3), filter: '/DCTDecode' },
    ]);
    for (const optimizeLevel of ['2', '5']) {
      const shades = await compress(file, { grayscale: 'true', optimizeLevel });
      assert.deepEqual(
        images(shades.bytes).map((each) => each.colour),
        ['gray', 'gray'],
      );
      const lines = await compress(file, { lineArt: 'true', optimizeLevel });
      assert.deepEqual(
        images(lines.bytes).map((each) => [each.coding, each.bits]),
        [
          ['ccitt', 1],
          ['ccitt', 1],
        ],
      );
      const black = await compress(file, { lineArt: 'true', lineArtThreshold: '100', optimizeLevel });
      const white = await compress(file, { lineArt: 'true', lineArtThreshold: '0', optimizeLevel });
      const mean = ({ bytes }: { bytes: Buffer }): number =>
        raster(bytes).reduce((sum, each) => sum + each, 0);
      assert.ok(mean(black) < mean(lines) && mean(lines) < mean(white));
    }
  });
});

describe('results', { skip }, () => {
  test('a document that would grow comes back as it was', async () => {
    const { bytes: small } = await compress(fixture('everything.pdf'));
    const { bytes, headers } = await compress(small, { linearize: 'true' });
    assert.equal(headers['X-Compression-Result'], 'unchanged');
    assert.deepEqual(bytes, small);
  });

  test('a target is met where it can be', async () => {
    const file = withImages([photograph(400), photograph(300)]);
    for (const [size, outcome] of [
      [`${file.length}B`, 'target-met'],
      ['60KB', 'target-met'],
      ['25KB', 'target-met'],
      ['1KB', 'target-missed'],
    ] as const) {
      const { bytes, headers } = await compress(file, { expectedOutputSize: size, optimizeLevel: '1' });
      assert.equal(headers['X-Compression-Result'], outcome, `${size} ${bytes.length}`);
      if (outcome === 'target-met')
        assert.ok(bytes.length <= Number.parseInt(size, 10) * (size.endsWith('KB') ? 1024 : 1));
    }
  });

  test('linearized and normalised where asked', async () => {
    const { bytes } = await compress(fixture('embedded-fonts.pdf'), { linearize: 'true', normalize: 'true' });
    assert.match(askProgram('qpdf', ['--check-linearization', '{}'], bytes), /no linearization errors/);
    assert.equal(pdftotext(bytes), pdftotext(readFileSync(fixture('embedded-fonts.pdf'))));
  });

  test('a signed document says that it is no longer', async () => {
    const signed = await runHere('security/cert-sign', {
      files: {
        fileInput: fixture('everything.pdf'),
        privateKeyFile: fixture('keys/signer-key.pem'),
        certFile: fixture('keys/signer-cert.pem'),
      },
      params: { certType: 'PEM' },
    });
    const { headers } = await compress(made(signed));
    assert.equal(headers['X-Compression-Warning'], 'signatures-invalidated');
    assert.ok(!('X-Compression-Warning' in (await compress(fixture('everything.pdf'))).headers));
  });

  for (const [field, value] of [
    ['optimizeLevel', '0'],
    ['optimizeLevel', '10'],
    ['expectedOutputSize', '100B'],
    ['lineArtThreshold', '101'],
    ['lineArtEdgeLevel', '4'],
    ['grayscale', 'perhaps'],
  ] as const) {
    test(`${field} cannot be ${value}`, async () => {
      const params = { lineArt: 'true', [field]: value };
      const problem = failed(
        await runHere('misc/compress-pdf', { files: { fileInput: fixture('everything.pdf') }, params }),
      );
      assert.equal(problem.reason, 'invalid_parameter');
      assert.match(problem.detail ?? '', new RegExp(field));
    });
  }
});
