import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
const FLAGS = [
  'removeJavaScript',
  'removeEmbeddedFiles',
  'removeXMPMetadata',
  'removeMetadata',
  'removeActions',
  'removeLinks',
  'removeFonts',
] as const;
type Flag = (typeof FLAGS)[number];

const run = (bytes: Uint8Array, params: Record<string, string>) =>
  runHere('security/sanitize-pdf', { files: { fileInput: { name: 'a.pdf', bytes } }, params });
const only = (...flags: Flag[]) =>
  Object.fromEntries(FLAGS.map((flag) => [flag, String(flags.includes(flag))]));
const sanitized = async (bytes: Uint8Array, params: Record<string, string>) => {
  const ran = await run(bytes, params);
  assert.equal(madeName(ran), 'a_sanitized.pdf');
  qpdfCheck(made(ran), { tolerant: true });
  return made(ran);
};

/** Everything in the file, streams undone and strings written out. */
const plain = (bytes: Uint8Array) =>
  askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes, [0, 3]);

const js = (code: string, more = '') => `<< /S /JavaScript /JS (${code}) ${more} >>`;
const widget = (more: string) => `<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] ${more} >>`;
const annotation = (kind: string, more: string) =>
  `<< /Type /Annot /Subtype /${kind} /Rect [0 0 9 9] ${more} >>`;
const xmp = streamOf('<x:xmpmeta>SECRET-XMP</x:xmpmeta>', '/Type /Metadata /Subtype /XML');
const filespec = (name: string, data: number) =>
  `<< /Type /Filespec /F (${name}) /EF << /F ${data} 0 R >> >>`;

/** One of everything, in every place it may hide: each piece says what it is. Objects count from 5. */
const MORE = [
  js('KEEP-NOT-5', '/Next 6 0 R'),
  `<< /S /URI /URI (https://kept.example/chained) /Next [<< /S /Launch /F (LAUNCH-chained) /Next ${js('SCRIPT-chained')} >>] >>`,
  streamOf('SCRIPT-stream'),
  widget(
    `/FT /Tx /T (f) /V (FIELD-VALUE) /A ${js('SCRIPT-field-a')} /AA << /K ${js('SCRIPT-field-k')} /F << /S /ResetForm >> >>`,
  ),
  xmp,
  streamOf('ATTACHED-1', '/Type /EmbeddedFile'),
  filespec('ATTACHED-name', 10),
  annotation('FileAttachment', '/FS 11 0 R /Popup 13 0 R'),
  annotation('Popup', '/Parent 12 0 R'),
  annotation(
    'Link',
    '/A << /S /URI /URI (https://link.example/) >> /PA << /S /URI /URI (https://pa.example/) >>',
  ),
  annotation('Link', '/A << /S /GoToR /F (GOTOR-file) /D [0 /Fit] >>'),
  annotation('Link', '/Dest [3 0 R /Fit]'),
  annotation('Screen', '/A << /S /Rendition /OP 0 /JS (SCRIPT-rendition) /AN 17 0 R >>'),
  annotation('Sound', '/Sound 19 0 R'),
  streamOf('SOUND-data', '/Type /Sound /R 8000'),
  annotation('3D', '/3DD 21 0 R'),
  streamOf('THREE-D', '/Type /3D /Subtype /U3D /OnInstantiate 7 0 R'),
  annotation('RichMedia', '/RichMediaContent << /Assets << /Names [(a) 37 0 R] >> >>'),
  annotation('Movie', '/Movie << /F (MOVIE-file) >> /A true'),
  '<< /Private << /X (PIECE-data) >> >>',
  '<< /Type /StructTreeRoot /K 26 0 R >>',
  '<< /Type /StructElem /S /Launch /P 25 0 R /K [<< /Type /OBJR /Obj 12 0 R >>] /T (STRUCTURE-kept) /AF [11 0 R] >>',
  streamOf(
    '<template><subform><event><x:script xmlns:x="y">SCRIPT-xfa</x:script><submit target="SUBMIT-xfa"/></event><field>XFA-KEPT</field></subform></template>',
  ),
  streamOf(
    '0 0 9 9 re f',
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Metadata 9 0 R /PieceInfo 24 0 R /AF [11 0 R]',
  ),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Metadata 9 0 R >>',
  js('SCRIPT-nowhere'),
  '<< /Type /Action /S /Launch /F (LAUNCH-nowhere) >>',
  streamOf('<xdp:xdp xmlns:xdp="u">'),
  streamOf('</xdp:xdp>'),
  '<< /Type /Outlines /First 35 0 R /Last 35 0 R >>',
  `<< /Title (MARK-kept) /Parent 34 0 R /A ${js('SCRIPT-outline', '/Next << /S /GoTo /D [3 0 R /Fit] >>')} >>`,
  '<< /Title (Info) /Author (INFO-author) >>',
  filespec('MEDIA-asset', 10),
];
const EVERYTHING = onePage({
  catalog: `/OpenAction 5 0 R /AA << /WC ${js('SCRIPT-wc')} /DS << /S /SubmitForm /F (SUBMIT-ds) >> >>
    /Names << /JavaScript << /Names [(n) ${js('SCRIPT-name')}] >> /EmbeddedFiles << /Names [(e) 11 0 R] >> /Renditions << /Names [(r) << /S /MR >>] >> >>
    /AcroForm << /Fields [8 0 R] /XFA [(preamble) 32 0 R (template) 27 0 R (postamble) 33 0 R] >> /Metadata 9 0 R /PieceInfo 24 0 R /AF [11 0 R]
    /Collection << /View /D >> /PageMode /UseAttachments /StructTreeRoot 25 0 R /Outlines 34 0 R /URI << /Base (https://base.example/) >> /Hidden [30 0 R << /Deeper 31 0 R >>]`,
  page: `/AA << /O << /S /JavaScript /JS 7 0 R >> /C << /S /ImportData /F (IMPORT-data) >> >> /Metadata 9 0 R /PieceInfo 24 0 R /AF [11 0 R]
    /Resources << /Font << /F1 29 0 R >> /XObject << /Metadata 28 0 R >> >>
    /Annots [8 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 20 0 R 22 0 R 23 0 R]`,
  content: 'BT /F1 12 Tf 9 700 Td (PAGE-TEXT) Tj ET /Metadata Do',
  more: MORE,
  trailer: '/Info 36 0 R',
});

