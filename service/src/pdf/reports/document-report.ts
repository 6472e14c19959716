// A whole document in figures and names, in the words callers know (operations 8, get-info-on-pdf).
import { type Attachment, attachmentsOf, sizeOf } from '../attachments/attachments.ts';
import type { Verdict } from '../conformance/check.ts';
import type { Standard } from '../conformance/standards.ts';
import { complianceSummary } from '../conformance/verification.ts';
import type { PdfDocument } from '../document.ts';
import { valueText } from '../forms/field-values.ts';
import { readFields } from '../forms/form-fields.ts';
import { conformanceOf } from '../metadata/declared-standards.ts';
import { documentProperties, readInfo } from '../metadata/metadata.ts';
import { Name, Ref, Stream } from '../objects.ts';
import { encryptionInfo, type Right } from '../security/encryption-info.ts';
import { readScripts } from '../security/scripts.ts';
import { everyNode, readOutline } from '../structure/outlines.ts';
import { nameText } from '../text-strings.ts';

const STANDARD_INFO = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Producer',
  'Creator',
  'CreationDate',
  'ModDate',
  'Trapped',
]);

/** Only what is there: members without a value are left out. */
function present<T extends Record<string, unknown>>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

export function metadataReport(doc: PdfDocument): Record<string, string> {
  const { title, author, subject, keywords, producer, creator, creationDate, modificationDate } =
    documentProperties(doc);
  const custom = [...readInfo(doc)].flatMap(([key, value]): [string, string][] => {
    const text = doc.text(value);
    return STANDARD_INFO.has(key) || text === undefined ? [] : [[nameText(key), text]];
  });
  return {
    ...Object.fromEntries(custom),
    ...present({
      Title: title,
      Author: author,
      Subject: subject,
      Keywords: keywords,
      Producer: producer,
      Creator: creator,
      CreationDate: creationDate,
      ModificationDate: modificationDate,
    }),
  } as Record<string, string>;
}

/** Info says it as a name, careless producers as text. */
export function trappedOf(doc: PdfDocument): string | null {
  const held = readInfo(doc).get('Trapped');
  return doc.name(held) ?? doc.text(held) ?? null;
}

/** "PDF/A and PDF/UA flags are validated only for standards the file declares; E, VT, B and SEC report the declaration." */
export function complianceReport(doc: PdfDocument, judged: readonly Verdict[]) {
  const { pdfALevel, declaresE, declaresVT, declaresB, declaresSEC } = conformanceOf(doc);
  const keeps = (isFamily: (part: Standard['part']) => boolean): boolean =>
    judged.some(({ standard, compliant }) => compliant && isFamily(standard.part));
  return {
    flags: {
      'IsPDF/ACompliant': keeps((part) => typeof part === 'number'),
      'IsPDF/UACompliant': keeps((part) => typeof part !== 'number'),
      'IsPDF/ECompliant': declaresE,
      'IsPDF/VTCompliant': declaresVT,
      'IsPDF/BCompliant': declaresB,
      ...(pdfALevel === undefined ? {} : { 'PDF/AConformanceLevel': pdfALevel }),
      'IsPDF/SECCompliant': declaresSEC,
      ...Object.fromEntries(judged.map(({ standard, compliant }) => [standard.id, compliant])),
    },
    verdicts: judged.map((verdict) => ({
      Standard: verdict.standard.name,
      Compliant: verdict.compliant,
      Summary: complianceSummary(verdict),
    })),
  };
}

/** In the order callers know, with the words of the summary. */
const RIGHTS: [label: string, right: Right, restricted: string][] = [
  ['Document Assembly', 'assemble', 'document assembly'],
  ['Extracting Content', 'extract', 'extracting content'],
  ['Extracting for accessibility', 'accessibility', 'extracting for accessibility'],
  ['Form Filling', 'fillForms', 'form filling'],
  ['Modifying', 'modify', 'modifying'],
  ['Modifying annotations', 'annotate', 'modifying annotations'],
  ['Printing', 'print', 'printing'],
];

export function securityReport(doc: PdfDocument) {
  const info = encryptionInfo(doc);
  const isAllowed = (right: Right): boolean => info?.allows[right] ?? true;
  return {
    encryption: info
      ? {
          IsEncrypted: true,
          EncryptionAlgorithm: info.handler,
          KeyLength: info.keyLength,
          Version: info.version,
          Revision: info.revision,
        }
      : { IsEncrypted: false },
    permissions: Object.fromEntries(
      RIGHTS.map(([label, right]) => [label, isAllowed(right) ? 'Allowed' : 'Not Allowed']),
    ),
    restricted: RIGHTS.flatMap(([, right, word]) => (isAllowed(right) ? [] : [word])),
  };
}

export const formReport = (doc: PdfDocument): Record<string, string> =>
  Object.fromEntries(readFields(doc).map((field) => [field.name, valueText(doc, field) ?? '']));

/** Everything of `Other` but the structure, which needs the text of pages. */
export function otherReport(doc: PdfDocument) {
  const files = attachmentsOf(doc);
  const size = (file: Attachment): number | null => sizeOf(doc, file);
  return {
    EmbeddedFiles: files
      .filter(({ of }) => of === 'document')
      .map((file) =>
        present({
          Name: file.filename,
          FileSize: size(file),
          MimeType: file.contentType,
          CreationDate: file.creationDate,
          ModificationDate: file.modificationDate,
        }),
      ),
    Attachments: files
      .filter(({ of }) => of === 'page')
      .map((file) => present({ Name: file.filename, Description: file.description, FileSize: size(file) })),
    JavaScript: readScripts(doc).map(({ place, code }) => ({
      'JS Name': place,
      'JS Script Length': code.length,
    })),
    Layers: layerNames(doc).map((Name) => ({ Name })),
    'Bookmarks/Outline/TOC': [...everyNode(readOutline(doc))].map(({ title }) => ({ Title: title })),
    XMPMetadata: xmpText(doc),
  };
}

function layerNames(doc: PdfDocument): string[] {
  const groups = doc.array(doc.dict(doc.catalog.get('OCProperties'))?.get('OCGs')) ?? [];
  return groups.flatMap((group) => doc.text(doc.dict(group)?.get('Name')) ?? []);
}

function xmpText(doc: PdfDocument): string | null {
  const held = doc.catalog.get('Metadata');
  if (!(held instanceof Ref) || !(doc.get(held) instanceof Stream)) return null;
  const { bytes } = doc.streamData(held);
  const [first, second] = bytes;
  const wide =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(wide).decode(bytes);
}

/** How viewers are to open the document; UseNone where it does not say. */
export function pageModeOf(doc: PdfDocument): string {
  const mode = doc.resolve(doc.catalog.get('PageMode'));
  return mode instanceof Name ? nameText(mode.value) : 'UseNone';
}
