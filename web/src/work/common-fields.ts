// Which fields of a form come first. As a rule the required ones and the first few that an operation declares; here is
// where people want others, and which fields mean something only with a certain choice. A test knows every name.
import type { CatalogueEntry, CatalogueFile, CatalogueParam } from '@bindery/sdk/catalogue';

const FIRST: Readonly<Record<string, readonly string[]>> = {
  'convert/html/pdf': ['paperSize', 'landscape', 'printBackground', 'pageRanges', 'zoom'],
  'convert/markdown/pdf': ['paperSize', 'landscape', 'printBackground', 'pageRanges'],
  'convert/url/pdf': ['urlInput', 'paperSize', 'landscape', 'printBackground', 'pageRanges'],
  'general/booklet-imposition': [
    'spineLocation',
    'duplexPass',
    'doubleSided',
    'flipOnShortEdge',
    'addBorder',
  ],
  'general/crop': ['x', 'y', 'width', 'height', 'autoCrop', 'removeDataOutsideCrop'],
  'general/edit-text': ['find', 'replace', 'matchCase', 'wholeWordSearch', 'pageNumbers'],
  'general/merge-pdfs': ['sortType', 'generateToc', 'removeCertSign'],
  'general/multi-page-layout': [
    'pagesPerSheet',
    'orientation',
    'arrangement',
    'readingDirection',
    'addBorder',
  ],
  'misc/add-page-numbers': [
    'position',
    'customText',
    'startingNumber',
    'pagesToNumber',
    'fontSize',
    'fontColor',
  ],
  'misc/add-stamp': [
    'stampType',
    'stampText',
    'stampImage',
    'position',
    'pageNumbers',
    'fontSize',
    'customColor',
  ],
  'misc/compress-pdf': ['optimizeLevel', 'expectedOutputSize', 'grayscale'],
  'misc/ocr-pdf': ['languages', 'ocrType', 'deskew', 'clean', 'sidecar'],
  'misc/scanner-effect': ['quality', 'rotation', 'colorspace', 'yellowish'],
  'misc/update-metadata': ['title', 'author', 'subject', 'keywords', 'deleteAll'],
  'security/add-password': [
    'password',
    'ownerPassword',
    'preventPrinting',
    'preventExtractContent',
    'preventModify',
    'keyLength',
  ],
  'security/add-watermark': [
    'watermarkType',
    'watermarkText',
    'watermarkImage',
    'fontSize',
    'rotation',
    'opacity',
    'customColor',
  ],
  'security/auto-redact': ['listOfText', 'wholeWordSearch', 'useRegex', 'redactColor', 'verifyByOcr'],
  'security/cert-sign': [
    'certType',
    'p12File',
    'jksFile',
    'privateKeyFile',
    'certFile',
    'password',
    'reason',
    'location',
    'showSignature',
    'pageNumber',
    'x',
    'y',
    'width',
    'height',
  ],
  'security/redact': ['redactions', 'pageNumbers', 'pageRedactionColor', 'verifyByOcr'],
};

type Condition = readonly [field: string, ...values: readonly unknown[]];

const ONLY_WITH: Readonly<Record<string, Readonly<Record<string, Condition>>>> = {
  'general/multi-page-layout': { rows: ['mode', 'CUSTOM'], cols: ['mode', 'CUSTOM'] },
  'general/split-pdf-by-sections': { pageNumbers: ['splitMode', 'CUSTOM'] },
  'misc/add-stamp': { stampImage: ['stampType', 'image'], stampText: ['stampType', 'text'] },
  'misc/replace-invert-pdf': {
    highContrastColorCombination: ['replaceAndInvertOption', 'HIGH_CONTRAST_COLOR'],
    backGroundColor: ['replaceAndInvertOption', 'CUSTOM_COLOR'],
    textColor: ['replaceAndInvertOption', 'CUSTOM_COLOR'],
  },
  'security/add-watermark': {
    watermarkImage: ['watermarkType', 'image'],
    watermarkText: ['watermarkType', 'text'],
  },
  'security/cert-sign': {
    p12File: ['certType', 'PKCS12', 'PFX'],
    jksFile: ['certType', 'JKS'],
    privateKeyFile: ['certType', 'PEM'],
    certFile: ['certType', 'PEM'],
    pageNumber: ['showSignature', true],
    x: ['showSignature', true],
    y: ['showSignature', true],
    width: ['showSignature', true],
    height: ['showSignature', true],
  },
};

/** Of every operation, so hardly ever what somebody came for. */
const ALWAYS_THERE = ['inputPassword', 'reproducible'];
const MOST_COMMON = 5;

export type FormField = CatalogueParam | CatalogueFile;
export const isFile = (field: FormField): field is CatalogueFile => 'accepts' in field;

/** What may be anything means nothing to the operation: it is there for older clients. */
const isMeant = (field: FormField): boolean => isFile(field) || Object.keys(field.schema).length > 0;

/** Fields shown at once, and those under "more"; a choice may bring some to the fore. */
export function orderedFields(
  path: string,
  entry: CatalogueEntry,
  mainFile: string,
  values: Readonly<Record<string, unknown>>,
): { common: FormField[]; more: FormField[] } {
  const all: FormField[] = [
    ...entry.files.filter(({ name }) => name !== mainFile),
    ...entry.params.filter(({ name }) => !ALWAYS_THERE.includes(name)),
  ];
  const setting = (name: string): unknown =>
    values[name] ?? entry.params.find((param) => param.name === name)?.default;
  const applies = ({ name }: FormField): boolean => {
    const [other, ...wanted] = ONLY_WITH[path]?.[name] ?? [];
    return other === undefined || wanted.includes(setting(other));
  };
  const first = FIRST[path];
  const rank = ({ name, required }: FormField): number =>
    first?.includes(name) ? first.indexOf(name) : required ? -1 : Number.POSITIVE_INFINITY;
  const candidates = first
    ? all.filter((field) => rank(field) < Number.POSITIVE_INFINITY).sort((a, b) => rank(a) - rank(b))
    : firstOf(all);
  const common = candidates.filter(applies);
  const rest = all.filter((field) => !common.includes(field));
  const always = entry.params.filter(({ name }) => ALWAYS_THERE.includes(name));
  return { common, more: [...rest.filter(isMeant), ...always, ...rest.filter((field) => !isMeant(field))] };
}

/** Files and what is required, then the first few of the rest; one more rather than a single one out of sight. */
function firstOf(all: readonly FormField[]): FormField[] {
  const isNeeded = (field: FormField): boolean => isFile(field) || field.required;
  const rest = all.filter((field) => !isNeeded(field) && isMeant(field));
  const shown = rest.length <= MOST_COMMON + 1 ? rest.length : MOST_COMMON;
  return [...all.filter(isNeeded), ...rest.slice(0, shown)];
}

/** Every field that is named here, by operation. */
export const namedFields = (): readonly (readonly [path: string, field: string])[] =>
  [
    ...Object.entries(FIRST).map(([path, names]) => [path, names] as const),
    ...Object.entries(ONLY_WITH).map(
      ([path, fields]) => [path, Object.entries(fields).flatMap(([name, [other]]) => [name, other])] as const,
    ),
  ].flatMap(([path, names]) => names.map((name) => [path, name] as const));
