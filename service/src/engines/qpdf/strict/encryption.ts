// Encrypts a sound document while it is written: strings, data of streams, and what their dictionaries say of its length.
import { randomBytes } from 'node:crypto';
import type { PdfDocument } from '../../../pdf/document.ts';
import { Dict, name, PdfString, Ref } from '../../../pdf/objects.ts';
import { makeEncryption } from '../../../pdf/security/encryption-making.ts';
import { type ObjectEncryption, objectEncryption } from '../../../pdf/security/object-encryption.ts';
import { parseObject } from '../../../pdf/syntax/object-syntax.ts';
import type { Encryption } from '../write.ts';
import { ByteWriter } from './byte-writer.ts';
import { Scan } from './object-scan.ts';

export type AesEncryption = Encryption & { keyLength: 128 | 256 };

export class StrictEncryption {
  readonly dict: Dict;
  readonly id: readonly [PdfString, PdfString];
  private readonly encryption: ObjectEncryption;
  private readonly scan = new Scan();
  private readonly scratch = new ByteWriter();

  constructor(doc: PdfDocument, { keyLength, allow, ...passwords }: AesEncryption) {
    const [first] = doc.array(doc.trailer.get('ID')) ?? [];
    const own = first instanceof PdfString ? first : new PdfString(randomBytes(16));
    this.id = [own, new PdfString(randomBytes(16))];
    const { assembly, ...rights } = allow;
    const order = { ...passwords, keyLength, allows: { ...rights, assemble: assembly } };
    const { dict, key } = makeEncryption(order, Buffer.from(own.bytes), 'StdCF');
    this.dict = dict;
    this.encryption = objectEncryption(doc, dict, key);
  }

  data(number: number, data: Uint8Array): Uint8Array {
    return this.encryption.stream(new Ref(number), data);
  }

  /** The text of an object with its strings encrypted; of a stream, with the length that its data has now. */
  write(out: ByteWriter, number: number, write: (out: ByteWriter) => void, length?: number): void {
    this.scratch.clear();
    write(this.scratch);
    const bytes = this.scratch.taken();
    this.scan.object(bytes, 0);
    let at = 0;
    for (const { from, to, text } of this.replacements(bytes, number, length)) {
      out.part(bytes, at, from);
      out.text(text);
      at = to;
    }
    out.part(bytes, at, bytes.length);
  }

  private replacements(bytes: Buffer, number: number, length: number | undefined): Replacement[] {
    const { strings, lengthAt } = this.scan;
    const made: Replacement[] = [];
    const mayBeSignature = bytes.includes('/ByteRange');
    for (let index = 0; index < strings.length; index += 2) {
      const [from, to] = [strings[index] as number, strings[index + 1] as number];
      if (mayBeSignature && isContents(bytes, from)) continue;
      const string = parseObject(bytes.toString('latin1', from, to)) as PdfString;
      const encrypted = Buffer.from(this.encryption.string(new Ref(number), string.bytes));
      made.push({ from, to, text: `<${encrypted.toString('hex')}>` });
    }
    if (length === undefined) return made;
    const told = /^\d+(?:\s+\d+\s+R)?/.exec(bytes.toString('latin1', lengthAt))?.[0] ?? '';
    made.push({ from: lengthAt, to: lengthAt + told.length, text: String(length) });
    return made.sort((a, b) => a.from - b.from);
  }
}

/** ISO 32000-2, 7.6.2: the /Contents of a signature dictionary is never encrypted. */
const isContents = (bytes: Buffer, stringAt: number): boolean =>
  /\/Contents\s*$/.test(bytes.toString('latin1', Math.max(0, stringAt - 16), stringAt));

interface Replacement {
  from: number;
  to: number;
  text: string;
}

/** The first versions that know them. */
const VERSIONS = { 128: '1.6', 256: '1.7' } as const;

/** Says in the catalog what a reader must know to open the document; the version to stand in its header. */
export function tellOfEncryption(doc: PdfDocument & { headerVersion: string }, keyLength: 128 | 256): string {
  const { headerVersion } = doc;
  // AES of 256 bits came with an extension of version 1.7.
  if (keyLength === 256 && Number(headerVersion) < 2) {
    const extensions = new Dict(doc.dict(doc.catalog.get('Extensions')));
    extensions.set('ADBE', Dict.of({ BaseVersion: name('1.7'), ExtensionLevel: 8 }));
    doc.edit(doc.catalogRef).set('Extensions', extensions);
  }
  return Number(headerVersion) < Number(VERSIONS[keyLength]) ? VERSIONS[keyLength] : headerVersion;
}
