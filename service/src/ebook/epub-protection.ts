// What of an EPUB is encrypted. Fonts may be obfuscated, which is undone; anything else is protection of rights.
import { createHash } from 'node:crypto';
import { Problem } from '../contract/problems.ts';
import { below, childOf, childrenOf, find, parseXml, textOf, type XmlElement } from '../markup/xml.ts';

const IDPF = 'http://www.idpf.org/2008/embedding';
const ADOBE = 'http://ns.adobe.com/pdf/enc#RC';

export interface Protection {
  /** The bytes of a file as its makers had them. */
  clear(path: string, bytes: Uint8Array): Uint8Array;
}

/** Throws unsupported_file_type where the book itself is encrypted. */
export async function protectionOf(
  text: (path: string) => Promise<string | undefined>,
  opf: XmlElement | undefined,
  name: string,
): Promise<Protection> {
  const methods = new Map<string, string>();
  for (const each of below(parseXml((await text('META-INF/encryption.xml')) ?? ''))) {
    if (each.name !== 'EncryptedData') continue;
    const algorithm = childOf(each, 'EncryptionMethod')?.attributes.get('Algorithm') ?? '';
    const path = find(each, 'CipherReference')?.attributes.get('URI') ?? '';
    // "DRM-protected: unsupported_file_type"
    if (algorithm !== IDPF && algorithm !== ADOBE)
      throw new Problem('unsupported_file_type', `${name} is protected by digital rights management (DRM).`);
    methods.set(decodeURI(path), algorithm);
  }
  const ids = identifiers(opf);
  return {
    clear(path, bytes) {
      const method = methods.get(path);
      if (method === undefined) return bytes;
      return method === IDPF
        ? unmask(bytes, idpfKey(ids.unique), 1040)
        : unmask(bytes, adobeKey(ids.all), 1024);
    },
  };
}

function identifiers(opf: XmlElement | undefined): { unique: string; all: string[] } {
  const list = childrenOf(childOf(opf, 'metadata'), 'identifier');
  const wanted = opf?.attributes.get('unique-identifier');
  const unique = list.find(({ attributes }) => attributes.get('id') === wanted) ?? list[0];
  return { unique: textOf(unique), all: list.map(textOf) };
}

const idpfKey = (id: string): Uint8Array =>
  createHash('sha1')
    .update(id.replace(/[\u0020\u0009\u000d\u000a]/g, ''))
    .digest();

function adobeKey(ids: readonly string[]): Uint8Array {
  const uuid = ids
    .map((id) => id.replace(/^urn:uuid:/i, '').replaceAll('-', ''))
    .find((id) => /^[0-9a-f]{32}$/i.test(id));
  return Buffer.from(uuid ?? '', 'hex');
}

function unmask(bytes: Uint8Array, key: Uint8Array, length: number): Uint8Array {
  if (key.length === 0) return bytes;
  const clear = Uint8Array.from(bytes);
  for (let at = 0; at < Math.min(length, clear.length); at += 1)
    clear[at] = (clear[at] ?? 0) ^ (key[at % key.length] ?? 0);
  return clear;
}
