// Formats of documents LibreOffice reads and writes, and which of its parts deals with each.

export type Family = 'writer' | 'calc' | 'impress' | 'draw';

/** Which part opens a document of a kind. */
const OFFICE_KINDS = {
  doc: 'writer',
  docx: 'writer',
  docm: 'writer',
  dotx: 'writer',
  dotm: 'writer',
  odt: 'writer',
  ott: 'writer',
  fodt: 'writer',
  rtf: 'writer',
  txt: 'writer',
  xls: 'calc',
  xlsx: 'calc',
  xlsm: 'calc',
  xltx: 'calc',
  xltm: 'calc',
  xlsb: 'calc',
  ods: 'calc',
  ots: 'calc',
  fods: 'calc',
  csv: 'calc',
  ppt: 'impress',
  pptx: 'impress',
  pptm: 'impress',
  ppsx: 'impress',
  ppsm: 'impress',
  potx: 'impress',
  potm: 'impress',
  odp: 'impress',
  otp: 'impress',
  fodp: 'impress',
  odg: 'draw',
  otg: 'draw',
  fodg: 'draw',
  vsd: 'draw',
  vsdx: 'draw',
  vsdm: 'draw',
  pub: 'draw',
} as const satisfies Record<string, Family>;

export type OfficeKind = keyof typeof OFFICE_KINDS;

/** The names LibreOffice has for ways to write a format, where a part can write it. */
const WRITERS = {
  pdf: {
    writer: 'writer_pdf_Export',
    calc: 'calc_pdf_Export',
    impress: 'impress_pdf_Export',
    draw: 'draw_pdf_Export',
  },
  doc: { writer: 'MS Word 97' },
  docx: { writer: 'MS Word 2007 XML' },
  odt: { writer: 'writer8' },
  rtf: { writer: 'Rich Text Format' },
  xls: { calc: 'MS Excel 97' },
  xlsx: { calc: 'Calc MS Excel 2007 XML' },
  ods: { calc: 'calc8' },
  ppt: { impress: 'MS PowerPoint 97' },
  pptx: { impress: 'Impress MS PowerPoint 2007 XML' },
  odp: { impress: 'impress8' },
} as const satisfies Record<string, Partial<Record<Family, string>>>;

export type OfficeTarget = keyof typeof WRITERS;

export function writerName(kind: OfficeKind, target: OfficeTarget): string {
  const writers: Partial<Record<Family, string>> = WRITERS[target];
  const name = writers[OFFICE_KINDS[kind]];
  if (name === undefined) throw new Error(`a ${kind} document cannot become ${target}`);
  return name;
}
