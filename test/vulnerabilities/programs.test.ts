// Programs that read documents: what callers write must not become an option, a command, a macro or a program, and what
// programs write must not lie where others can reach it.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { onePage, pdfOf, streamOf } from '../../service/testing/documents/written-pdf.ts';
import { type Watch, watchNetwork } from '../../service/testing/hostile-input/escape-attempts.ts';
import { hostileDocuments, SECRET, secrets } from '../../service/testing/hostile-input/office-documents.ts';
import { missing, pdftotext } from '../../service/testing/oracles/programs.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';
import { type Canaries, hideCanaries } from './canaries.ts';

let service: RunningService;
let canaries: Canaries;
let trap: Watch;
/** Where programs would leave their passing files by default. */
let temporary: string;
before(async () => {
  canaries = hideCanaries();
  trap = await watchNetwork();
  temporary = mkdtempSync(join(tmpdir(), 'bindery-passing-'));
  // Without isolation: what holds here is how programs are called.
  service = await startService({ env: { BINDERY_ISOLATION: 'none', TMPDIR: temporary } });
});
after(async () => {
  await service?.remove();
  await trap?.close();
  canaries?.remove();
  rmSync(temporary, { recursive: true, force: true });
});

const noProblemOfOurs = async (response: Response, what: string): Promise<Response> => {
  if (response.status >= 500) assert.notEqual((await problemOf(response.clone())).reason, 'internal', what);
  return response;
};

/** Operations that hand a file to another program, with a file they take. */
const PROGRAMS: Readonly<Record<string, { file: string; params?: Record<string, string> }>> = {
  'misc/ocr-pdf': { file: 'scan.pdf' },
  'convert/pdf/vector': { file: 'text-two-pages.pdf' },
  'convert/pdf/pdfa': { file: 'text-two-pages.pdf' },
  'misc/compress-pdf': { file: 'scan.pdf', params: { optimizeLevel: '9' } },
  'convert/file/pdf': { file: 'letter.docx' },
  'convert/svg/pdf': { file: 'drawing.svg' },
  'convert/html/pdf': { file: 'invoice.html' },
};

for (const [op, { file, params = {} }] of Object.entries(PROGRAMS)) {
  test(`option injection: a file name is never an option or a command of ${op}`, async () => {
    const extension = file.slice(file.lastIndexOf('.'));
    const bytes = new Uint8Array(readFileSync(fixture(file)));
    const { name } = canaries;
    const names = ['--help', `-sOutputFile=${name}`, `@${name}`, `$(touch ${name});touch ${name};`];
    const answers = await Promise.all(
      names.map((given) =>
        service.post(op, form({ ...params, fileInput: filePart(bytes, `${given}${extension}`) })),
      ),
    );
    for (const [n, answer] of answers.entries())
      assert.equal(answer.status, 200, `${names[n]}: ${await answer.text()}`);
    assert.deepEqual(canaries.written(service.dataDir, join(service.dataDir, 'work')), []);
  });
}

test('option injection: values of fields are never options, commands or paths', async () => {
  const scan = filePart(fixture('scan.pdf'));
  const page = filePart(fixture('text-two-pages.pdf'));
  const { name } = canaries;
  const languages = [
    '-l',
    '--psm 0',
    'eng;id',
    '../../etc/passwd',
    'eng+/etc/passwd',
    `eng -c x=${name}`,
    'eng\neng',
  ];
  for (const language of languages) {
    const refused = await service.post('misc/ocr-pdf', form({ fileInput: scan, languages: language }));
    assert.equal(refused.status, 400, language);
  }
  for (const password of ['-h', '--help', '@file', '$(id)', "'; id #", '--password=x']) {
    const fields = { fileInput: page, password, ownerPassword: password };
    const locked = await service.post('security/add-password', form(fields));
    assert.equal(locked.status, 200, password);
    const file = filePart(new Uint8Array(await locked.bytes()), 'a.pdf');
    const opened = await service.post('security/remove-password', form({ fileInput: file, password }));
    assert.equal(opened.status, 200, `${password} is a password like any other`);
  }
  assert.deepEqual(canaries.written(service.dataDir), []);
});

