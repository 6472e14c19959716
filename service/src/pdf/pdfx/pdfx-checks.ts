// Whether a document is what a printing press asks for. Clauses carry names of ours: the text of ISO 15930-7 numbers
// its demands differently from edition to edition.
import type { Failure } from '../conformance/check.ts';
import { COLOUR_RULES } from '../conformance/rules/colour.ts';
import { FONT_RULES } from '../conformance/rules/fonts.ts';
import { GRAPHICS_RULES } from '../conformance/rules/graphics.ts';
import { actions } from '../conformance/rules/interactive-objects.ts';
import { placeOf, type Rule } from '../conformance/rules/rule.ts';
import { type Standard, standardOf } from '../conformance/standards.ts';
import type { Subject } from '../conformance/validation-context.ts';
import { boxOf, intersection, mediaBox } from '../geometry/boxes.ts';
import { readInfo } from '../metadata/metadata.ts';
import { momentOfIso, momentOfPdf } from '../metadata/pdf-dates.ts';
import { isForPress, LIKE_PRESS, PRESS, sameBox } from './pdfx.ts';
import { PDFX_ID, XMP_MM } from './pdfx-metadata.ts';

const XMP = 'http://ns.adobe.com/xap/1.0/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const DC = 'http://purl.org/dc/elements/1.1/';

type Check = [clause: string, message: string, find: (subject: Subject) => Iterable<string>];

const CHECKS: readonly Check[] = [
  ['encryption', 'The file is not encrypted.', ({ isEncrypted }) => (isEncrypted ? ['trailer'] : [])],
  [
    'id',
    'The file has an ID.',
    ({ doc }) => (doc.array(doc.trailer.get('ID'))?.length === 2 ? [] : ['trailer']),
  ],
  [
    'version',
    'The file is PDF 1.6 or older.',
    ({ raw, doc }) =>
      /^%PDF-1\.[3-6]$/.test(raw.header.trim()) && !doc.catalog.has('Version') ? [] : ['header'],
  ],
  [
    'information',
    'The information dictionary tells the title, the dates and whether the document is trapped.',
    ({ doc }) => {
      const info = readInfo(doc);
      const isDate = (key: string): boolean => momentOfPdf(doc.text(info.get(key)) ?? '') !== undefined;
      const missing = [
        ...(doc.text(info.get('Title')) ? [] : ['Title']),
        ...['CreationDate', 'ModDate'].filter((key) => !isDate(key)),
        ...(['True', 'False'].includes(doc.name(info.get('Trapped')) ?? '') ? [] : ['Trapped']),
      ];
      return missing.map((key) => `Info, ${key}`);
    },
  ],
  [
    'metadata',
    'The metadata name PDF/X-4, the dates, the title, the trapping and the rendition.',
    missingMetadata,
  ],
  [
    'intent',
    'The document has one output intent for printing, with the profile of a press.',
    ({ doc, outputIntents }) => {
      const [own, ...others] = outputIntents.filter(({ kind }) => kind === 'GTS_PDFX');
      return own && others.length === 0 && isForPress(doc, own) ? [] : ['catalog, OutputIntents'];
    },
  ],
  ['boxes', 'Every page has one of TrimBox and ArtBox, inside its other boxes.', wrongBoxes],
  [
    'colours',
    'Device colours are those of the press, or a default space says what they mean.',
    ({ outputIntents, drawn }) => {
      const press = outputIntents.find(({ kind }) => kind === 'GTS_PDFX')?.profile?.colourSpace.trim();
      return drawn.devices
        .filter(({ device }) => device !== 'Gray' && device !== press)
        .map(({ where }) => where);
    },
  ],
  [
    'annotations',
    'There are no annotations on the pages, and no form.',
    ({ doc, annotations }) => [
      ...annotations.map(({ where }) => where),
      ...['AcroForm'].filter((key) => doc.catalog.has(key)),
    ],
  ],
  ['actions', 'There are no actions and scripts.', (subject) => actions(subject).map(({ where }) => where)],
  [
    'layers',
    'Configurations of layers have a name and switch nothing by themselves.',
    ({ doc }) => {
      const layers = doc.dict(doc.catalog.get('OCProperties'));
      const configs = layers ? [layers.get('D'), ...(doc.array(layers.get('Configs')) ?? [])] : [];
      const isWrong = (config: (typeof configs)[number]): boolean =>
        !doc.text(doc.dict(config)?.get('Name')) || doc.dict(config)?.has('AS') === true;
      return configs.filter(isWrong).map(() => 'catalog, OCProperties');
    },
  ],
];

