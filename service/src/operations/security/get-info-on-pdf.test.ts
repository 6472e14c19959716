import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { z } from 'zod';
import { madeJson, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { sample } from '../../../testing/documents/pdfa-documents.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import { documentInfo } from './_document-info.ts';

type Info = z.infer<typeof documentInfo>;
const skip = missing('pdfinfo', 'pdftotext', 'pdffonts', 'pdfimages', 'qpdf');
const infoOf = async (bytes: Uint8Array, params: Record<string, string> = {}): Promise<Info> => {
  const ran = await runHere('security/get-info-on-pdf', {
    files: { fileInput: { name: 'a.pdf', bytes } },
    params,
  });
  assert.equal(madeName(ran), 'response.json');
  const value = madeJson(ran);
  return documentInfo.parse(value) && (value as Info);
};

const xmp = (entries: string) =>
  streamOf(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:o="urn:o">${entries}</rdf:Description></rdf:RDF></x:xmpmeta>`,
    '/Type /Metadata /Subtype /XML',
  );

test('a document with something of everything', { skip }, async () => {
  const bytes = readFileSync(fixture('everything.pdf'));
  const info = await infoOf(bytes);
  const poppler = pdfinfo(bytes);
  assert.deepEqual(info.Metadata, {
    Title: 'Everything',
    Author: 'Bindery',
    Producer: 'by hand',
    CreationDate: '2024-01-02T15:04:05Z',
    ModificationDate: '2024-01-02T15:04:05Z',
  });
  // Poppler reads the values of fields as text.
  const words = pdftotext(bytes)
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'Ada');
  assert.equal(info.BasicInfo.WordCount, words.length);
  assert.equal(info.BasicInfo['Number of pages'], Number(poppler.Pages));
  assert.equal(info.BasicInfo.FileSizeInBytes, bytes.length);
  assert.equal(info.BasicInfo.Language, 'en');
  assert.ok(info.BasicInfo.ParagraphCount > 0 && info.BasicInfo.ParagraphCount <= words.length);
  assert.equal(info.DocumentInfo['PDF version'], Number(poppler['PDF version']));
  assert.equal(info.DocumentInfo.Trapped, null);
  assert.deepEqual(info.Encryption, { IsEncrypted: false });
  assert.ok(Object.values(info.Permissions).every((word) => word === 'Allowed'));
  assert.deepEqual(info.FormFields, { name: 'Ada', agreed: 'Yes' });
  assert.equal(info.Other.EmbeddedFiles[0]?.Name, 'note.txt');
  assert.equal(info.Other.EmbeddedFiles[0]?.MimeType, 'text/plain');
  assert.deepEqual(info.Other.JavaScript, [{ 'JS Name': 'greeting', 'JS Script Length': 22 }]);
  assert.ok(info.Other['Bookmarks/Outline/TOC'].length >= 2);
  assert.equal(info.Other.XMPMetadata, null);
  assert.equal(info.SummaryData, undefined, 'left out when empty');
  const characters = Object.values(info.PerPageInfo).map((page) => page['Text Characters Count']);
  assert.equal(
    characters.reduce((sum, n) => sum + n, 0),
    info.BasicInfo.CharacterCount,
  );
  const images = askProgram('pdfimages', ['-list', '{}'], bytes).split('\n').slice(2).filter(Boolean);
  assert.equal(info.BasicInfo.TotalImages, images.length);
});

test('pages: sizes, boxes, fonts, links, annotations', { skip }, async () => {
  const bytes = onePage({
    page: `/MediaBox [0 0 595.28 841.89] /CropBox [10 10 585.5 800] /TrimBox [20 20 500 700] /Rotate 90
      /Resources << /Font << /A 5 0 R /B 5 0 R /C 6 0 R >> /XObject << /I 8 0 R /F 9 0 R /X 10 0 R >> >>
      /Annots [<< /Subtype /Link /A << /S /URI /URI (https://a.example/) >> >> << /Subtype /RichMedia /Contents (clip) >> << /Contents (x) >> 7]`,
    content: 'BT /A 12 Tf 30 500 Td (Twelve chars) Tj ET',
    more: [
      '<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Some-BoldItalic /FontDescriptor 7 0 R >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /FontDescriptor /FontName /Some /Flags 98 /ItalicAngle -12 /FontFamily (Some) /FontWeight 700 /FontFile2 11 0 R >>',
      streamOf(
        'x',
        '/Type /XObject /Subtype /Image /Width 1 /Height 2 /BitsPerComponent 8 /ColorSpace [/ICCBased 11 0 R]',
      ),
      streamOf(
        '',
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /In 8 0 R /Deep 12 0 R >> >>',
      ),
      streamOf('', '/Type /XObject /Subtype /PS'),
      streamOf('font'),
      streamOf('x', '/Type /XObject /Subtype /Image /Width 3 /Height 4 /ImageMask true'),
    ],
  });
  const info = await infoOf(bytes);
  const page = info.PerPageInfo['Page 1'];
  assert.ok(page);
  assert.deepEqual(page.Size, {
    'Width (px)': '575.50',
    'Height (px)': '790.00',
    'Width (in)': '7.99',
    'Height (in)': '10.97',
    'Width (cm)': '20.30',
    'Height (cm)': '27.87',
    'Standard Page': 'Custom',
  });
  assert.deepEqual(
    [page.Rotation, page['Page Orientation'], page['Text Characters Count']],
    [90, 'Portrait', 12],
  );
  assert.equal(page.MediaBox, '[0.0,0.0,595.28,841.89]');
  assert.equal(page.CropBox, '[10.0,10.0,585.5,800.0]');
  assert.equal(page.TrimBox, '[20.0,20.0,500.0,700.0]');
  assert.equal(page.ArtBox, page.CropBox);
  assert.deepEqual(page.Annotations, { AnnotationsCount: 3, SubtypeCount: 2, ContentsCount: 2 });
  assert.deepEqual(page.Links, [{ URI: 'https://a.example/' }]);
  assert.deepEqual(page.Multimedia, [{ Subtype: 'RichMedia', Contents: 'clip' }]);
  assert.deepEqual(page.XObjectCounts, { Image: 1, Form: 1, Other: 1 });
  assert.deepEqual(page.Images, [
    { Name: 'I', Width: 1, Height: 2, BitsPerComponent: 8, ColorSpace: 'ICCBased' },
    { Name: 'Deep', Width: 3, Height: 4 },
  ]);
  assert.deepEqual(page.Fonts, [
    {
      IsEmbedded: true,
      Name: 'ABCDEF+Some-BoldItalic',
      Subtype: 'TrueType',
      ItalicAngle: -12,
      IsItalic: true,
      IsBold: true,
      IsFixedPitch: false,
      IsSerif: true,
      IsSymbolic: false,
      IsScript: false,
      IsNonsymbolic: true,
      FontFamily: 'Some',
      FontWeight: 700,
      Count: 2,
    },
    { IsEmbedded: false, Name: 'Helvetica', Subtype: 'Type1', Count: 1 },
  ]);
});

