import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, corpusFolder, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { askProgram, missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { probe } from '../../engines/tesseract/program.ts';

const OP = 'misc/ocr-pdf';
const { available, languages = [] } = await probe();
const skip = !available ? 'not installed: tesseract' : missing('pdftotext', 'pdfimages', 'pdffonts', 'qpdf');
const WORDS = 'Bindery reads scanned pages';
const SCAN = readFileSync(fixture('scan.pdf'));

/** The image of the fixture: 900 by 100 pixels, one bit each, a fax. */
const FAX = (() => {
  const text = SCAN.toString('latin1');
  const at = text.indexOf('/Subtype /Image');
  const from = text.indexOf('stream\n', at) + 7;
  return text.slice(from, text.indexOf('\nendstream', from));
})();
const IMAGE = streamOf(
  FAX,
  '/Type /XObject /Subtype /Image /Width 900 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 1 ' +
    '/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 900 /Rows 100 /BlackIs1 true >>',
);

/** A page that draws the image as `I`, in whatever way. */
const scanned = (content: string, page: string, more: readonly string[] = []): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${page} /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> /Font << /H << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    streamOf(content),
    IMAGE,
    ...more,
  ]);

const read = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere(OP, { files: { fileInput: { name: 'page.pdf', bytes } }, params });

/** Digests of the images of a document, as they are stored. */
function storedImages(bytes: Uint8Array): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-images-'));
  try {
    writeFileSync(join(dir, 'in.pdf'), bytes);
    spawnSync('pdfimages', ['-all', join(dir, 'in.pdf'), join(dir, 'image')]);
    return readdirSync(dir)
      .filter((name) => name.startsWith('image'))
      .sort()
      .map((name) =>
        createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex'),
      );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
  text: string;
}

