// Which office document a file is, by its content; and whether a password keeps it shut.

import type { InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';
import { lookup } from '../../contract/lookup.ts';
import { Problem } from '../../contract/problems.ts';
import { type ArchiveLimits, type OpenArchive, openArchive } from '../archive/archive.ts';
import { type CompoundFile, isCompoundFile, readCompoundFile } from './compound-file.ts';
import type { OfficeKind } from './formats.ts';

/** Sheets of numbers pack a hundredfold and more; what goes beyond is made to harm. */
const PACKAGE_LIMITS: ArchiveLimits = { entries: 10_000, bytes: 1024 * MIB, ratio: 250 };
const MAX_INDEX_BYTES = 4 * MIB;
const MAX_MIMETYPE_BYTES = 256;

/** Main parts by their content type in [Content_Types].xml; the longest name of each group first. */
const OOXML_TYPES: readonly [type: string, kind: OfficeKind][] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml', 'docx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml', 'dotx'],
  ['application/vnd.ms-word.document.macroEnabled.main+xml', 'docm'],
  ['application/vnd.ms-word.template.macroEnabledTemplate.main+xml', 'dotm'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml', 'xltx'],
  ['application/vnd.ms-excel.sheet.macroEnabled.main+xml', 'xlsm'],
  ['application/vnd.ms-excel.template.macroEnabled.main+xml', 'xltm'],
  ['application/vnd.ms-excel.sheet.binary.macroEnabled.main', 'xlsb'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml', 'ppsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.template.main+xml', 'potx'],
  ['application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml', 'pptm'],
  ['application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml', 'ppsm'],
  ['application/vnd.ms-powerpoint.template.macroEnabled.main+xml', 'potm'],
  ['application/vnd.ms-visio.drawing.main+xml', 'vsdx'],
  ['application/vnd.ms-visio.drawing.macroEnabled.main+xml', 'vsdm'],
];

/** Where the types are not told, the place of the main part tells. */
const OOXML_PARTS: readonly [path: string, kind: OfficeKind][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['visio/document.xml', 'vsdx'],
];

const ODF_TYPES: Record<string, [packed: OfficeKind, flat?: OfficeKind]> = lookup({
  text: ['odt', 'fodt'],
  'text-template': ['ott', 'fodt'],
  'text-master': ['odt'],
  spreadsheet: ['ods', 'fods'],
  'spreadsheet-template': ['ots', 'fods'],
  presentation: ['odp', 'fodp'],
  'presentation-template': ['otp', 'fodp'],
  graphics: ['odg', 'fodg'],
  'graphics-template': ['otg', 'fodg'],
});
const ODF_TYPE = /application\/vnd\.oasis\.opendocument\.([a-z-]{1,40})/;

const COMPOUND_STREAMS: readonly [stream: string, kind: OfficeKind][] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['VisioDocument', 'vsd'],
  ['Quill', 'pub'],
];

/**
 * The kind that the content shows; undefined where it shows none. Throws unsupported_file_type for protected
 * documents and for packages that unpack beyond all measure.
 */
export async function officeKindOf(file: InputFile): Promise<OfficeKind | undefined> {
  const head = file.head();
  if (isCompoundFile(head)) return compoundKind(file);
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('PK\u0003\u0004')) return packageKind(file);
  if (/^(?:\u00ef\u00bb\u00bf)?\s{0,64}\{\\rtf/.test(text)) return 'rtf';
  return flatKind(text);
}

function flatKind(text: string): OfficeKind | undefined {
  if (!/<office:document[\s>]/.test(text)) return undefined;
  return ODF_TYPES[ODF_TYPE.exec(text)?.[1] ?? '']?.[1];
}

async function packageKind(file: InputFile): Promise<OfficeKind | undefined> {
  const archive = await openArchive(file, PACKAGE_LIMITS);
  try {
    return (await odfKind(file, archive)) ?? (await ooxmlKind(archive));
  } finally {
    archive.close();
  }
}

async function odfKind(file: InputFile, archive: OpenArchive): Promise<OfficeKind | undefined> {
  const mimetype = archive.find('mimetype');
  if (!mimetype || mimetype.size > MAX_MIMETYPE_BYTES) return undefined;
  const type = ODF_TYPE.exec((await archive.read(mimetype)).toString('latin1'))?.[1];
  const kind = ODF_TYPES[type ?? '']?.[0];
  if (!kind) return undefined;
  const manifest = archive.find('META-INF/manifest.xml');
  if (manifest && /<(?:\w+:)?encryption-data[\s>]/.test(await readText(archive, manifest)))
    throw protectedFile(file.name);
  return kind;
}

async function ooxmlKind(archive: OpenArchive): Promise<OfficeKind | undefined> {
  const types = archive.find('[Content_Types].xml');
  if (!types) return undefined;
  const text = await readText(archive, types);
  const told = OOXML_TYPES.find(([type]) => text.toLowerCase().includes(`"${type.toLowerCase()}"`));
  return told?.[1] ?? OOXML_PARTS.find(([path]) => archive.find(path))?.[1];
}

async function readText(archive: OpenArchive, entry: OpenArchive['entries'][number]): Promise<string> {
  const bytes = await archive.read(entry, MAX_INDEX_BYTES);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isWide ? 'utf16le' : 'utf8');
}

function compoundKind(file: InputFile): OfficeKind | undefined {
  const compound = readCompoundFile(file);
  if (!compound) return undefined;
  if (compound.names.has('EncryptedPackage')) throw protectedFile(file.name);
  return COMPOUND_STREAMS.find(([stream]) => compound.names.has(stream))?.[1];
}

/** Operations, convert/file/pdf: "Password-protected office files: unsupported_file_type." */
export const protectedFile = (name: string): Problem =>
  new Problem(
    'unsupported_file_type',
    `${name} is protected by a password; remove it in the program that made the document.`,
  );

/** Looked at when a document could not be opened, since some enciphered ones can: those whose password is well known. */
export function isEnciphered(file: InputFile): boolean {
  const compound = isCompoundFile(file.head()) ? readCompoundFile(file) : undefined;
  return (
    compound !== undefined &&
    [isEncipheredWord, isEncipheredSheet, isEncipheredShow].some((is) => is(compound))
  );
}

const isEncipheredWord = (compound: CompoundFile): boolean => {
  const fib = compound.start('WordDocument', 12);
  return fib.length === 12 && (fib.readUInt16LE(10) & 0x0100) !== 0;
};

const FILEPASS = 0x002f;
const BOUNDSHEET = 0x0085;

function isEncipheredSheet(compound: CompoundFile): boolean {
  const stream = compound.names.has('Workbook') ? 'Workbook' : 'Book';
  const records = compound.start(stream, 16 * 1024);
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    const record = records.readUInt16LE(at);
    if (record === FILEPASS) return true;
    if (record === BOUNDSHEET) return false;
  }
  return false;
}

const isEncipheredShow = ({ names }: CompoundFile): boolean => names.has('EncryptedSummary');
