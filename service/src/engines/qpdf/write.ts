// Saving: how a document is written, to memory when small, else to a file.

import type { Content } from '../../contract/files.ts';
import { LIMITS } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { unknownPassword } from '../../pdf/security/passwords.ts';
import { copyBytes, DECODE, ERRORS_BIT, type Library, OBJECT_STREAMS, type QpdfPointer } from './library.ts';

export interface Encryption {
  /** RC4 40 bit, AES 128 bit, AES 256 bit. */
  keyLength: 40 | 128 | 256;
  userPassword: string;
  /** Undefined: one that nobody knows, so that rights hold. */
  ownerPassword: string | undefined;
  allow: {
    assembly: boolean;
    extract: boolean;
    accessibility: boolean;
    fillForms: boolean;
    modify: boolean;
    annotate: boolean;
    print: boolean;
    printFaithful: boolean;
  };
}

export interface SaveOptions {
  objectStreams?: keyof typeof OBJECT_STREAMS;
  linearize?: boolean;
  /** Undo stream filters: `generalized` all but image codecs, `all` those too. */
  decode?: 'generalized' | 'all';
  normalizeContent?: boolean;
  encryption?: Encryption;
  /** The source's own encryption stays. */
  keepEncryption?: true;
  /** The version in the header, whatever the document had, such as 1.7. */
  version?: string;
  /** Leaves ModDate as it is; else it becomes now (operations 1.7). */
  keepModificationDate?: true;
}

const PRINT = { full: 0, low: 1, none: 2 } as const;

export function write(
  lib: Library,
  pointer: QpdfPointer,
  options: SaveOptions,
  sourceBytes: number,
  newFile: (extension: string) => string,
  failOnError: (what: string) => void,
): Content {
  const inMemory = sourceBytes <= LIMITS.spoolBytes;
  const path = inMemory ? '' : newFile('pdf');
  const begun = (inMemory ? lib.initWriteMemory(pointer) : lib.initWriteFile(pointer, path)) as number;
  if (begun & ERRORS_BIT) failOnError('The document could not be written.');
  lib.setPreserveEncryption(pointer, options.keepEncryption ? 1 : 0);
  // PDF/A asks for it; a document that conforms goes on doing so.
  lib.setNewlineBeforeEndstream(pointer, 1);
  // An id made from the content lets equal requests give equal bytes; qpdf has none for encrypted output.
  if (!options.encryption && !options.keepEncryption) lib.setDeterministicId(pointer, 1);
  lib.setObjectStreams(pointer, OBJECT_STREAMS[options.objectStreams ?? 'preserve']);
  if (options.version) lib.forceVersion(pointer, options.version);
  if (options.linearize) lib.setLinearization(pointer, 1);
  if (options.normalizeContent) lib.setContentNormalization(pointer, 1);
  if (options.decode) {
    lib.setCompressStreams(pointer, 0);
    lib.setDecodeLevel(pointer, options.decode === 'all' ? DECODE.all : DECODE.specialized);
  }
  if (options.encryption) encrypt(lib, pointer, options.encryption);
  const status = options.linearize ? lib.writeDeep(pointer) : lib.write(pointer);
  if (status & ERRORS_BIT) {
    failOnError('The document could not be written.');
    throw new Problem('invalid_pdf', 'The document could not be written.');
  }
  if (!inMemory) return { path };
  return { bytes: copyBytes(lib.buffer(pointer), Number(lib.bufferLength(pointer))) };
}

function encrypt(
  lib: Library,
  pointer: QpdfPointer,
  { keyLength, userPassword, ownerPassword, allow }: Encryption,
): void {
  const encoding = keyLength === 256 ? 'utf8' : 'latin1';
  const user = cString(userPassword, encoding);
  const owner = cString(ownerPassword ?? unknownPassword(), encoding);
  const bit = (value: boolean) => (value ? 1 : 0);
  if (keyLength === 40) {
    // Four rights are all this revision knows: a finer one that is denied takes the coarser with it.
    const print = bit(allow.print && allow.printFaithful);
    const modify = bit(allow.modify && allow.assembly);
    const extract = bit(allow.extract && allow.accessibility);
    const annotate = bit(allow.annotate && allow.fillForms);
    lib.setR2(pointer, user, owner, print, modify, extract, annotate);
    return;
  }
  const rights = [
    bit(allow.accessibility),
    bit(allow.extract),
    bit(allow.assembly),
    bit(allow.annotate),
    bit(allow.fillForms),
    bit(allow.modify),
    allow.print ? (allow.printFaithful ? PRINT.full : PRINT.low) : PRINT.none,
  ];
  if (keyLength === 128) lib.setR4(pointer, user, owner, ...rights, 1, 1);
  else lib.setR6(pointer, user, owner, ...rights, 1);
}

/** Bytes with the closing zero that C asks for. */
export function cString(text: string, encoding: 'utf8' | 'latin1'): Buffer {
  return Buffer.concat([Buffer.from(text, encoding), Buffer.alloc(1)]);
}