function places(bytes: Uint8Array): Place[] {
  const found = pdftotext(bytes, '-bbox').matchAll(
    /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g,
  );
  return [...found].map(([, left, top, right, bottom, text = '']) => ({
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
    text,
  }));
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('pages with an image of one line', { skip, concurrency: 2 }, () => {
  for (const ocrRenderType of ['hocr', 'sandwich']) {
    test(`text is laid over the page, and nothing else changes: ${ocrRenderType}`, async () => {
      const ran = await read(SCAN, { ocrRenderType });
      const bytes = made(ran);
      assert.equal(madeName(ran), 'page_OCR.pdf');
      qpdfCheck(bytes);
      assert.equal(flat(pdftotext(bytes)), WORDS);
      assert.deepEqual(storedImages(bytes), storedImages(SCAN));
      const fonts = askProgram('pdffonts', ['{}'], bytes).split('\n').slice(2).filter(Boolean);
      assert.equal(fonts.length, 1);
      assert.match(fonts[0] ?? '', /CID TrueType +Identity-H +yes no +yes/);
      const [first] = places(bytes);
      assert.ok(first && Math.abs(first.left - 8) < 1.5, JSON.stringify(first));
      assert.ok(first.top > 2 && first.bottom < 21, JSON.stringify(first));
    });
  }

  const turns: [name: string, content: string, page: string, left: number][] = [
    [
      'a crop box away from the origin',
      'q 216 0 0 24 100 200 cm /I Do Q',
      '/MediaBox [0 0 600 800] /CropBox [100 200 316 224]',
      // pdftotext counts from the media box.
      108,
    ],
    ['a quarter turn', 'q 0 216 -24 0 24 0 cm /I Do Q', '/MediaBox [0 0 24 216] /Rotate 90', 8],
    ['half a turn', 'q -216 0 0 -24 216 24 cm /I Do Q', '/MediaBox [0 0 216 24] /Rotate 180', 8],
    ['three quarters', 'q 0 -216 24 0 0 216 cm /I Do Q', '/MediaBox [0 0 24 216] /Rotate 270', 8],
    ['a picture on part of the page', 'q 216 0 0 24 40 60 cm /I Do Q', '/MediaBox [0 0 300 120]', 48],
    [
      'content that leaves its state changed',
      '2 0 0 2 5 5 cm q 108 0 0 12 -2.5 -2.5 cm /I Do',
      '/MediaBox [0 0 216 24]',
      8,
    ],
  ];
  for (const [name, content, page, left] of turns) {
    test(`words stand where they are shown: ${name}`, async () => {
      const bytes = made(await read(scanned(content, page)));
      qpdfCheck(bytes);
      assert.equal(flat(pdftotext(bytes)), WORDS);
      const [first] = places(bytes);
      assert.ok(first && Math.abs(first.left - left) < 2, JSON.stringify(first));
    });
  }

  test('pages with text stay as they are, unless all are to be read', async () => {
    const both = scanned(
      'q 216 0 0 24 0 0 cm /I Do Q BT /H 12 Tf 10 60 Td (Already text) Tj ET',
      '/MediaBox [0 0 300 100]',
    );
    assert.equal(flat(pdftotext(made(await read(both)))), 'Already text');
    assert.equal(flat(pdftotext(made(await read(both, { ocrType: 'skip-text' })))), 'Already text');
    const forced = made(await read(both, { ocrType: 'force-ocr' }));
    qpdfCheck(forced);
    assert.equal(flat(pdftotext(forced)), `Already text ${WORDS}`);
    assert.equal(askProgram('pdffonts', ['{}'], forced).split('\n').slice(2).filter(Boolean).length, 1);
  });

  test('text that was laid over a scan before is read anew, its image kept', async () => {
    const before = scanned(
      'q 216 0 0 24 0 0 cm /I Do Q BT 3 Tr /H 12 Tf 10 8 Td (Badly read) Tj ET',
      '/MediaBox [0 0 216 24]',
    );
    const bytes = made(await read(before, { ocrType: 'force-ocr' }));
    qpdfCheck(bytes);
    assert.equal(flat(pdftotext(bytes)), WORDS);
    assert.deepEqual(storedImages(bytes), storedImages(before));
  });

  test('everything else of a document is kept', async () => {
    const rich = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R /AcroForm << /Fields [8 0 R] /DA (/Helv 0 Tf 0 g) >> /StructTreeRoot 10 0 R /MarkInfo << /Marked true >> /Lang (en) >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 216 24] /Contents 4 0 R /StructParents 0 /Annots [8 0 R 9 0 R] /Resources << /XObject << /I 5 0 R >> >> >>',
      streamOf('/Figure << /MCID 0 >> BDC q 216 0 0 24 0 0 cm /I Do Q EMC'),
      IMAGE,
      '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
      '<< /Title (A bookmark) /Parent 6 0 R /Dest [3 0 R /Fit] >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V () /Rect [150 2 210 20] /P 3 0 R >>',
      '<< /Type /Annot /Subtype /Link /Rect [0 0 40 20] /A << /S /URI /URI (https://example.org/) >> >>',
      '<< /Type /StructTreeRoot /K 11 0 R /ParentTree << /Nums [0 [11 0 R]] >> >>',
      '<< /Type /StructElem /S /Figure /P 10 0 R /Pg 3 0 R /K 0 /Alt (A line of text) >>',
    ]);
    for (const cleanFinal of ['false', 'true']) {
      const bytes = made(await read(rich, { cleanFinal }));
      qpdfCheck(bytes);
      assert.equal(flat(pdftotext(bytes)), WORDS);
      const of = askProgram('qpdf', ['--json', '{}'], bytes);
      for (const kept of ['A bookmark', 'u:field', 'https://example.org/', 'A line of text'])
        assert.ok(of.includes(kept), kept);
      assert.equal(JSON.parse(of).acroform.fields.length, 1);
    }
  });

  test('askew pages are straightened without packing images anew', async () => {
    const [cos, sin] = [Math.cos(0.05), Math.sin(0.05)];
    const askew = scanned(
      `q ${cos} ${-sin} ${sin} ${cos} 20 60 cm 216 0 0 24 0 0 cm /I Do Q`,
      '/MediaBox [0 0 260 100]',
    );
    const bytes = made(await read(askew, { deskew: 'true' }));
    qpdfCheck(bytes);
    assert.equal(flat(pdftotext(bytes)), WORDS);
    assert.deepEqual(storedImages(bytes), storedImages(askew));
    const tops = places(bytes).map(({ bottom }) => bottom);
    assert.ok(Math.max(...tops) - Math.min(...tops) < 1.5, String(tops));
  });

  test('specks are not read, and gone where the result is to be clean', async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    const specks = Array.from(
      { length: 150 },
      () => `${(random() * 216).toFixed(2)} ${(random() * 40).toFixed(2)} 0.24 0.24 re f`,
    );
    const dusty = scanned(`q 216 0 0 24 0 8 cm /I Do Q ${specks.join(' ')}`, '/MediaBox [0 0 216 40]');
    assert.equal(flat(pdftotext(made(await read(dusty, { clean: 'true' })))), WORDS);
    const bytes = made(await read(dusty, { cleanFinal: 'true' }));
    qpdfCheck(bytes);
    assert.equal(flat(pdftotext(bytes)), WORDS);
    const dark = (of: Uint8Array): number => {
      const pgm = spawnSync('pdftoppm', ['-r', '300', '-gray', '-'], {
        input: of,
        maxBuffer: 1 << 26,
      }).stdout;
      // The strip above the words.
      return pgm.subarray(-900 * 166, -900 * 140).filter((tone: number) => tone < 128).length;
    };
    assert.ok(dark(dusty) > 20);
    assert.equal(dark(bytes), 0);
  });

  test('images are dropped where asked, the text stays', async () => {
    const bytes = made(await read(SCAN, { removeImagesAfter: 'true' }));
    qpdfCheck(bytes);
    assert.deepEqual(storedImages(bytes), []);
    assert.equal(flat(pdftotext(bytes)), WORDS);
  });

  test('what was recognised reads as any other text, with its image and without', async () => {
    for (const removeImagesAfter of ['false', 'true']) {
      const bytes = made(await read(SCAN, { removeImagesAfter }));
      for (const path of ['convert/pdf/text', 'convert/pdf/markdown']) {
        const call = { files: { fileInput: { name: 'page.pdf', bytes } } };
        assert.equal(
          made(await runHere(path, call))
            .toString()
            .trim(),
          WORDS,
          `${path}, ${removeImagesAfter}`,
        );
      }
    }
  });

  test('the text comes beside the document where asked', async () => {
    const ran = await read(SCAN, { sidecar: 'true' });
    assert.equal(madeName(ran), 'page_OCR.zip');
    const [pdf, text, ...more] = await zipEntries(made(ran));
    assert.deepEqual([pdf?.name, text?.name, more.length], ['page_OCR.pdf', 'page_OCR.txt', 0]);
    assert.equal(flat(text?.bytes.toString('utf8') ?? ''), WORDS);
    assert.equal(flat(pdftotext(pdf?.bytes ?? new Uint8Array())), WORDS);
  });

  test('a blank page stays blank', async () => {
    const bytes = made(await read(scanned('1 g 0 0 100 100 re f', '/MediaBox [0 0 100 100]')));
    qpdfCheck(bytes);
    assert.equal(flat(pdftotext(bytes)), '');
  });
});

