import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { docx, odf, paragraph, pptx, xlsx } from '../../../testing/documents/office-documents.ts';
import {
  bytesOf,
  given,
  officeForTests,
  pagesOf,
  textOf,
  withoutOffice,
} from '../../../testing/oracles/office-program.ts';
import { askProgram, missing } from '../../../testing/oracles/programs.ts';
import { Problem } from '../../contract/problems.ts';
import { isWarm, type OfficeKind, type OfficeTarget } from './office.ts';
import { convertOnce } from './one-shot.ts';
import { officeFolder } from './program.ts';

const skip = withoutOffice || missing('pdftotext', 'pdfinfo');
const letter = docx(paragraph('Guten Tag'));

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof Problem, String(thrown));
  return thrown;
}

const childrenOf = (pid: number): number[] =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').match(/\d+/g) ?? []).map(Number);

/** What a process that may be gone by now tells of itself. */
const told = (pid: number, what: 'comm' | 'cmdline'): string => {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1').trim();
  } catch {
    return '';
  }
};

/** The LibreOffice of this process. */
function officeProcess(): number {
  const found = childrenOf(process.pid).find((pid) => told(pid, 'comm') === 'soffice.bin');
  assert.ok(found, 'no LibreOffice runs');
  return found;
}

/** A killed process stays in the list until its parent has looked. */
const alive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

