// The headers of one multipart part. They come as latin1 text; names are UTF-8 in practice (RFC 7578).
import type { RawHeaders } from './boundaries.ts';

export interface PartHeaders {
  name: string | undefined;
  /** Absent: the part is a plain field. Empty: a file field nothing was chosen for. */
  filename: string | undefined;
  mediaType: string | undefined;
  charset: string | undefined;
  transferEncoding: string | undefined;
}

/** undefined: not a part of a form. */
export function readPartHeaders(raw: RawHeaders): PartHeaders | undefined {
  const disposition = raw['content-disposition']?.[0];
  if (disposition === undefined || !/^\s*form-data\s*(?:;|$)/i.test(disposition)) return undefined;
  const given = parameters(disposition);
  const type = raw['content-type']?.[0];
  return {
    name: utf8(given.get('name')),
    filename: extendedValue(given.get('filename*')) ?? utf8(given.get('filename')),
    mediaType: type?.split(';', 1)[0]?.trim().toLowerCase() || undefined,
    charset: type?.includes(';') ? parameters(type).get('charset')?.toLowerCase() : undefined,
    transferEncoding: raw['content-transfer-encoding']?.[0]?.trim().toLowerCase(),
  };
}

/** The file name of a Content-Disposition header of an answer (RFC 6266), as it was given. */
export function dispositionFilename(header: string): string | undefined {
  const given = parameters(header);
  return extendedValue(given.get('filename*')) ?? utf8(given.get('filename'));
}

/** Whether a part without a filename is text all the same: "json: JSON text, or a part of type application/json". */
export const isTextType = (mediaType: string | undefined): boolean =>
  mediaType === undefined || mediaType.startsWith('text/') || mediaType === 'application/json';

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

export function parameters(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of header.matchAll(PARAMETER)) {
    const value = quoted === undefined ? (bare ?? '').trim() : unquoted(quoted);
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/**
 * Browsers write a quote as %22, older clients as \\". Some write Windows paths unescaped, so a backslash escapes only
 * itself and the quote.
 */
const unquoted = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"');

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(latin1: string | undefined): string | undefined {
  if (latin1 === undefined || /^[\x00-\x7f]*$/.test(latin1)) return latin1;
  try {
    return STRICT_UTF8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}

/** RFC 8187: charset'language'percent-encoded. What cannot be read counts as absent. */
function extendedValue(value: string | undefined): string | undefined {
  const match = /^(utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(value ?? '');
  if (!match) return undefined;
  const bytes = (match[2] ?? '').replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return match[1]?.toLowerCase() === 'utf-8' ? utf8(bytes) : bytes;
}

/** Text of a field; undefined where the bytes are not of the declared charset. */
export function decodeText(bytes: Buffer, charset: string | undefined): string | undefined {
  try {
    const decoder =
      charset === undefined || charset === 'utf-8'
        ? STRICT_UTF8
        : new TextDecoder(charset, { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
