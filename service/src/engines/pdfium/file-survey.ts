// What the bytes of a file tell of the document without any of it being opened: how many pages there can be, whether
// fields, typed notes or stamps can be on them, and whether layers can be off. To ask an engine, it would have to read thousands of objects
// of which nothing else is wanted.
import { inflateSync } from 'node:zlib';
import { MIB } from '../../contract/limits.ts';

export interface FileSurvey {
  /** There are no more; old revisions may make it more than there are. */
  pages: number;
  /** There may be annotations that hold text a reader sees. */
  hasWritten: boolean;
  /** Layers may be off: states that are say so by a name, rules of several layers by that of their kind. */
  mayHide: boolean;
}

const WRITTEN = ['/Widget', '/FreeText', '/Stamp'];
const HIDING = ['/OFF', '/AllOff', '/AnyOff', '/VE'];
const GROUP = '/ObjStm';
const MAX_GROUP_BYTES = 4 * MIB;
const MAX_GROUPS = 2000;
const NOTHING = Buffer.alloc(0);
/** How far the end of a group's dictionary, or its beginning, may be from its type. */
const MAX_DICTIONARY = 1024;

/** Undefined where the bytes do not tell: objects are encrypted, or packed in an unusual way. */
export function surveyFile(file: Uint8Array): FileSurvey | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.includes('/Encrypt')) return undefined;
  const survey: FileSurvey = { pages: 0, hasWritten: false, mayHide: false };
  lookAt(bytes, survey);
  let groups = 0;
  for (let at = bytes.indexOf(GROUP); at >= 0; at = bytes.indexOf(GROUP, at + GROUP.length)) {
    groups += 1;
    const unpacked = groups > MAX_GROUPS ? undefined : unpackGroup(bytes, at);
    if (!unpacked) return undefined;
    lookAt(unpacked, survey);
  }
  return survey;
}

/** Of an open file, when it is first asked for. */
export function surveyOnce(file: { bytes(): Uint8Array | undefined }): () => FileSurvey | undefined {
  let asked: { survey: FileSurvey | undefined } | undefined;
  return () => {
    if (!asked) {
      const bytes = file.bytes();
      asked = { survey: bytes && surveyFile(bytes) };
    }
    return asked.survey;
  };
}

function lookAt(bytes: Buffer, survey: FileSurvey): void {
  survey.pages += countPages(bytes);
  survey.hasWritten ||= WRITTEN.some((name) => bytes.includes(name));
  survey.mayHide ||= HIDING.some((name) => bytes.includes(name));
}

const PAGE = '/Page';
const TYPE = '/Type';
const SPACES = new Set([0, 9, 10, 12, 13, 32]);

/** Dictionaries whose /Type is /Page. */
function countPages(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(PAGE); at >= 0; at = bytes.indexOf(PAGE, at + PAGE.length)) {
    if (isRegular(bytes[at + PAGE.length] ?? 32)) continue;
    let before = at;
    while (before > 0 && SPACES.has(bytes[before - 1] as number)) before -= 1;
    if (bytes.toString('latin1', Math.max(0, before - TYPE.length), before) === TYPE) count += 1;
  }
  return count;
}

/** Whether a name goes on with this byte: letters, digits, an escape. */
const isRegular = (byte: number): boolean => /[0-9A-Za-z#_.-]/.test(String.fromCharCode(byte));

/** The objects of the group whose dictionary has its type here. */
function unpackGroup(bytes: Buffer, at: number): Buffer | undefined {
  const end = bytes.indexOf('stream', at);
  if (end < 0 || end - at > MAX_DICTIONARY) return undefined;
  const before = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY), end);
  const dictionary = before.slice(before.lastIndexOf(' obj') + 1);
  // What is not packed was looked at with the rest of the file.
  if (!dictionary.includes('/Filter')) return NOTHING;
  if (!/\/Filter\s*\[?\s*\/FlateDecode\b/.test(dictionary) || dictionary.includes('/DecodeParms'))
    return undefined;
  let from = end + 'stream'.length;
  if (bytes[from] === 13) from += 1;
  if (bytes[from] === 10) from += 1;
  try {
    return inflateSync(bytes.subarray(from, bytes.indexOf('endstream', from)), {
      maxOutputLength: MAX_GROUP_BYTES,
    });
  } catch {
    return undefined;
  }
}