test('papers are known whichever way they lie', async () => {
  for (const [box, name, orientation] of [
    ['0 0 612 792', 'Letter', 'Portrait'],
    ['0 0 1008 612', 'Legal', 'Landscape'],
    ['-10 -10 585 832', 'A4', 'Portrait'],
    ['0 0 500 500', 'Custom', 'Square'],
  ]) {
    const bytes = onePage({ page: `/CropBox [${box}] /MediaBox [${box}]` });
    const page = (
      await infoOf(
        Buffer.from(bytes.toString('latin1').replace('/MediaBox [0 0 612 792]', ' '.repeat(23)), 'latin1'),
      )
    ).PerPageInfo['Page 1'];
    assert.deepEqual([page?.Size['Standard Page'], page?.['Page Orientation']], [name, orientation], box);
  }
});

test('custom metadata, trapped and page mode', async () => {
  const info = await infoOf(
    onePage({
      catalog: '/PageMode /UseOutlines',
      more: [
        '<< /Title <feff00fc> /Trapped /True /Company (ACME) /CreationDate (rubbish) /Odd 7 /__proto__ (x) >>',
      ],
      trailer: '/Info 5 0 R',
    }),
  );
  assert.equal(
    JSON.stringify(info.Metadata),
    JSON.stringify({ Company: 'ACME', ['__proto__']: 'x', Title: '\u00fc' }),
  );
  assert.equal(info.DocumentInfo.Trapped, 'True');
  assert.equal(info.DocumentInfo['Page Mode'], 'UseOutlines');
});

test('the file as sent: encryption and permissions', { skip }, async () => {
  const info = await infoOf(readFileSync(fixture('everything-locked.pdf')), { inputPassword: 'open-sesame' });
  assert.deepEqual(info.Encryption, {
    IsEncrypted: true,
    EncryptionAlgorithm: 'Standard',
    KeyLength: 256,
    Version: 5,
    Revision: 6,
  });
  assert.equal(info.SummaryData?.encrypted, true);
  const restricted = await runHere('security/add-password', {
    files: { fileInput: { name: 'a.pdf', bytes: onePage() } },
    params: { ownerPassword: 'o', preventPrinting: 'true' },
  });
  assert.equal(restricted.state, 'made');
  const summary = restricted.state === 'made' ? await infoOf(restricted.bytes) : undefined;
  assert.equal(summary?.Permissions.Printing, 'Not Allowed');
  assert.deepEqual(summary?.SummaryData?.restrictedPermissions, ['printing']);
  assert.equal(summary?.SummaryData?.restrictedPermissionsCount, 1);
});

