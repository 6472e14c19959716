// XML wherever documents hold it: entities that name files and addresses, and ones that grow.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { epubOf, xhtml } from '../../service/testing/documents/books.ts';
import {
  docx,
  flatOdf,
  odf,
  paragraph,
  pptx,
  xlsx,
} from '../../service/testing/documents/office-documents.ts';
import { pdfOf, streamOf } from '../../service/testing/documents/written-pdf.ts';
import { type Watch, watchNetwork } from '../../service/testing/hostile-input/escape-attempts.ts';
import { zipEntries, zipOf } from '../../service/testing/oracles/archives.ts';
import { memoryOf } from '../processes.ts';
import { filePart, form, problemOf, type RunningService, startService } from '../service.ts';
import { type Canaries, hideCanaries } from './canaries.ts';

let service: RunningService;
let canaries: Canaries;
let trap: Watch;
before(async () => {
  canaries = hideCanaries();
  trap = await watchNetwork();
  // Without isolation: what holds here is how markup is read.
  service = await startService({ env: { BINDERY_ISOLATION: 'none', BINDERY_DEADLINE_MS: '30000' } });
});
after(async () => {
  await service?.remove();
  await trap?.close();
  canaries?.remove();
});

/** A document type, and the text that makes use of what it declares. */
interface Hostile {
  doctype: string;
  use: string;
}

type Document = (hostile: Hostile) => Promise<Buffer> | Buffer;

/** The part of a package with the declarations before its first element, and the use where the mark is. */
const MARK = 'MARKMARK';
function hostilePart(xml: string, { doctype, use }: Hostile): string {
  const at = xml.startsWith('<?xml') ? xml.indexOf('?>') + 2 : 0;
  return xml.slice(0, at) + doctype + xml.slice(at).replaceAll(MARK, use);
}
const inPackage =
  (made: () => Promise<Buffer> | Buffer, part: RegExp): Document =>
  async (hostile) => {
    const entries = await zipEntries(Buffer.from(await made()));
    return zipOf(
      Object.fromEntries(
        entries.map(({ name, bytes }) => [
          name,
          part.test(name) ? hostilePart(bytes.toString('utf8'), hostile) : bytes,
        ]),
      ),
    );
  };

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xi="http://www.w3.org/2001/XInclude" width="300" height="50"><text x="5" y="20">${MARK}</text></svg>`;
const FB2 = `<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><book-title>${MARK}</book-title></title-info></description><body><section><p>${MARK}</p></section></body></FictionBook>`;
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${MARK}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const XFA = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><name>${MARK}</name></form></xfa:data></xfa:datasets></xdp:xdp>`;

const pdfHolding = (catalog: string, stream: string, dict: string): Buffer =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
    streamOf(stream, dict),
  ]);
const book = () =>
  epubOf({ chapters: { 'one.xhtml': xhtml(`<p>${MARK}</p>`) }, nav: xhtml(`<nav>${MARK}</nav>`) });

/** By where the markup stands: the operations that read it. */
const DOCUMENTS: Readonly<Record<string, { ops: string[]; name: string; make: Document }>> = {
  'a drawing (SVG)': {
    ops: ['convert/svg/pdf', 'convert/file/pdf'],
    name: 'a.svg',
    make: (hostile) => Buffer.from(hostilePart(SVG, hostile)),
  },
  'a Word document': {
    ops: ['convert/file/pdf', 'convert/ebook/pdf'],
    name: 'a.docx',
    make: inPackage(() => docx(paragraph(MARK)), /word\/document\.xml$/),
  },
  'the list of parts of a Word document': {
    ops: ['convert/file/pdf'],
    name: 'a.docx',
    make: inPackage(() => docx(paragraph('page')), /\[Content_Types\]\.xml$|\.rels$/),
  },
  'a workbook': {
    ops: ['convert/file/pdf'],
    name: 'a.xlsx',
    make: inPackage(
      () => xlsx(`<row r="1"><c r="A1" t="inlineStr"><is><t>${MARK}</t></is></c></row>`),
      /sheet1\.xml$/,
    ),
  },
  'a presentation': {
    ops: ['convert/file/pdf'],
    name: 'a.pptx',
    make: inPackage(() => pptx(''), /slide1\.xml$/),
  },
  'a text document': {
    ops: ['convert/file/pdf'],
    name: 'a.odt',
    make: inPackage(() => odf('text', { body: `<text:p>${MARK}</text:p>` }), /content\.xml$/),
  },
  'a flat text document': {
    ops: ['convert/file/pdf'],
    name: 'a.fodt',
    make: (hostile) =>
      Buffer.from(hostilePart(flatOdf('text', { body: `<text:p>${MARK}</text:p>` }).toString(), hostile)),
  },
  'a chapter of a book (EPUB)': {
    ops: ['convert/ebook/pdf'],
    name: 'a.epub',
    make: inPackage(book, /one\.xhtml$/),
  },
  'the contents of a book (EPUB)': {
    ops: ['convert/ebook/pdf'],
    name: 'a.epub',
    make: inPackage(book, /book\.opf$|nav\.xhtml$|container\.xml$/),
  },
  'a book (FB2)': {
    ops: ['convert/ebook/pdf'],
    name: 'a.fb2',
    make: (hostile) => Buffer.from(hostilePart(FB2, hostile)),
  },
  'metadata (XMP)': {
    ops: [
      'security/get-info-on-pdf',
      'analysis/document-properties',
      'misc/update-metadata',
      'convert/pdf/pdfa',
    ],
    name: 'a.pdf',
    make: (hostile) =>
      pdfHolding('/Metadata 4 0 R', hostilePart(XMP, hostile), '/Type /Metadata /Subtype /XML'),
  },
  'a form (XFA)': {
    ops: ['form/fields', 'security/get-info-on-pdf', 'misc/flatten', 'security/sanitize-pdf'],
    name: 'a.pdf',
    make: (hostile) => pdfHolding('/AcroForm << /Fields [] /XFA 4 0 R >>', hostilePart(XFA, hostile), ''),
  },
};