const EVIDENCE: Record<Flag, RegExp> = {
  removeJavaScript: /\/JS\b|\/JavaScript|SCRIPT|KEEP-NOT/,
  removeEmbeddedFiles: /\/EF\b|ATTACHED|EmbeddedFile|FileAttachment|\/AF\b|\/Collection/,
  removeXMPMetadata: /SECRET-XMP|\/Subtype \/XML/,
  removeMetadata: /INFO-author|PIECE-data|\/PieceInfo|\/Info\b/,
  removeActions:
    /LAUNCH|GOTOR|SUBMIT|IMPORT|\/Rendition\b|MOVIE|SOUND|THREE-D|RichMedia|\/OpenAction|\/S \/(?:GoToR|SubmitForm|ImportData|Movie|Sound)/,
  removeLinks: /\/URI|example/,
  removeFonts: /Helvetica|\/Font\b/,
};
/** What no flag touches. */
const KEPT = ['FIELD-VALUE', 'PAGE-TEXT', 'STRUCTURE-kept', 'XFA-KEPT', 'MARK-kept', '/ResetForm', '/Dest'];

test('the document made for this holds all that is looked for', { skip }, () => {
  const text = plain(EVERYTHING);
  for (const [flag, evidence] of Object.entries(EVIDENCE)) assert.match(text, evidence, flag);
  for (const kept of KEPT) assert.ok(text.includes(kept), kept);
});

for (const flag of FLAGS) {
  test(`${flag} removes what it names everywhere, and nothing else`, { skip }, async () => {
    const text = plain(await sanitized(EVERYTHING, only(flag)));
    const found = EVIDENCE[flag].exec(text);
    assert.equal(found, null, text.slice((found?.index ?? 0) - 200, (found?.index ?? 0) + 100));
    for (const other of FLAGS)
      if (other !== flag) assert.match(text, EVIDENCE[other], `${other} was not asked for`);
    for (const kept of KEPT) assert.ok(text.includes(kept), kept);
  });
}

test('by default all but links and fonts go', { skip }, async () => {
  const result = await sanitized(EVERYTHING, {});
  const text = plain(result);
  for (const flag of FLAGS) {
    const stays = flag === 'removeLinks' || flag === 'removeFonts';
    (stays ? assert.match : assert.doesNotMatch)(text, EVIDENCE[flag], flag);
  }
  assert.match(pdftotext(result), /PAGE-TEXT/);
  assert.equal(pdfinfo(result).Title, undefined);
});

test('all at once', { skip }, async () => {
  const text = plain(await sanitized(EVERYTHING, only(...FLAGS)));
  for (const evidence of Object.values(EVIDENCE)) assert.doesNotMatch(text, evidence);
  for (const kept of KEPT) assert.ok(text.includes(kept), kept);
});