describe('LibreOffice', { skip }, () => {
  const office = officeForTests();
  const toPdf = async (bytes: Uint8Array, kind: OfficeKind, name = `x.${kind}`) =>
    office.convert(given(name, bytes), kind, 'pdf');
  /** Busy processors may let a start fail: then the next documents have a LibreOffice of their own. */
  const warmUp = async (): Promise<void> => {
    for (let count = 0; count < 8 && (count === 0 || !isWarm()); count += 1)
      await toPdf(await letter, 'docx');
  };

  test('a document becomes PDF, and LibreOffice stays up for the next', async () => {
    assert.match(textOf(await toPdf(await letter, 'docx')), /Guten Tag/);
    assert.equal(isWarm(), true);
    const before = officeProcess();
    assert.match(textOf(await toPdf(await letter, 'docx')), /Guten Tag/);
    assert.equal(officeProcess(), before);
  });

  const WRITTEN: readonly [from: OfficeKind, to: OfficeTarget, bytes: Promise<Buffer>, mediaType: RegExp][] =
    [
      ['docx', 'doc', letter, /msword|x-ole-storage|CDFV2/],
      ['docx', 'odt', letter, /vnd\.oasis\.opendocument\.text/],
      ['docx', 'rtf', letter, /rtf/],
      ['odt', 'docx', odf('text', { body: '<text:p>Guten Tag</text:p>' }), /wordprocessingml|zip/],
      ['pptx', 'ppt', pptx(''), /powerpoint|x-ole-storage|CDFV2/],
      ['pptx', 'odp', pptx(''), /vnd\.oasis\.opendocument\.presentation/],
      [
        'xlsx',
        'ods',
        xlsx('<row r="1"><c r="A1"><v>7</v></c></row>'),
        /vnd\.oasis\.opendocument\.spreadsheet/,
      ],
    ];
  for (const [from, to, bytes, mediaType] of WRITTEN) {
    test(`${from} becomes ${to}`, { skip: missing('file') }, async () => {
      const made = await office.convert(given(`x.${from}`, await bytes), from, to);
      const { stdout } = spawnSync('file', ['-b', '--mime-type', '-'], {
        input: bytesOf(made),
        encoding: 'utf8',
      });
      assert.match(stdout, mediaType);
    });
  }

  test('text is shown in any encoding', async () => {
    const TEXTS: readonly [string, Buffer][] = [
      ['UTF-8', Buffer.from('Grüße, 你好\n')],
      ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße, 你好\n', 'utf16le')])],
      ['Latin', Buffer.from('Grüße, 你好\n'.replace('你好', ''), 'latin1')],
    ];
    for (const [encoding, bytes] of TEXTS)
      assert.match(textOf(await toPdf(bytes, 'txt')), /Grüße,/, encoding);
  });

  test('cells of CSV are shown as they are written, whatever separates them', async () => {
    for (const separator of [',', ';', '\t', '|']) {
      const row = ['007', '12345678901234567890', '1/2', '"a\nb"', '=1+1'].join(separator);
      const text = textOf(
        await toPdf(
          Buffer.from(`A${separator}B${separator}C${separator}D${separator}E\n${row}\n`),
          'csv',
          'cells.csv',
        ),
      );
      for (const cell of ['007', '12345678901234567890', '1/2', '=1+1']) assert.ok(text.includes(cell), text);
      assert.ok(!text.includes(row.slice(0, 12)), text);
    }
  });

  test('fields that name the file name that of the caller', async () => {
    const body = '<w:p><w:fldSimple w:instr=" FILENAME "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>';
    const text = textOf(await toPdf(await docx(body), 'docx', 'Größe 1.docx'));
    assert.ok(!/out-\d/.test(text), text);
  });

  test('a document that cannot be read is refused, and the next is not', async () => {
    const broken = await docx('<w:p>');
    const problem = await problemOf(toPdf(broken, 'docx', 'broken.docx'));
    assert.equal(problem.reason, 'unsupported_file_type');
    assert.match(problem.detail, /^broken\.docx is damaged, or no document that can be converted\.$/);
    assert.equal(pagesOf(await toPdf(await letter, 'docx')), 1);
  });

  test('a document that takes too long ends with its own job', async () => {
    const hasty = officeForTests({ timeoutMs: 1 });
    const problem = await problemOf(hasty.convert(given('slow.docx', await letter), 'docx', 'pdf'));
    assert.equal(problem.reason, 'deadline_exceeded');
    assert.match(problem.detail, /slow\.docx/);
    assert.equal(pagesOf(await toPdf(await letter, 'docx')), 1);
  });

  test('a LibreOffice that has died is replaced', async () => {
    await warmUp();
    process.kill(officeProcess(), 'SIGKILL');
    assert.match(textOf(await toPdf(await letter, 'docx')), /Guten Tag/);
  });

  test('a document during which LibreOffice dies has another try with a fresh one', async () => {
    await warmUp();
    const long = docx(Array.from({ length: 4000 }, (_, index) => paragraph(`Zeile ${index}`)).join(''));
    const work = toPdf(await long, 'docx');
    await pause(60);
    process.kill(officeProcess(), 'SIGKILL');
    assert.match(textOf(await work), /Zeile 3999/);
  });

  test('a LibreOffice that could not be started is tried again later, and documents do without till then', async () => {
    await warmUp();
    process.kill(officeProcess(), 'SIGKILL');
    for (let count = 0; count < 500 && isWarm(); count += 1) await pause(10);
    const killer = setInterval(() => {
      for (const pid of childrenOf(process.pid))
        if (told(pid, 'cmdline').includes('--accept=')) process.kill(pid, 'SIGKILL');
    }, 5);
    try {
      assert.match(textOf(await toPdf(await letter, 'docx')), /Guten Tag/);
      assert.equal(isWarm(), false);
    } finally {
      clearInterval(killer);
    }
    for (let count = 0; count < 3 && !isWarm(); count += 1)
      assert.match(textOf(await toPdf(await letter, 'docx')), /Guten Tag/);
    assert.equal(isWarm(), true);
  });

  test('a LibreOffice that has served its time makes way for another, and nobody waits for it', async () => {
    await warmUp();
    const before = officeProcess();
    for (let count = 0; count < 120 && alive(before); count += 1) await toPdf(await letter, 'docx');
    assert.equal(alive(before), false);
    assert.equal(isWarm(), true);
  });

  test('documents asked for at once come one after another', async () => {
    const texts = await Promise.all(
      ['eins', 'zwei', 'drei'].map(async (word) => textOf(await toPdf(await docx(paragraph(word)), 'docx'))),
    );
    assert.deepEqual(
      texts.map((text) => text.trim()),
      ['eins', 'zwei', 'drei'],
    );
  });

  test('the result is tagged and has bookmarks for headings', { skip: missing('qpdf') }, async () => {
    const body = '<text:h text:outline-level="1">Kapitel</text:h><text:p>Text</text:p>';
    const pdf = await toPdf(await odf('text', { body }), 'odt');
    assert.match(askProgram('qpdf', ['--json', '--json-key=outlines', '{}'], bytesOf(pdf)), /Kapitel/);
    assert.match(Buffer.from(bytesOf(pdf)).toString('latin1'), /StructTreeRoot/);
  });

  test('where it cannot be kept up, each document has a LibreOffice of its own', async () => {
    const programs = officeFolder();
    assert.ok(programs);
    const dir = mkdtempSync(join(tmpdir(), 'bindery-one-'));
    try {
      const target = join(dir, 'out.pdf');
      const conversion = {
        content: { bytes: await letter },
        name: 'a letter.docx',
        load: {},
        target,
        extension: 'pdf',
      };
      const store = { FilterName: 'writer_pdf_Export' };
      assert.equal(await convertOnce(programs, { ...conversion, store }, 60_000), 'made');
      assert.match(textOf({ path: target }), /Guten Tag/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