test('languages must be installed; the refusal names those that are', { skip }, async () => {
  for (const languages of ['eng,tlh', '../eng', '--help']) {
    const problem = failed(await read(SCAN, { languages }));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /languages/);
    assert.ok(problem.detail.includes(languages.split(',').at(-1) ?? ''));
    assert.match(problem.detail, /\beng\b/);
  }
  const many = failed(await read(SCAN, { languages: Array(11).fill('eng').join() }));
  assert.match(many.detail, /languages/);
});

test('several languages at once', {
  skip: skip || (!languages.includes('deu') && 'not installed: tesseract-ocr-deu'),
}, async () => {
  assert.equal(flat(pdftotext(made(await read(SCAN, { languages: 'eng,deu' })))), WORDS);
});

const TRUTH = new URL('TRUTH.tsv', corpusFolder('ocr'));
/** Recall may be so much lower than that of Tesseract's own text. */
const ALLOWED = 0.02;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_'\u2019]{2,}/gu) ?? [];

function recall(truth: string, found: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(found)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const wanted = wordsOf(truth);
  let hits = 0;
  for (const word of wanted) {
    const left = counts.get(word) ?? 0;
    if (left > 0) hits += 1;
    counts.set(word, left - 1);
  }
  return hits / wanted.length;
}

