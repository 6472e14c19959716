// The C API of libqpdf (qpdf-c.h) in process through koffi. Only worker processes load this: a native
// fault takes the process, and a blocked native call cannot be interrupted.
import koffi from 'koffi';
import { Name, Ref } from '../../pdf/objects.ts';
import { onDeepStack } from './deep-write.ts';
import { type NameMark, objectsToJson } from './json.ts';

/** The C API used here is complete since qpdf 11. */
const LIBRARY_NAMES = ['libqpdf.so.30', 'libqpdf.so.29'];

export type Handle = number;
export type QpdfPointer = unknown;

/** QPDF_ERROR_CODE bits of functions that return a status. */
export const ERRORS_BIT = 2;

/** enum qpdf_error_code_e */
export const ERROR = {
  none: 0,
  internal: 1,
  system: 2,
  unsupported: 3,
  password: 4,
  damaged: 5,
  pages: 6,
} as const;

/** enum qpdf_object_type_e */
export const TYPE = { null: 2, dictionary: 9, stream: 10 } as const;

/** enum qpdf_stream_decode_level_e: which filters reading undoes. */
export const DECODE = { none: 0, generalized: 1, specialized: 2, all: 3 } as const;

export const OBJECT_STREAMS = { disable: 0, preserve: 1, generate: 2 } as const;

/** qpdf follows references by recursion. The default of 1 MiB ends at some thousands of objects in a row. */
const STACK_BYTES = 16 * 1024 * 1024;

function bind() {
  koffi.config({ sync_stack_size: STACK_BYTES });
  const library = firstLibrary();
  const f = (prototype: string) => library.func(prototype);
  const c = koffi.load('libc.so.6');
  const write: (pointer: QpdfPointer) => number = f('int qpdf_write(void *q)');
  const rights =
    'int accessibility, int extract, int assemble, int annotateAndForm, int formFilling, int modifyOther, int print';
  return {
    free: c.func('void free(void *p)'),
    version: f('const char *qpdf_get_qpdf_version()'),
    init: f('void *qpdf_init()'),
    cleanup: f('void qpdf_cleanup(_Inout_ void **q)'),
    silenceErrors: f('void qpdf_silence_errors(void *q)'),
    setSuppressWarnings: f('void qpdf_set_suppress_warnings(void *q, int value)'),
    hasError: f('int qpdf_has_error(void *q)'),
    getError: f('void *qpdf_get_error(void *q)'),
    errorCode: f('int qpdf_get_error_code(void *q, void *e)'),
    errorText: f('const char *qpdf_get_error_full_text(void *q, void *e)'),
    moreWarnings: f('int qpdf_more_warnings(void *q)'),
    nextWarning: f('void *qpdf_next_warning(void *q)'),

    read: f('int qpdf_read(void *q, const char *path, const uint8_t *password)'),
    readMemory: f(
      'int qpdf_read_memory(void *q, const uint8_t *description, const uint8_t *bytes, uint64_t size, const uint8_t *password)',
    ),
    emptyPdf: f('int qpdf_empty_pdf(void *q)'),
    pdfVersion: f('const char *qpdf_get_pdf_version(void *q)'),
    isEncrypted: f('int qpdf_is_encrypted(void *q)'),

    getTrailer: f('uint32_t qpdf_get_trailer(void *q)'),
    getRoot: f('uint32_t qpdf_get_root(void *q)'),
    getObject: f('uint32_t qpdf_get_object_by_id(void *q, int number, int generation)'),
    makeIndirect: f('uint32_t qpdf_make_indirect_object(void *q, uint32_t oh)'),
    newDictionary: f('uint32_t qpdf_oh_new_dictionary(void *q)'),
    newStream: f('uint32_t qpdf_oh_new_stream(void *q)'),
    newName: f('uint32_t qpdf_oh_new_name(void *q, const char *name)'),
    getKey: f('uint32_t qpdf_oh_get_key(void *q, uint32_t oh, const char *key)'),
    arrayItem: f('uint32_t qpdf_oh_get_array_item(void *q, uint32_t oh, int index)'),
    setArrayItem: f('void qpdf_oh_set_array_item(void *q, uint32_t oh, int index, uint32_t item)'),
    newNull: f('uint32_t qpdf_oh_new_null(void *q)'),
    parse: f('uint32_t qpdf_oh_parse(void *q, const char *text)'),
    release: f('void qpdf_oh_release(void *q, uint32_t oh)'),
    releaseAll: f('void qpdf_oh_release_all(void *q)'),
    typeCode: f('int qpdf_oh_get_type_code(void *q, uint32_t oh)'),
    objectNumber: f('int qpdf_oh_get_object_id(void *q, uint32_t oh)'),
    generation: f('int qpdf_oh_get_generation(void *q, uint32_t oh)'),
    streamDict: f('uint32_t qpdf_oh_get_dict(void *q, uint32_t oh)'),
    replaceKey: f('void qpdf_oh_replace_key(void *q, uint32_t oh, const char *key, uint32_t item)'),
    removeKey: f('void qpdf_oh_remove_key(void *q, uint32_t oh, const char *key)'),
    // Two bindings of one function: text for the common case, the pointer where bytes are not ASCII.
    unparseText: f('const char *qpdf_oh_unparse_resolved(void *q, uint32_t oh)'),
    unparsePointer: library.func('qpdf_oh_unparse_resolved', 'void *', ['void *', 'uint32_t']),
    lastStringLength: f('size_t qpdf_get_last_string_length(void *q)'),
    updateFromJson: f('int qpdf_update_from_json_data(void *q, const uint8_t *json, uint64_t size)'),
    copyForeign: f('uint32_t qpdf_oh_copy_foreign_object(void *q, void *other, uint32_t foreign)'),
    streamData: f(
      'int qpdf_oh_get_stream_data(void *q, uint32_t oh, int level, _Out_ int *filtered, _Out_ void **data, _Out_ size_t *size)',
    ),
    replaceStreamData: f(
      'void qpdf_oh_replace_stream_data(void *q, uint32_t oh, const uint8_t *data, size_t size, uint32_t filter, uint32_t parms)',
    ),

    pageCount: f('int qpdf_get_num_pages(void *q)'),
    pageHandle: f('uint32_t qpdf_get_page_n(void *q, size_t index)'),
    updatePageCache: f('int qpdf_update_all_pages_cache(void *q)'),

    initWriteFile: f('int qpdf_init_write(void *q, const char *path)'),
    // The same function with memory of ours as the path, for `nameInput`.
    initWriteNamed: library.func('qpdf_init_write', 'int', ['void *', 'const uint8_t *']),
    initWriteMemory: f('int qpdf_init_write_memory(void *q)'),
    bufferLength: f('size_t qpdf_get_buffer_length(void *q)'),
    buffer: f('void *qpdf_get_buffer(void *q)'),
    setObjectStreams: f('void qpdf_set_object_stream_mode(void *q, int mode)'),
    setCompressStreams: f('void qpdf_set_compress_streams(void *q, int value)'),
    setDecodeLevel: f('void qpdf_set_decode_level(void *q, int level)'),
    setContentNormalization: f('void qpdf_set_content_normalization(void *q, int value)'),
    setDeterministicId: f('void qpdf_set_deterministic_ID(void *q, int value)'),
    setPreserveEncryption: f('void qpdf_set_preserve_encryption(void *q, int value)'),
    setLinearization: f('void qpdf_set_linearization(void *q, int value)'),
    setNewlineBeforeEndstream: f('void qpdf_set_newline_before_endstream(void *q, int value)'),
    forceVersion: f('void qpdf_force_pdf_version(void *q, const char *version)'),
    setMinimumVersion: f('void qpdf_set_minimum_pdf_version(void *q, const char *version)'),
    setR2: f(
      'void qpdf_set_r2_encryption_parameters_insecure(void *q, const uint8_t *user, const uint8_t *owner, int print, int modify, int extract, int annotate)',
    ),
    setR3: f(
      `void qpdf_set_r3_encryption_parameters_insecure(void *q, const uint8_t *user, const uint8_t *owner, ${rights})`,
    ),
    setR4: f(
      `void qpdf_set_r4_encryption_parameters_insecure(void *q, const uint8_t *user, const uint8_t *owner, ${rights}, int encryptMetadata, int aes)`,
    ),
    setR6: f(
      `void qpdf_set_r6_encryption_parameters2(void *q, const uint8_t *user, const uint8_t *owner, ${rights}, int encryptMetadata)`,
    ),
    write,
    writeDeep: onDeepStack(library.symbol('qpdf_write', 'void'), write),
  };
}