async function answers(
  op: string,
  name: string,
  bytes: Buffer,
): Promise<{ status: number; bytes: Uint8Array }> {
  const startedAt = Date.now();
  const response = await service.post(op, form({ fileInput: filePart(new Uint8Array(bytes), name) }));
  const took = Date.now() - startedAt;
  assert.ok(took < 29_000, `${op}, ${name}: ${took} ms`);
  if (response.status >= 500)
    assert.notEqual((await problemOf(response.clone())).reason, 'internal', `${op}, ${name}`);
  return { status: response.status, bytes: await response.bytes() };
}

for (const [what, { ops, name, make }] of Object.entries(DOCUMENTS)) {
  test(`XML external entities: ${what} shows no file and asks nobody`, async () => {
    const file = `file://${canaries.secretFile}`;
    const web = `http://127.0.0.1:${trap.port}/x.dtd`;
    const attacks: Hostile[] = [
      { doctype: `<!DOCTYPE x [<!ENTITY e SYSTEM "${file}">]>`, use: '&e;' },
      { doctype: `<!DOCTYPE x [<!ENTITY e SYSTEM "${canaries.secretFile}">]>`, use: '&e;' },
      { doctype: `<!DOCTYPE x [<!ENTITY e PUBLIC "x" "${web}">]>`, use: '&e;' },
      { doctype: `<!DOCTYPE x SYSTEM "${web}">`, use: 'page' },
      { doctype: `<!DOCTYPE x [<!ENTITY % p SYSTEM "${web}"> %p;]>`, use: 'page' },
      { doctype: `<?xml-stylesheet type="text/xsl" href="${web}"?>`, use: 'page' },
      {
        doctype: '',
        use: `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${file}" parse="text"/>`,
      },
    ];
    for (const attack of attacks) {
      const bytes = await make(attack);
      for (const op of ops) {
        const answer = await answers(op, name, bytes);
        assert.ok(!canaries.shows(answer.bytes), `${op}: ${attack.doctype} ${attack.use}`);
      }
    }
    assert.deepEqual(trap.heard, []);
  });

  test(`XML entity bombs: ${what} does not grow`, async () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
      '',
    );
    const laughs = { doctype: `<!DOCTYPE x [<!ENTITY l0 "laugh">${levels}]>`, use: '&l9;' };
    const quadratic = {
      doctype: `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(50_000)}">]>`,
      use: '&a;'.repeat(20_000),
    };
    const endless = { doctype: '<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]>', use: '&a;' };
    for (const attack of [laughs, quadratic, endless]) {
      const bytes = await make(attack);
      for (const op of ops) {
        const answer = await answers(op, name, bytes);
        assert.ok(answer.bytes.length < 20_000_000, `${op}: ${answer.bytes.length} bytes`);
      }
    }
    assert.ok(memoryOf(service.apiPid(), 'VmHWM') < 500 * 1024 ** 2, 'the API process reads no markup');
  });
}

test('the same documents without an attack are read and shown: the tests here could fail', async () => {
  for (const [what, { ops, name, make }] of Object.entries(DOCUMENTS)) {
    const bytes = await make({ doctype: '', use: canaries.secret });
    const shown = [];
    for (const op of ops) {
      const answer = await answers(op, name, bytes);
      assert.equal(answer.status, 200, `${what}, ${op}: ${Buffer.from(answer.bytes).subarray(0, 300)}`);
      shown.push(canaries.shows(answer.bytes));
    }
    const holdsText = !/parts|presentation|contents|XFA/.test(what);
    if (holdsText) assert.ok(shown.includes(true), what);
  }
});
