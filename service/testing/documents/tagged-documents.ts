// Small documents that conform to PDF/UA-2, to be broken one rule at a time.
import { packetOf } from './pdfa-documents.ts';
import { pdfOf, streamOf } from './written-pdf.ts';

export interface Tagged {
  version?: string;
  xmp?: string;
  /** Entries of the catalog beside what PDF/UA asks for. */
  catalog?: string;
  page?: string;
  content?: string;
  /** Elements in the Document; 9 is a paragraph that has the content of the page. */
  kids?: string;
  document?: string;
  /** Entries of the paragraph. */
  paragraph?: string;
  /** Entries of the structure tree. */
  tree?: string;
  /** Entries of its parent tree. */
  parents?: string;
  /** Objects from 10 on. */
  more?: string[];
}

const XMP =
  '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li></rdf:Alt></dc:title>' +
  '<pdfuaid:part>2</pdfuaid:part><pdfuaid:rev>2024</pdfuaid:rev>';

export const VIEWED = '/Lang (en) /ViewerPreferences << /DisplayDocTitle true >>';
const ID = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';

export const tagged = (options: Tagged = {}): Buffer =>
  pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R ' +
        `${options.catalog ?? VIEWED} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /StructParents 0 ' +
        `${options.page?.includes('/Resources') ? '' : '/Resources << >>'} ${options.page ?? ''} >>`,
      streamOf(options.content ?? '/P << /MCID 0 >> BDC 0 0 10 10 re f EMC'),
      streamOf(packetOf(options.xmp ?? XMP), '/Type /Metadata /Subtype /XML'),
      `<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [9 0 R] ${options.parents ?? ''}] >> ` +
        `/Namespaces [8 0 R] ${options.tree ?? ''} >>`,
      options.document ?? element('Document', 6, `[${options.kids ?? '9 0 R'}]`),
      '<< /Type /Namespace /NS (http://iso.org/pdf2/ssn) >>',
      element('P', 7, '0', `/Pg 3 0 R ${options.paragraph ?? ''}`),
      ...(options.more ?? []),
    ],
    { version: options.version ?? '2.0', trailer: ID },
  );

/** A structure element, of PDF 2.0 unless said otherwise. */
export const element = (
  type: string,
  parent: number,
  kids = '',
  entries = '',
  namespace = '/NS 8 0 R',
): string =>
  `<< /Type /StructElem /S /${type} ${namespace} /P ${parent} 0 R ${kids && `/K ${kids}`} ${entries} >>`;

/** The same of PDF 1.7. */
export const olderElement = (type: string, parent: number, kids = '', entries = ''): string =>
  element(type, parent, kids, entries, '');