function firstLibrary() {
  let last: unknown;
  for (const name of LIBRARY_NAMES) {
    try {
      return koffi.load(name);
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`none of ${LIBRARY_NAMES.join(', ')} can be loaded`, { cause: last });
}

export type Library = ReturnType<typeof bind>;

/** A document that says nothing by itself. */
export function begin(lib: Library): QpdfPointer {
  const pointer = lib.init();
  lib.setSuppressWarnings(pointer, 1);
  lib.silenceErrors(pointer);
  return pointer;
}

const NOWHERE = Buffer.from('/dev/null\0');
const IN_MEMORY = Buffer.from('memory\0');

/** Reads a document from memory, under a name that lasts (see `nameInput`). The bytes must stay where they are. */
export const readFromMemory = (
  lib: Library,
  pointer: QpdfPointer,
  bytes: Uint8Array,
  password: Buffer,
): number => lib.readMemory(pointer, IN_MEMORY, bytes, bytes.length, password) as number;

/**
 * qpdf keeps the pointer to the last file name it was given, clears it when it writes to memory twice, and makes
 * a string of it when it reads JSON. It must point at something that lasts.
 */
export function nameInput(lib: Library, pointer: QpdfPointer): void {
  lib.initWriteNamed(pointer, NOWHERE);
}

let mark: NameMark | undefined;

/** Which spelling of names this version reads is found by trying. */
export function nameMark(lib: Library): NameMark {
  if (mark !== undefined) return mark;
  const pointer = begin(lib);
  lib.emptyPdf(pointer);
  nameInput(lib, pointer);
  const trial = Buffer.from(objectsToJson([[new Ref(1), new Name('a b')]], 'n:'));
  const refused = ((lib.updateFromJson(pointer, trial, trial.length) as number) & ERRORS_BIT) !== 0;
  if (lib.hasError(pointer)) lib.getError(pointer);
  lib.cleanup([pointer]);
  mark = refused ? '' : 'n:';
  return mark;
}

let bound: Library | undefined;

/** Loads and binds the library once per process. Throws when the machine has none. */
export function qpdfLibrary(): Library {
  bound ??= bind();
  return bound;
}

/** Copies memory the library owns. */
export function copyBytes(pointer: unknown, size: number): Buffer {
  return size === 0 ? Buffer.alloc(0) : Buffer.from(Buffer.from(koffi.view(pointer, size)));
}