describe('scans whose text is known', { skip: skip || noCorpus(), concurrency: 2 }, () => {
  if (noCorpus()) return;
  // The quickest; `node bench/recognition-recall.ts` reads them all.
  const quick = /PDFBOX-3783|issue1350/;
  const rows = readFileSync(TRUTH, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .filter((row) => quick.test(row));
  for (const [pdf = '', truth = '', languages = '', least = '1'] of rows.map((row) => row.split('\t'))) {
    const [path, words] = [pdf, truth].map((each) => new URL(each.replace('shared/ocr/', ''), TRUTH));
    if (!path || !words) continue;
    test(pdf, async () => {
      const before = readFileSync(path);
      const bytes = made(await read(before, { languages }));
      qpdfCheck(bytes);
      const text = pdftotext(bytes);
      const found = recall(readFileSync(words, 'utf8'), text);
      assert.ok(found >= Number(least) - ALLOWED, `recall ${found}, Tesseract has ${least}`);
      assert.deepEqual(storedImages(bytes), storedImages(before));
      assert.ok(
        bytes.length <= before.length * 1.05 + 4 * text.length,
        `${before.length} became ${bytes.length}`,
      );
    });
  }

  test('a page that stands on its head is read as it stands', async () => {
    const [path] = corpus('ocr').filter((each) => each.includes('issue1350'));
    const upright = readFileSync(path ?? '');
    const dir = mkdtempSync(join(tmpdir(), 'bindery-turned-'));
    try {
      writeFileSync(join(dir, 'in.pdf'), upright);
      spawnSync('qpdf', ['--rotate=180', join(dir, 'in.pdf'), join(dir, 'out.pdf')]);
      const bytes = made(await read(readFileSync(join(dir, 'out.pdf'))));
      qpdfCheck(bytes);
      const truth = readFileSync((path ?? '').replace('.pdf', '.txt'), 'utf8');
      assert.ok(recall(truth, pdftotext(bytes)) > 0.95);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

/** Kills each Tesseract of this process as soon as it is seen, up to so many. */
function killTesseract(most: number): { killed: () => number; stop(): void } {
  let killed = 0;
  const timer = setInterval(() => {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ');
    for (const pid of children.filter(Boolean)) {
      try {
        const isTesseract = readFileSync(`/proc/${pid}/comm`, 'latin1').trim() === 'tesseract';
        if (!isTesseract || killed >= most) continue;
        process.kill(Number(pid), 'SIGKILL');
        killed += 1;
      } catch {
        // It has ended by itself.
      }
    }
  }, 1);
  return { killed: () => killed, stop: () => clearInterval(timer) };
}

test('where Tesseract is killed the call fails, and blames no document', { skip }, async () => {
  for (const most of [1, 1000]) {
    const killer = killTesseract(most);
    const ran = await read(SCAN, {}).finally(() => killer.stop());
    assert.ok(killer.killed() > 0, 'Tesseract was there');
    const problem = failed(ran);
    assert.equal(problem.reason, 'unavailable');
    assert.match(problem.detail, /^Page 1: The recognition of its text ended unexpectedly\.$/);
    assert.equal(problem.file, undefined);
  }
  assert.match(pdftotext(made(await read(SCAN, {}))), /Bindery reads/);
});
