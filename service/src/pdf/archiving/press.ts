// PDF/X-3: what a printing press asks of a document, made and checked (ISO 15930-6).
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import type { Failure } from '../conformance/check.ts';
import { standardOf } from '../conformance/standards.ts';
import type { Subject } from '../conformance/subject.ts';
import type { PdfDocument } from '../document.ts';
import { editInfo, readInfo } from '../metadata/metadata.ts';
import { momentOf, momentOfPdf, pdfDate } from '../metadata/pdf-dates.ts';
import { Dict, name, PdfString, type PdfValue } from '../objects.ts';
import { inheritedEntry } from '../pages/page-form.ts';
import { textString } from '../text-strings.ts';
import { type FindFont, substituteFonts } from './font-substitution.ts';
import { dropForbidden } from './forbidden-things.ts';

export const PRESS = { name: 'PDF/X-3', specification: 'ISO 15930-6:2003', version: 'PDF/X-3:2003' } as const;

/** A printing condition that is registered: its name says all, no profile is needed. */
const CONDITION = {
  identifier: 'CGATS TR 001',
  words: 'SWOP (Publication) printing in USA',
  registry: 'http://www.color.org',
} as const;

/** What is not drawn goes; annotations have been made part of the pages. */
export function prepareForPress(doc: PdfDocument, subject: Subject, find: FindFont): void {
  dropForbidden(doc, standardOf('1b'));
  removeAnnotations(doc, () => true);
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['AcroForm', 'OutputIntents', 'OpenAction']) catalog.delete(key);
  substituteFonts(doc, subject, find);
}

export function finishForPress(doc: PdfDocument, title: string, now = new Date()): void {
  const info = editInfo(doc);
  info.set('GTS_PDFXVersion', textString(PRESS.version));
  if (!['True', 'False'].includes(doc.name(info.get('Trapped')) ?? '')) info.set('Trapped', name('False'));
  if (!doc.text(info.get('Title'))) info.set('Title', textString(title));
  for (const key of ['CreationDate', 'ModDate'])
    info.set(key, textString(pdfDate(momentOfPdf(doc.text(info.get(key)) ?? '') ?? momentOf(now))));
  const intent = Dict.of({
    Type: name('OutputIntent'),
    S: name('GTS_PDFX'),
    OutputConditionIdentifier: textString(CONDITION.identifier),
    OutputCondition: textString(CONDITION.words),
    RegistryName: textString(CONDITION.registry),
    Info: textString(CONDITION.words),
  });
  doc.edit(doc.catalogRef).set('OutputIntents', [intent]);
  for (const page of doc.pages()) trim(doc, doc.edit(page));
}

/** What stays of the paper: what was shown. One of TrimBox and ArtBox tells it. */
function trim(doc: PdfDocument, page: Dict): void {
  if (doc.array(page.get('TrimBox'))) {
    page.delete('ArtBox');
    return;
  }
  const shown: PdfValue | undefined =
    page.get('ArtBox') ?? inheritedEntry(doc, page, 'CropBox') ?? inheritedEntry(doc, page, 'MediaBox');
  page.delete('ArtBox');
  if (shown !== undefined) page.set('TrimBox', shown);
}

type Check = [rule: string, message: string, find: (subject: Subject) => Iterable<string>];

const CHECKS: readonly Check[] = [
  ['6.1', 'The file is not encrypted.', ({ isEncrypted }) => (isEncrypted ? ['trailer'] : [])],
  ['6.2', 'The file has an ID.', ({ doc }) => (doc.array(doc.trailer.get('ID')) ? [] : ['trailer'])],
  [
    '6.3',
    'The information dictionary names the version of PDF/X, the title, the dates and the trapping.',
    ({ doc }) => {
      const info = readInfo(doc);
      const texts = ['GTS_PDFXVersion', 'Title', 'CreationDate', 'ModDate'];
      const missing = texts.filter((key) => !(doc.resolve(info.get(key)) instanceof PdfString));
      return [...missing, ...(doc.name(info.get('Trapped')) ? [] : ['Trapped'])].map((key) => `Info, ${key}`);
    },
  ],
  [
    '6.4',
    'The document has one output intent for printing.',
    ({ outputIntents }) =>
      outputIntents.filter(({ kind }) => kind === 'GTS_PDFX').length === 1 ? [] : ['catalog'],
  ],
  [
    '6.5',
    'Every page has a TrimBox or an ArtBox.',
    ({ pages }) =>
      pages.filter(({ dict }) => dict.has('TrimBox') === dict.has('ArtBox')).map(({ where }) => where),
  ],
  [
    '6.6',
    'All fonts are embedded.',
    ({ fonts }) =>
      fonts
        .filter(({ subtype, program, isVisible }) => subtype !== 'Type3' && isVisible && !program)
        .map(({ where }) => where),
  ],
  [
    '6.7',
    'Device colours are those of the press.',
    ({ drawn }) => drawn.devices.filter(({ device }) => device === 'RGB').map(({ where }) => where),
  ],
  [
    '6.8',
    'Nothing is transparent.',
    (subject) =>
      subject.hasRealTransparency
        ? [...subject.drawn.transparentPages].map((page) => `page ${page + 1}`)
        : [],
  ],
  [
    '6.9',
    'There are no actions, scripts, embedded files or annotations on the page.',
    ({ doc, annotations }) => [
      ...annotations.map(({ where }) => where),
      ...['OpenAction', 'AA', 'AcroForm'].filter((key) => doc.catalog.has(key)),
    ],
  ],
];

export function checkForPress(subject: Subject): Failure[] {
  return CHECKS.flatMap(([clause, message, find]) =>
    [...find(subject)].slice(0, 100).map((location) => ({
      ruleId: `${clause}-1`,
      message,
      location,
      specification: PRESS.specification,
      clause,
      testNumber: '1',
    })),
  );
}
