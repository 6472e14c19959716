// Words and names that a server sends, made fit to be shown and saved. Whoever answers must not choose what a terminal
// does, how a line reads, or which file of this machine is written.

/** Controls, format characters (bidi marks, zero width), line separators, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LONGEST_WORDS = 2000;

/** One line of words. */
export const plainLine = (words: string): string =>
  words
    .slice(0, LONGEST_WORDS * 4)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(UNSEEN, '')
    .slice(0, LONGEST_WORDS);

/** Text of any length for a terminal: its lines and tabs stay. */
export const plainText = (text: string): string =>
  text.replace(/\r\n?|[\f\u2028\u2029]/g, '\n').replace(UNSEEN, (seen) => (/[\n\t]/.test(seen) ? seen : ''));

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
const BYTES = 'application/octet-stream';

export function plainMediaType(header: string | null): string {
  const type = (header ?? BYTES).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : BYTES;
}

/** Endings that a name of this type may have; the first is given to names without one of them. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'application/json': ['json'],
  'text/plain': ['txt', 'csv', 'md', 'js'],
  'text/html': ['html'],
  'text/csv': ['csv'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tiff', 'tif'],
  'image/svg+xml': ['svg'],
  'application/zip': ['zip'],
  // "The file name tells the kind": those that the service makes, none that a system would run.
  [BYTES]: [
    ...['bin', 'zip', 'cbz', 'epub', 'azw3', 'pptx', 'ppt', 'odp', 'docx', 'doc', 'odt', 'xlsx', 'xml'],
    ...[
      'rtf',
      'svg',
      'eps',
      'ps',
      'pcl',
      'xps',
      'png',
      'jpg',
      'jpeg',
      'gif',
      'webp',
      'bmp',
      'tiff',
      'tif',
      'pdf',
      'txt',
    ],
    ...['csv', 'md', 'json', 'html'],
  ],
};

/** Devices of Windows, whatever follows their first dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const LONGEST_NAME = 180;
const NAME_BYTES = 240;
const NO_NAME = 'result';

/** A name without folders, that no shell takes for an option and no folder hides, with an ending true to its type. */
export function safeName(sent: string, mediaType: string): string {
  const last = sent.slice(-4096).split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.~-]+/, '')
    .replace(/[\s.]+$/, '');
  const named = clean === '' ? NO_NAME : RESERVED.test(clean) ? `_${clean}` : clean;
  const endings = ENDINGS[mediaType] ?? ENDINGS[BYTES] ?? [];
  const dot = named.lastIndexOf('.');
  const has = dot > 0 && endings.includes(named.slice(dot + 1).toLowerCase());
  const ending = has ? named.slice(dot) : `.${endings[0] ?? 'bin'}`;
  return `${shortened(has ? named.slice(0, dot) : named, ending.length)}${ending}`;
}

function shortened(stem: string, room: number): string {
  const letters = [...stem];
  let short = letters.slice(0, LONGEST_NAME - room);
  while (new TextEncoder().encode(short.join('')).length > NAME_BYTES - room) short = short.slice(0, -1);
  // What was cut may leave a dot or blank at the end.
  return short.join('').replace(/[\s.]+$/, '') || NO_NAME;
}