test('PostScript is not run, neither as a file nor inside a PDF', async () => {
  const { name, secretFile, folder } = canaries;
  const target = join(folder, name);
  const program = `(${target}) (w) file dup (x) writestring closefile (${secretFile}) (r) file 100 string readline pop show (%pipe%touch ${target}) (w) file`;
  const inside = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 5 0 R /Resources << /XObject << /P 4 0 R >> >> >>',
    streamOf(program, '/Type /XObject /Subtype /PS'),
    streamOf('/P Do'),
    streamOf(program, '/Type /XObject /Subtype /Form /Subtype2 /PS'),
  ]);
  const files: [name: string, bytes: Buffer][] = [
    ['a.pdf', Buffer.from(`%!PS-Adobe-3.0\n${program}\nshowpage\n`)],
    ['a.eps', Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n${program}\n`)],
    ['a.ps', Buffer.from(`\u0004%!PS\n${program}\n`)],
    ['a.pdf', Buffer.concat([Buffer.from(`%!PS\n${program}\n`), onePage()])],
    ['a.pdf', Buffer.concat([onePage(), Buffer.from(`\n%!PS\n${program}\n`)])],
    ['a.pdf', inside],
  ];
  const ops = [
    ...['convert/pdf/vector', 'convert/pdf/pdfa', 'misc/compress-pdf', 'misc/repair', 'convert/pdf/img'],
    ...['convert/file/pdf', 'convert/img/pdf'],
  ];
  for (const [given, bytes] of files) {
    for (const op of ops) {
      const file = filePart(new Uint8Array(bytes), given);
      const answer = await noProblemOfOurs(
        await service.post(op, form({ fileInput: file })),
        `${op} ${given}`,
      );
      if (/^a\.e?ps$/.test(given)) assert.equal(answer.status, 400, `${op} ${given}`);
      assert.ok(!canaries.shows(await answer.bytes()), `${op} ${given}`);
    }
  }
  assert.ok(!existsSync(target));
});

test('macros, links, templates, fields and scripts of office documents neither run nor fetch', async (t) => {
  const without = missing('soffice', 'pdftotext');
  if (without) return t.skip(without);
  const folder = join(canaries.folder, 'reached-for');
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(await secrets())) writeFileSync(join(folder, name), bytes);
  const inWeb = hostileDocuments((name) => `http://127.0.0.1:${trap.port}/${name}`);
  const inFiles = hostileDocuments((name) => pathToFileURL(join(folder, name)).href);
  let shown = 0;
  for (const { title, kind, bytes } of [...inWeb, ...inFiles]) {
    const file = filePart(new Uint8Array(await bytes), `a.${kind}`);
    const answer = await noProblemOfOurs(
      await service.post('convert/file/pdf', form({ fileInput: file })),
      title,
    );
    if (!answer.ok) continue;
    shown += 1;
    assert.doesNotMatch(pdftotext(await answer.bytes()), new RegExp(`${SECRET}|macro ran`), title);
  }
  assert.ok(shown > inWeb.length, `${shown} were converted`);
  assert.deepEqual(trap.heard, []);
});

test('shared temporary files: nothing of a caller lies where other users or other calls can reach it', async () => {
  const call = service.post(
    'misc/ocr-pdf',
    form({ fileInput: filePart(fixture('scan.pdf')), ocrType: 'force-ocr' }),
  );
  const work = join(service.dataDir, 'work');
  await until('a job has files', () => readdirSync(work, { recursive: true }).length > 6);
  for (const path of ['', ...readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })]) {
    const found = lstatSync(join(service.dataDir, path), { throwIfNoEntry: false });
    // Inside the folder of a worker, which nobody else can enter, programs set modes as they like.
    const isInside = /^work\/worker-\d+\//.test(path);
    if (!found || isInside) continue;
    assert.equal(found.mode & 0o077, 0, `${path || 'the data folder'} ${(found.mode & 0o777).toString(8)}`);
  }
  assert.equal((await call).status, 200);
  assert.deepEqual(readdirSync(temporary), [], 'nothing is laid into the folder for passing files');
});
