// verifyByOcr: words that no reader of text finds, seen on the pages. A text recognition of our own reads the result
// again, from pages that poppler draws.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { failed, made, type Ran, runHere } from '../../../testing/calls/run-here.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { missing, pdftotext } from '../../../testing/oracles/programs.ts';

const skip = missing('pdftotext', 'pdftoppm', 'tesseract');
const dir = mkdtempSync(join(tmpdir(), 'bindery-seen-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const LINES =
  'BT /F 28 Tf 60 700 Td (The witness is called) Tj 0 -60 Td (Margaret Holloway) Tj 0 -60 Td (and lives elsewhere) Tj ET';
const page = (rotate = 0): Buffer =>
  onePage({
    page: `/Resources << /Font << /F 5 0 R >> >> /Rotate ${rotate}`,
    content: LINES,
    more: [FONT],
  });

interface Picture {
  width: number;
  height: number;
  grey: Buffer;
}

function drawn(pdf: Uint8Array, dpi: number): Picture {
  const path = join(dir, 'drawn.pdf');
  writeFileSync(path, pdf);
  const { stdout } = spawnSync('pdftoppm', ['-gray', '-r', String(dpi), '-f', '1', '-l', '1', path], {
    maxBuffer: 1 << 28,
  });
  const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(0, 40).toString('latin1'));
  assert.ok(header);
  return { width: Number(header[1]), height: Number(header[2]), grey: stdout.subarray(header[0].length) };
}

/** What a person reads on the first page. */
function seen(pdf: Uint8Array): string {
  const { width, height, grey } = drawn(pdf, 200);
  const path = join(dir, 'seen.pgm');
  writeFileSync(path, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]));
  return spawnSync('tesseract', [path, 'stdout'], { encoding: 'utf8' }).stdout;
}

/** The page as a scanner gives it: nothing but pixels. */
function scanned(rotate = 0): Buffer {
  const { width, height, grey } = drawn(page(), 150);
  const data = deflateSync(grey).toString('latin1');
  return onePage({
    page: `/Resources << /XObject << /I 5 0 R >> >> /Rotate ${rotate}`,
    content: 'q 612 0 0 792 0 0 cm /I Do Q',
    more: [
      streamOf(
        data,
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
      ),
    ],
  });
}

const redacted = (bytes: Uint8Array, params: Record<string, string>): Promise<Ran> =>
  runHere('security/auto-redact', {
    files: { fileInput: { name: 'scan.pdf', bytes } },
    params: { listOfText: 'Holloway', ...params },
  });

test('without it a word that is only pixels stays, as it is said', { skip }, async () => {
  const result = made(await redacted(scanned(), {}));
  assert.match(seen(result), /Holloway/);
});

for (const rotate of [0, 90, 180])
  test(`a word that is only pixels is covered, all else stays; turned by ${rotate}`, { skip }, async () => {
    const ran = await redacted(scanned(rotate), { verifyByOcr: 'true', report: 'true' });
    const [pdf, report] = await zipEntries(made(ran));
    assert.ok(pdf && report && ran.state === 'made');
    assert.equal(ran.result.headers['X-Redaction-Count'], '1');
    const upright = Buffer.from(
      pdf.bytes.toString('latin1').replace(/\/Rotate \d+/, '/Rotate 0'.padEnd(0)),
      'latin1',
    );
    const text = seen(rotate === 0 ? pdf.bytes : upright);
    assert.doesNotMatch(text, /hollow/i);
    assert.match(text, /witness is called/i);
    assert.match(text, /lives elsewhere/);
    const { asked, verification, found } = JSON.parse(report.bytes.toString('utf8'));
    assert.equal(asked.verifyByOcr, true);
    assert.ok(
      verification.checks.some(
        ({ check, reader, result }: Record<string, string>) =>
          check === 'ocr' && reader === 'tesseract' && result === 'clean',
      ),
    );
    assert.equal(found.places.length, 1);
  });

test('text goes as it does without, and the pages are seen clean', { skip }, async () => {
  const result = made(await redacted(page(), { verifyByOcr: 'true' }));
  assert.doesNotMatch(pdftotext(result) + seen(result), /hollow/i);
  assert.match(seen(result), /witness is called/i);
});

test('redact: rectangles and pages are seen clean', { skip }, async () => {
  const result = made(
    await runHere('security/redact', {
      files: { fileInput: { name: 'scan.pdf', bytes: scanned() } },
      params: {
        redactions: JSON.stringify([{ page: 1, x: 50, y: 125, width: 400, height: 40 }]),
        verifyByOcr: 'true',
      },
    }),
  );
  assert.doesNotMatch(seen(result), /hollow|margaret/i);
  assert.match(seen(result), /witness is called/i);
});

test('a language that is not installed is refused by name', { skip }, async () => {
  const problem = failed(await redacted(page(), { verifyByOcr: 'true', languages: 'xyz' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /languages: xyz/);
});
