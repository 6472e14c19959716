// Calls of the service in a container, on documents that others made, each judged by another program than the one that
// made the result.
import { readFileSync } from 'node:fs';
import { corpusFiles, fixture } from '../../service/testing/documents/collection.ts';
import { askProgram, pdfinfo, pdftotext, qpdfCheck } from '../../service/testing/oracles/programs.ts';
import { filePart, form } from '../../test/service.ts';

export interface Answer {
  status: number;
  bytes: Uint8Array;
  /** Of a problem. */
  reason?: string;
}

export interface ImageCall {
  operation: string;
  fields(): Record<string, string | File | File[]>;
  /** Throws where the result is not what it must be. */
  judge(bytes: Uint8Array): void;
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const numbersOf = (bytes: Uint8Array): number => Number(askProgram('qpdf', ['--show-npages', '{}'], bytes));
const bytesOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path));

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

/** From the collection beside the clone where it is there, else our own. */
function document(folder: string, name: string, own: string): string {
  return corpusFiles(folder).find((file) => file.name === name)?.path ?? fixture(own);
}

const TEXT = fixture('text-two-pages.pdf');
const IMAGES = fixture('images-in-forms.pdf');
const FORM = fixture('form-fields.pdf');
const TYPESET = fixture('type1-fonts.pdf');

/** What the smallest image does. */
export const CORE_CALLS: readonly ImageCall[] = [
  {
    operation: 'analysis/page-count',
    fields: () => ({ fileInput: filePart(IMAGES) }),
    judge: (bytes) => must(told(bytes).pageCount === numbersOf(bytesOf(IMAGES)), 'qpdf counts other pages'),
  },
  {
    operation: 'general/rotate-pdf',
    fields: () => ({ fileInput: filePart(TEXT), angle: '90' }),
    judge: (bytes) => must(pdfinfo(bytes)['Page rot'] === '90', 'pdfinfo sees no turned page'),
  },
  {
    operation: 'general/merge-pdfs',
    fields: () => ({ fileInput: [filePart(TEXT), filePart(IMAGES)] }),
    judge: (bytes) => {
      qpdfCheck(bytes);
      must(numbersOf(bytes) === 8, 'not 8 pages');
    },
  },
  {
    operation: 'general/remove-pages',
    fields: () => ({ fileInput: filePart(TYPESET), pageNumbers: '2-3' }),
    judge: (bytes) => {
      qpdfCheck(bytes);
      must(numbersOf(bytes) === numbersOf(bytesOf(TYPESET)) - 2, 'not two pages fewer');
    },
  },
  {
    operation: 'convert/pdf/text',
    fields: () => ({ fileInput: filePart(TYPESET) }),
    judge: (bytes) => {
      const ours = new Set(words(Buffer.from(bytes).toString('utf8')));
      const theirs = words(pdftotext(bytesOf(TYPESET))).filter((word) => /^[a-z]{4,}$/.test(word));
      const found = theirs.filter((word) => ours.has(word)).length;
      must(theirs.length > 10 && found / theirs.length > 0.95, `${found} of ${theirs.length} words`);
    },
  },
  {
    operation: 'convert/pdf/img',
    fields: () => ({ fileInput: filePart(TEXT), pageNumbers: '1', dpi: '72' }),
    judge: (bytes) => {
      const png = Buffer.from(bytes);
      const [width = 0, height = 0] =
        (pdfinfo(bytesOf(TEXT))['Page size'] ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
      must(png.toString('latin1', 1, 4) === 'PNG', 'no PNG');
      must(Math.abs(png.readUInt32BE(16) - width) <= 1, `${png.readUInt32BE(16)} wide instead of ${width}`);
      must(Math.abs(png.readUInt32BE(20) - height) <= 1, `${png.readUInt32BE(20)} high instead of ${height}`);
    },
  },
  {
    operation: 'security/add-password',
    fields: () => ({ fileInput: filePart(TEXT), password: 'open-sesame', keyLength: '256' }),
    judge: (bytes) => {
      qpdfCheck(bytes, { password: 'open-sesame' });
      askProgram('qpdf', ['--requires-password', '{}'], bytes);
    },
  },
  {
    operation: 'misc/add-stamp',
    fields: () => ({ fileInput: filePart(TEXT), stampText: 'RECEIVED' }),
    judge: (bytes) => must(pdftotext(bytes).includes('RECEIVED'), 'pdftotext does not see the stamp'),
  },
  {
    operation: 'misc/compress-pdf',
    fields: () => ({ fileInput: filePart(TYPESET), optimizeLevel: '3' }),
    judge: (bytes) => {
      qpdfCheck(bytes);
      must(pdftotext(bytes) === pdftotext(bytesOf(TYPESET)), 'pdftotext reads another text');
    },
  },
  {
    operation: 'form/fields',
    fields: () => ({ fileInput: filePart(FORM) }),
    judge: (bytes) => {
      const asked = askProgram('qpdf', ['--json', '--json-key=acroform', '{}'], bytesOf(FORM), [0, 3]);
      const theirs = (JSON.parse(asked) as { acroform: { fields: { fullname: string }[] } }).acroform.fields;
      const text = Buffer.from(bytes).toString('utf8');
      must(
        theirs.length > 0 && theirs.every(({ fullname }) => text.includes(fullname)),
        'qpdf knows other fields',
      );
    },
  },
];

/** What only the full image does. */
export const FULL_CALLS: readonly ImageCall[] = [
  {
    operation: 'convert/file/pdf',
    fields: () => ({ fileInput: filePart(document('office/docx', 'poi__stress005.docx', 'letter.docx')) }),
    judge: (bytes) => must(numbersOf(bytes) > 0 && words(pdftotext(bytes)).length > 5, 'no text in it'),
  },
  {
    operation: 'convert/html/pdf',
    fields: () => ({
      fileInput: filePart(document('html', 'html5-test-page__index.html', 'invoice.html'), 'page.html'),
    }),
    judge: (bytes) => must(words(pdftotext(bytes)).length > 10, 'no text in it'),
  },
  {
    operation: 'misc/ocr-pdf',
    fields: () => ({
      fileInput: filePart(document('ocr', 'test__8071_093.3B.pdf', 'scan.pdf')),
      languages: 'eng',
    }),
    judge: (bytes) => must(words(pdftotext(bytes)).length > 3, 'no text recognised'),
  },
];

function told(bytes: Uint8Array): Record<string, unknown> {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
}

export async function call(url: string, key: string, { operation, fields }: ImageCall): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/${operation}`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form(fields()),
  });
  const bytes = await response.bytes();
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  return { status: response.status, bytes, ...(isProblem && { reason: String(told(bytes).reason) }) };
}
