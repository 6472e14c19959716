// What a file is that an operation does not take, in words a caller knows, and what would make a PDF of it.
import { type FileKind, KINDS, kindOf, SNIFF_BYTES } from '../contract/kinds.ts';
import { Problem } from '../contract/problems.ts';

interface Named {
  name: string;
  size: number;
  head(): Uint8Array;
}

/** What the first entries of a package are called, and so what it is. */
const PACKAGES: readonly [marks: string, kind: FileKind][] = [
  ['mimetypeapplication/epub+zip', 'epub'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'odt'],
  ['mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['mimetypeapplication/vnd.oasis.opendocument.presentation', 'odp'],
  ['mimetypeapplication/vnd.oasis.opendocument.graphics', 'odg'],
];
const PACKAGE_FOLDERS: readonly [folder: string, kind: FileKind][] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
  ['visio/', 'vsdx'],
];
/** Compound files (OLE 2) of which only the name tells more. */
const COMPOUND: readonly FileKind[] = ['doc', 'xls', 'ppt', 'msg', 'vsd', 'pub'];
const BOOKS: readonly FileKind[] = ['mobi', 'azw3', 'fb2'];

const byExtension = (name: string, kinds: readonly FileKind[]): FileKind | undefined => {
  const extension = /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return kinds.find((kind) => (KINDS[kind].extensions as readonly string[]).includes(extension));
};

/** The kind for the ears of a caller: further than operations need to look; undefined where nothing tells. */
export function toldKind(name: string, head: Uint8Array): FileKind | undefined {
  const kind = kindOf(name, head);
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  if (kind === 'zip') {
    const packed =
      PACKAGES.find(([marks]) => text.includes(marks)) ??
      (text.includes('[Content_Types].xml') || text.includes('_rels/.rels')
        ? PACKAGE_FOLDERS.find(([folder]) => text.includes(folder))
        : undefined);
    // Where other entries come first, its name tells what it is meant to be.
    return packed?.[1] ?? byExtension(name, ['docx', 'dotx', 'xlsx', 'pptx', 'cbz', 'epub', 'odt']) ?? 'zip';
  }
  if (kind !== 'any') return kind;
  if (text.startsWith('\u00d0\u00cf\u0011\u00e0')) return byExtension(name, COMPOUND);
  if (text.startsWith('{\\rtf')) return 'rtf';
  return byExtension(name, [...BOOKS, 'eml']);
}

/** What makes a PDF of it. */
const TO_PDF: readonly [kinds: readonly FileKind[], operation: string][] = [
  [['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'avif'], 'convert/img/pdf'],
  [['svg'], 'convert/svg/pdf'],
  [['html'], 'convert/html/pdf'],
  [['markdown'], 'convert/markdown/pdf'],
  [['cbz'], 'convert/cbz/pdf'],
  [['epub', ...BOOKS], 'convert/ebook/pdf'],
  [['eml', 'msg'], 'convert/eml/pdf'],
  [
    ['doc', 'docx', 'dotx', 'odt', 'rtf', 'xls', 'xlsx', 'ods', 'ppt', 'pptx', 'odp', 'odg', 'vsd', 'vsdx'],
    'convert/file/pdf',
  ],
  [['text', 'csv'], 'convert/file/pdf'],
];

export const operationToPdf = (kind: FileKind): string | undefined =>
  TO_PDF.find(([kinds]) => kinds.includes(kind))?.[1];

const article = (label: string): string => (/^[AEFHILMNORSX][A-Z]|^any/.test(label) ? 'an' : 'a');

/** "a DOCX", "an EPUB", "plain text". */
function spoken(kind: FileKind): string {
  const { label } = KINDS[kind];
  return kind === 'text' ? label : `${article(label)} ${label}`;
}

const EMPTY_HINT =
  'Send the bytes of the file: check that it is not empty, and that it was read before it was sent.';

/** Of one that was to be a PDF and cannot be opened; undefined where nothing better can be said. */
export function noPdf(file: Named): Problem | undefined {
  if (file.size === 0) return new Problem('invalid_pdf', `${file.name} is empty.`, { hint: EMPTY_HINT });
  const kind = toldKind(file.name, file.head());
  if (kind === undefined || kind === 'pdf' || kind === 'any') return undefined;
  const operation = operationToPdf(kind);
  return new Problem('invalid_pdf', `${file.name} is ${spoken(kind)}, not a PDF.`, {
    hint: operation
      ? `Make a PDF of it first: POST /api/v1/${operation}, or that operation as the first step of a pipeline.`
      : 'Send a PDF.',
  });
}

/** Of one whose kind an operation does not take. */
export function notTaken(file: Named, accepted: readonly FileKind[]): Problem {
  const labels = accepted.map((kind) => KINDS[kind].label).join(', ');
  if (file.size === 0)
    return new Problem('unsupported_file_type', `${file.name} is empty; this operation takes: ${labels}.`, {
      hint: EMPTY_HINT,
    });
  const kind = toldKind(file.name, file.head());
  const is = kind === undefined || kind === 'any' ? '' : `${spoken(kind)}, `;
  const operation = kind !== undefined && accepted.includes('pdf') ? operationToPdf(kind) : undefined;
  return new Problem(
    'unsupported_file_type',
    `${file.name} is ${is}not of a type this operation takes: ${labels}.`,
    operation ? { hint: `Make a PDF of it first: POST /api/v1/${operation}.` } : {},
  );
}