test('what follows a removed action stays', { skip }, async () => {
  const bytes = onePage({
    page: `/Annots [${annotation('Link', `/A ${js('x', '/Next [<< /S /URI /URI (https://one.example) >> << /S /Launch /F (l) /Next << /S /URI /URI (https://two.example) >> >>]')}`)}]`,
  });
  const text = plain(await sanitized(bytes, {}));
  assert.match(text, /one\.example/);
  assert.match(text, /two\.example/);
  assert.match(text, /\/Subtype \/Link/);
  assert.doesNotMatch(text, /Launch|JavaScript/);
});

test('a web address that is a script is one', { skip }, async () => {
  const bytes = onePage({
    page: `/Annots [${annotation('Link', '/A << /S /URI /URI ( JavaScript:alert) >>')}]`,
  });
  assert.doesNotMatch(plain(await sanitized(bytes, only('removeJavaScript'))), /alert|Link/);
});

test('an XFA packet that cannot be read goes, the plain form stays', { skip }, async () => {
  const bytes = onePage({
    catalog: '/AcroForm << /Fields [6 0 R] /XFA 5 0 R >>',
    more: [streamOf('<a><script>SCRIPT</a>'), widget('/FT /Tx /T (f) /V (value)')],
  });
  const text = plain(await sanitized(bytes, {}));
  assert.doesNotMatch(text, /SCRIPT|XFA/);
  assert.match(text, /\/V \(value\)/);
});

test('no earlier revision and no unused object stays', { skip }, async () => {
  const before = onePage({ more: ['(UNUSED-object)'] });
  const revision = `\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\nxref\n3 1\n${String(
    before.length + 1,
  ).padStart(
    10,
    '0',
  )} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${/startxref\n(\d+)/.exec(before.toString('latin1'))?.[1]} >>\nstartxref\n${before.length + 1 + 71}\n%%EOF\n`;
  const bytes = Buffer.concat([before, Buffer.from(revision)]);
  const result = await sanitized(bytes, only());
  assert.match(pdfinfo(result)['Page size'] ?? '', /^9 x 9/);
  const raw = result.toString('latin1');
  assert.equal(raw.match(/%%EOF/g)?.length, 1);
  assert.doesNotMatch(plain(result), /UNUSED|612/);
});

test('cycles and wrong types everywhere do no harm', { skip }, async () => {
  const bytes = onePage({
    catalog:
      '/OpenAction [5 0 R] /AA 5 0 R /Names [1] /AcroForm 5 0 R /Metadata (x) /AF 5 0 R /PieceInfo 5 0 R',
    page: '/A 5 0 R /AA << /O 5 0 R >> /Annots [5 0 R 5 0 R null 7 << /A 5 0 R >>] /Resources 5 0 R',
    more: [
      '<< /S /JavaScript /JS 5 0 R /Next [6 0 R 5 0 R] /A 6 0 R /Annots [5 0 R] /Resources 5 0 R /Popup 5 0 R /XFA 5 0 R >>',
      '<< /S /Launch /Next 5 0 R /A 5 0 R /EF 3 /Subtype /Sound >>',
    ],
  });
  for (const params of [{}, only(...FLAGS)])
    assert.doesNotMatch(plain(await sanitized(bytes, params)), /\/JS\b/);
});

test('each flag takes only true or false', async () => {
  for (const flag of FLAGS) {
    const problem = failed(await run(EVERYTHING, { [flag]: 'perhaps' }));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, new RegExp(flag));
  }
});

test('pages of a real document look the same', { skip }, async () => {
  const bytes = readFileSync(fixture('everything.pdf'));
  const result = await sanitized(bytes, {});
  assert.equal(pdftotext(result), pdftotext(bytes));
  const before = surveyBytes(bytes);
  assert.deepEqual(
    surveyBytes(result),
    { ...before, attachments: [] },
    'links, fields, bookmarks and labels stay',
  );
  assert.equal(pdfinfo(result).JavaScript, 'no');
});

test('nothing of it is left in a collection', { skip: noCorpus() || skip }, async () => {
  for (const path of corpus('pdf/js', 'pdf/attachments', 'pdf/xfa', 'pdf/portfolio')) {
    const bytes = readFileSync(path);
    const result = await sanitized(bytes, {});
    assert.doesNotMatch(
      plain(result),
      /\/JS [(<\d]|\/S \/(?:JavaScript|Launch|SubmitForm|GoToR)\b|\/EF\b/,
      path,
    );
    assert.equal(pdfinfo(result).Pages, pdfinfo(bytes).Pages, path);
  }
});
