// File kinds: what operations accept and make, and how content tells the kind (operations 1.3).
import { firstElementAt } from './xml-prolog.ts';

interface Kind {
  mediaType: string;
  /** The first is the one we write. */
  extensions: readonly string[];
  label: string;
  /** What the first bytes of such a file show, where they do not tell all; the operation looks further. */
  shows?: 'zip' | 'any';
}

const kinds = <T extends Record<string, Kind>>(table: T): T => table;

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

export const KINDS = kinds({
  pdf: { mediaType: 'application/pdf', extensions: ['pdf'], label: 'PDF' },
  json: { mediaType: 'application/json', extensions: ['json'], label: 'JSON', shows: 'any' },
  zip: { mediaType: 'application/zip', extensions: ['zip'], label: 'ZIP' },
  text: { mediaType: 'text/plain; charset=utf-8', extensions: ['txt', 'text'], label: 'plain text' },
  csv: { mediaType: 'text/csv; charset=utf-8', extensions: ['csv', 'tsv'], label: 'CSV' },
  html: { mediaType: 'text/html; charset=utf-8', extensions: ['html', 'htm', 'xhtml'], label: 'HTML' },
  markdown: {
    mediaType: 'text/markdown; charset=utf-8',
    extensions: ['md', 'markdown', 'mdown', 'mkd'],
    label: 'Markdown',
  },
  png: { mediaType: 'image/png', extensions: ['png'], label: 'PNG' },
  jpeg: { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'], label: 'JPEG' },
  gif: { mediaType: 'image/gif', extensions: ['gif'], label: 'GIF' },
  bmp: { mediaType: 'image/bmp', extensions: ['bmp'], label: 'BMP' },
  tiff: { mediaType: 'image/tiff', extensions: ['tiff', 'tif'], label: 'TIFF' },
  webp: { mediaType: 'image/webp', extensions: ['webp'], label: 'WebP' },
  avif: { mediaType: 'image/avif', extensions: ['avif'], label: 'AVIF' },
  svg: { mediaType: 'image/svg+xml', extensions: ['svg'], label: 'SVG' },
  ps: { mediaType: 'application/postscript', extensions: ['ps'], label: 'PostScript' },
  eps: { mediaType: 'application/postscript', extensions: ['eps'], label: 'EPS' },
  pcl: { mediaType: 'application/vnd.hp-pclxl', extensions: ['pcl'], label: 'PCL', shows: 'any' },
  xps: { mediaType: 'application/vnd.ms-xpsdocument', extensions: ['xps'], label: 'XPS', shows: 'zip' },
  cbz: { mediaType: 'application/vnd.comicbook+zip', extensions: ['cbz'], label: 'CBZ', shows: 'zip' },
  epub: { mediaType: 'application/epub+zip', extensions: ['epub'], label: 'EPUB', shows: 'zip' },
  mobi: { mediaType: 'application/x-mobipocket-ebook', extensions: ['mobi'], label: 'MOBI', shows: 'any' },
  azw3: { mediaType: 'application/vnd.amazon.ebook', extensions: ['azw3'], label: 'AZW3', shows: 'any' },
  fb2: { mediaType: 'application/x-fictionbook+xml', extensions: ['fb2'], label: 'FB2', shows: 'any' },
  eml: { mediaType: 'message/rfc822', extensions: ['eml'], label: 'EML', shows: 'any' },
  msg: { mediaType: 'application/vnd.ms-outlook', extensions: ['msg'], label: 'MSG', shows: 'any' },
  xml: { mediaType: 'application/xml', extensions: ['xml'], label: 'XML', shows: 'any' },
  javascript: { mediaType: 'text/javascript', extensions: ['js'], label: 'JavaScript', shows: 'any' },
  // Operations, pdf/text: "rtf -> application/octet-stream".
  rtf: { mediaType: 'application/octet-stream', extensions: ['rtf'], label: 'RTF', shows: 'any' },
  doc: { mediaType: 'application/msword', extensions: ['doc', 'dot'], label: 'DOC', shows: 'any' },
  docx: {
    mediaType: `${OPEN_XML}.wordprocessingml.document`,
    extensions: ['docx'],
    label: 'DOCX',
    shows: 'zip',
  },
  dotx: {
    mediaType: `${OPEN_XML}.wordprocessingml.template`,
    extensions: ['dotx'],
    label: 'DOTX',
    shows: 'zip',
  },
  odt: { mediaType: `${OPEN_DOCUMENT}.text`, extensions: ['odt', 'ott'], label: 'ODT', shows: 'zip' },
  xls: { mediaType: 'application/vnd.ms-excel', extensions: ['xls'], label: 'XLS', shows: 'any' },
  xlsx: {
    mediaType: `${OPEN_XML}.spreadsheetml.sheet`,
    extensions: ['xlsx', 'xlsm'],
    label: 'XLSX',
    shows: 'zip',
  },
  ods: { mediaType: `${OPEN_DOCUMENT}.spreadsheet`, extensions: ['ods'], label: 'ODS', shows: 'zip' },
  ppt: { mediaType: 'application/vnd.ms-powerpoint', extensions: ['ppt', 'pps'], label: 'PPT', shows: 'any' },
  pptx: {
    mediaType: `${OPEN_XML}.presentationml.presentation`,
    extensions: ['pptx', 'ppsx'],
    label: 'PPTX',
    shows: 'zip',
  },
  odp: { mediaType: `${OPEN_DOCUMENT}.presentation`, extensions: ['odp'], label: 'ODP', shows: 'zip' },
  odg: { mediaType: `${OPEN_DOCUMENT}.graphics`, extensions: ['odg'], label: 'ODG', shows: 'zip' },
  vsd: { mediaType: 'application/vnd.visio', extensions: ['vsd'], label: 'VSD', shows: 'any' },
  vsdx: { mediaType: 'application/vnd.ms-visio.drawing', extensions: ['vsdx'], label: 'VSDX', shows: 'zip' },
  pub: { mediaType: 'application/vnd.ms-publisher', extensions: ['pub'], label: 'PUB', shows: 'any' },
  any: { mediaType: 'application/octet-stream', extensions: ['bin'], label: 'any file' },
});

export type FileKind = keyof typeof KINDS;

/** The kind that `kindOf` tells of such a file. */
export const shownAs = (kind: FileKind): FileKind => (KINDS[kind] as Kind).shows ?? kind;

const startsWith = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((b, i) => head[i] === b);

const BY_EXTENSION = new Map(
  Object.values<Kind>(KINDS)
    .filter(({ mediaType }) => mediaType !== KINDS.any.mediaType)
    .flatMap(({ extensions, mediaType }) => extensions.map((extension) => [extension, mediaType] as const)),
);

/** The media type that a file of this name has; undefined where the name does not tell. */
export const mediaTypeOfName = (name: string): string | undefined =>
  BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())?.split(';', 1)[0];