test('declared standards are told, and not claimed without proof', async () => {
  const declaring = (entries: string) => onePage({ catalog: '/Metadata 5 0 R', more: [xmp(entries)] });
  const info = await infoOf(
    declaring(
      '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part><o:v>PDF/VT-1</o:v><o:e>PDF/E-1</o:e>',
    ),
  );
  assert.deepEqual(info.Compliancy, {
    'IsPDF/ACompliant': false,
    'IsPDF/UACompliant': false,
    'IsPDF/ECompliant': true,
    'IsPDF/VTCompliant': true,
    'IsPDF/BCompliant': false,
    'PDF/AConformanceLevel': '2b',
    'IsPDF/SECCompliant': false,
    '2b': false,
    ua1: false,
  });
  assert.deepEqual(
    info.SummaryData?.Compliance?.map(({ Standard, Compliant }) => [Standard, Compliant]),
    [
      ['PDF/A-2b', false],
      ['PDF/UA-1', false],
    ],
  );
  assert.match(
    info.SummaryData?.Compliance?.[0]?.Summary ?? '',
    /does not conform to PDF\/A-2b: \d+ failures/,
  );
  assert.match(info.Other.XMPMetadata ?? '', /^<x:xmpmeta/);
  const odd = await infoOf(declaring('<pdfaid:part>nine</pdfaid:part>'));
  assert.equal(odd.Compliancy['PDF/AConformanceLevel'], undefined);
});

test('what conforms is told so', async () => {
  const info = await infoOf(sample());
  assert.equal(info.Compliancy['IsPDF/ACompliant'], true);
  assert.equal(info.Compliancy['IsPDF/UACompliant'], false);
  assert.equal(info.Compliancy['2b'], true);
  assert.deepEqual(info.SummaryData?.Compliance, [
    {
      Standard: 'PDF/A-2b',
      Compliant: true,
      Summary: 'The document conforms to PDF/A-2b as far as it was examined.',
    },
  ]);
  // A level nobody knows is judged by the lowest of its part.
  const odd = await infoOf(sample({ conformance: 'C' }));
  assert.equal(odd.Compliancy['IsPDF/ACompliant'], false);
  assert.equal(odd.Compliancy['2b'], false);
});

test('tags come with the text they mark', async () => {
  const info = await infoOf(
    onePage({
      catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
      page: '/StructParents 0 /Resources << /Font << /F 5 0 R >> >>',
      content:
        'BT /F 12 Tf 20 700 Td /H1 << /MCID 0 >> BDC (The head) Tj EMC 0 -20 Td /P << /MCID 1 >> BDC (Some ) Tj (text) Tj EMC ET',
      more: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        '<< /Type /StructTreeRoot /K [7 0 R 10 0 R] >>',
        '<< /Type /StructElem /S /Sect /P 6 0 R /Pg 3 0 R /K [8 0 R 9 0 R] >>',
        '<< /Type /StructElem /S /H1 /P 7 0 R /Pg 3 0 R /K 0 >>',
        '<< /Type /StructElem /S /P /P 7 0 R /K << /Type /MCR /Pg 3 0 R /MCID 1 >> >>',
        '<< /Type /StructElem /S /Figure /P 6 0 R /Alt (A picture) /K 10 0 R >>',
      ],
    }),
  );
  assert.deepEqual(info.Other.StructureTree, [
    {
      Type: 'Sect',
      Children: [
        { Type: 'H1', Content: 'The head', Children: [] },
        { Type: 'P', Content: 'Some text', Children: [] },
      ],
    },
    { Type: 'Figure', Content: 'A picture', Children: [] },
  ]);
});

test('cycles and wrong types everywhere do no harm', async () => {
  const bytes = onePage({
    catalog:
      '/Names 5 0 R /Outlines 5 0 R /AcroForm 5 0 R /OCProperties << /OCGs [5 0 R 7] >> /StructTreeRoot 5 0 R /Metadata 5 0 R /PageMode 7 /Lang 7',
    page: '/Resources 5 0 R /Annots [5 0 R 5 0 R] /TrimBox [1 2] /Rotate (x)',
    more: [
      '<< /Kids [5 0 R] /First 5 0 R /Next 5 0 R /Fields [5 0 R] /K [5 0 R 5 0 R] /XObject 5 0 R /Font 5 0 R /T (a) /FT /Tx /V [5 0 R] /Names [(a) 5 0 R] >>',
    ],
    trailer: '/Info 5 0 R',
  });
  assert.equal((await infoOf(bytes)).BasicInfo['Number of pages'], 1);
});

test('documents of a collection are reported, in step with poppler', {
  skip: noCorpus() || skip,
}, async () => {
  for (const path of corpus(
    'pdf/tagged',
    'pdf/layers',
    'pdf/form',
    'pdf/cjk',
    'pdf/mixed-sizes',
    'pdf/malformed',
  )) {
    const bytes = readFileSync(path);
    const ran = await runHere('security/get-info-on-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
    if (ran.state === 'failed') {
      assert.equal(ran.problem.reason, 'invalid_pdf', `${path} ${ran.cause}`);
      continue;
    }
    const info = await infoOf(bytes);
    const poppler = pdfinfo(bytes);
    assert.equal(info.BasicInfo['Number of pages'], Number(poppler.Pages), path);
    const words = pdftotext(bytes).split(/\s+/).filter(Boolean).length;
    const hasForm = Object.keys(info.FormFields).length > 0;
    if (!path.includes('cjk') && !hasForm)
      assert.ok(
        Math.abs(info.BasicInfo.WordCount - words) <= 5 + words * 0.3,
        `${path}: ${info.BasicInfo.WordCount}, ${words}`,
      );
  }
});
