// What a file is to convert/file/pdf: its content tells, and its name where content cannot.
import type { InputFile } from '../../../contract/files.ts';
import { type FileKind, kindOf } from '../../../contract/kinds.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Office, OfficeKind } from '../../../engines/office/office.ts';
import { IMAGE_KINDS } from '../../../procedures/placed-images.ts';

export type DocumentKind =
  | { is: 'office'; kind: OfficeKind }
  | { is: 'pdf' | 'html' | 'markdown' | 'svg' | 'picture' };

const BY_KIND: Partial<Record<FileKind, DocumentKind>> = {
  pdf: { is: 'pdf' },
  html: { is: 'html' },
  markdown: { is: 'markdown' },
  svg: { is: 'svg' },
  text: { is: 'office', kind: 'txt' },
  csv: { is: 'office', kind: 'csv' },
  ...Object.fromEntries(IMAGE_KINDS.map((kind) => [kind, { is: 'picture' }])),
};

/** What convert/file/pdf takes, those whose first bytes do not tell them included. */
export const DOCUMENT_KINDS = [
  ...([
    'doc',
    'docx',
    'dotx',
    'odt',
    'rtf',
    'text',
    'xls',
    'xlsx',
    'ods',
    'csv',
    'ppt',
    'pptx',
    'odp',
  ] as const),
  ...(['odg', 'vsd', 'vsdx', 'pub', 'html', 'markdown', 'svg', 'pdf'] as const),
  ...IMAGE_KINDS,
] as const satisfies readonly FileKind[];

export const ACCEPTED =
  'doc, docx, dot, dotx, odt, ott, rtf, txt, xls, xlsx, xlsm, ods, csv, ppt, pptx, pps, ppsx, odp, odg, vsd, vsdx, ' +
  'pub, html, md, svg, pdf, png, jpg, gif, bmp, tiff or webp';

export async function documentKind(office: Office, file: InputFile): Promise<DocumentKind> {
  const shown = kindOf(file.name, file.head());
  // Documents in XML and rich text are text too, whatever they are called.
  const mayBeOffice = ['any', 'zip', 'text', 'csv', 'markdown'].includes(shown);
  const kind = mayBeOffice ? await office.kindOf(file) : undefined;
  const found: DocumentKind | undefined = kind ? { is: 'office', kind } : BY_KIND[shown];
  if (found) return found;
  throw new Problem(
    'unsupported_file_type',
    `${file.name} is not of a type this operation takes: ${ACCEPTED}.`,
  );
}