function missingMetadata({ doc, documentMetadata }: Subject): string[] {
  if (!documentMetadata?.packet.isSound) return ['document metadata'];
  const { properties } = documentMetadata.packet;
  const statedIn = (namespace: string, local: string): string | undefined =>
    properties.find((node) => node.namespace === namespace && node.local === local)?.value;
  const isDate = (local: string): boolean => momentOfIso(statedIn(XMP, local) ?? '') !== undefined;
  const wrong = [
    ...(statedIn(PDFX_ID, 'GTS_PDFXVersion') === PRESS.version ? [] : ['pdfxid:GTS_PDFXVersion']),
    ...['CreateDate', 'ModifyDate', 'MetadataDate']
      .filter((local) => !isDate(local))
      .map((key) => `xmp:${key}`),
    ...['DocumentID', 'VersionID', 'RenditionClass']
      .filter((local) => !statedIn(XMP_MM, local))
      .map((local) => `xmpMM:${local}`),
    ...(statedIn(PDF, 'Trapped') === doc.name(readInfo(doc).get('Trapped')) ? [] : ['pdf:Trapped']),
    ...(statedIn(DC, 'title') === undefined ? ['dc:title'] : []),
  ];
  return wrong.map((property) => `document metadata, ${property}`);
}

function wrongBoxes({ doc, pages }: Subject): string[] {
  const isWrong = (page: (typeof pages)[number]['dict']): boolean => {
    if (page.has('TrimBox') === page.has('ArtBox')) return true;
    const trimmed = boxOf(doc, page.get('TrimBox') ?? page.get('ArtBox') ?? null);
    if (!trimmed) return true;
    const bleed = boxOf(doc, page.get('BleedBox') ?? null);
    const media = mediaBox(doc, page);
    if (bleed && !sameBox(intersection(bleed, media), bleed)) return true;
    return !sameBox(intersection(trimmed, bleed ?? media), trimmed);
  };
  return pages.filter(({ dict }) => isWrong(dict)).map(({ where }) => where);
}

/** Asked of archives only: what a page is mixed in is told by the output intent here. */
const NOT_ASKED = new Set(['6.2.10-2']);
/** Profiles are sound, overprinting has a meaning. */
const ASKED_COLOURS = new Set(['6.2.4.2-1', '6.2.4.2-2']);

const shared = (rule: Rule, standard: Standard): string | undefined => {
  const place = placeOf(rule, standard);
  return place && `${place.clause}-${place.test}`;
};

/** What PDF/A-2 asks of fonts and drawing, PDF/X-4 asks too. */
const SHARED: readonly Check[] = [
  ...FONT_RULES.map((rule) => [rule, 'fonts'] as const),
  ...GRAPHICS_RULES.filter((rule) => !NOT_ASKED.has(shared(rule, LIKE_PRESS) ?? '')).map(
    (rule) => [rule, 'graphics'] as const,
  ),
  ...COLOUR_RULES.filter((rule) => ASKED_COLOURS.has(shared(rule, LIKE_PRESS) ?? '')).map(
    (rule) => [rule, 'profiles'] as const,
  ),
].flatMap(([rule, clause]): Check[] =>
  shared(rule, LIKE_PRESS) ? [[clause, rule.message, (subject) => rule.find(subject, LIKE_PRESS)]] : [],
);

/** Asked of part 4 of PDF/A and of presses. */
const REPEATED: readonly Check[] = COLOUR_RULES.filter(
  (rule) => shared(rule, standardOf('4')) === '6.2.4.2-3',
).map((rule) => ['profiles', rule.message, (subject) => rule.find(subject, standardOf('4'))]);

const MAX_PER_CHECK = 100;

export function checkForPress(subject: Subject): Failure[] {
  const counts = new Map<string, number>();
  return [...CHECKS, ...SHARED, ...REPEATED].flatMap(([clause, message, find]) => {
    const test = (counts.get(clause) ?? 0) + 1;
    counts.set(clause, test);
    return [...find(subject)].slice(0, MAX_PER_CHECK).map((location) => ({
      ruleId: `${clause}-${test}`,
      message,
      location,
      specification: PRESS.specification,
      clause,
      testNumber: String(test),
    }));
  });
}