/** How many bytes `sniff` wants to see. */
export const SNIFF_BYTES = 4096;

/**
 * The kind that the first bytes of a file show, or `any` where they do not tell.
 * "The content decides the type ... the declared part type is not consulted" (operations 1.3).
 */
export function sniff(head: Uint8Array): FileKind {
  if (startsWith(head, 0x89, 0x50, 0x4e, 0x47)) return 'png';
  if (startsWith(head, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(head, 0x47, 0x49, 0x46, 0x38)) return 'gif';
  if (startsWith(head, 0x42, 0x4d)) return 'bmp';
  if (startsWith(head, 0x49, 0x49, 0x2a, 0x00) || startsWith(head, 0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  if (startsWith(head, 0x52, 0x49, 0x46, 0x46) && startsWith(head.subarray(8), 0x57, 0x45, 0x42, 0x50))
    return 'webp';
  if (/^ftyp(?:avif|avis)$/.test(Buffer.from(head.subarray(4, 12)).toString('latin1'))) return 'avif';
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04) || startsWith(head, 0x50, 0x4b, 0x05, 0x06)) return 'zip';
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString(
    'latin1',
  );
  if (text.startsWith('%!PS-Adobe-')) return /^%!PS-Adobe-\S+ EPSF-/.test(text) ? 'eps' : 'ps';
  // PDF readers accept junk before the header within the first kilobyte.
  if (text.slice(0, 1024 + 5).includes('%PDF-')) return 'pdf';
  return isSvg(inTwoBytes(head) ?? text) ? 'svg' : 'any';
}

function isSvg(text: string): boolean {
  const root = firstElementAt(text);
  return root >= 0 && /^<(?:[\w.-]{1,64}:)?svg[\s/>]/i.test(text.slice(root, root + 80));
}

/** XML may be written in two bytes a character, with or without the mark that tells which comes first. */
function inTwoBytes(head: Uint8Array): string | undefined {
  const seen = head.subarray(0, SNIFF_BYTES);
  if (startsWith(seen, 0xff, 0xfe) || startsWith(seen, 0x3c, 0))
    return new TextDecoder('utf-16le').decode(seen);
  if (startsWith(seen, 0xfe, 0xff) || startsWith(seen, 0, 0x3c))
    return new TextDecoder('utf-16be').decode(seen);
  return undefined;
}

/** Text is text whatever it says; its name tells what it is meant to be. */
const TOLD_BY_NAME = ['html', 'markdown', 'csv', 'text'] as const satisfies readonly FileKind[];

/**
 * The kind of a file with a name: "the extension only where content cannot tell (txt, md, csv, html)" (operations 1.3).
 */
export function kindOf(name: string, head: Uint8Array): FileKind {
  const shown = sniff(head);
  const named = kindByName(name);
  // A page may begin with a drawing.
  if (shown === 'svg' && named === 'html') return 'html';
  if (shown !== 'any') return shown;
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString(
    'latin1',
  );
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html)[\s>]/i.test(text)) return 'html';
  return named !== undefined && isText(head) ? named : 'any';
}

function kindByName(name: string): FileKind | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return TOLD_BY_NAME.find((kind) => (KINDS[kind].extensions as readonly string[]).includes(extension));
}

/** No zero byte, unless it is written in two bytes a character. */
const isText = (head: Uint8Array): boolean =>
  startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff) || !head.subarray(0, SNIFF_BYTES).includes(0);
