// A form as data: its parts, its bounds, and the rules both encodings share.
import { LIMITS, MIB } from '../../../contract/limits.ts';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import type { Workspace } from '../../../jobs/workspace.ts';
import type { Part } from '../../../operations/plan.ts';
import type { HeldShare } from '../held-bytes.ts';

/** Bounds of a form beside the size of the body. A form to fill may have thousands of fields. */
export const FORM_LIMITS = {
  fields: 10_000,
  nameBytes: 1024,
  headerBytes: 16 * 1024,
  headerPairs: 20,
  fieldBytes: LIMITS.jsonBytes,
  textBytes: 4 * MIB,
} as const;

export interface FormOptions {
  maxBytes: number;
  workspace: Workspace;
  share: HeldShare;
  /** Hash files as they arrive, for the fingerprint of an idempotent request. */
  digest: boolean;
  /** Names under which files are awaited: a part so named may come without a file name and a type. */
  fileFields?: ReadonlySet<string>;
  /** Whether text under this name is read by anyone. Operations 1.2: "Unknown fields ... are ignored", however long. */
  isRead?(name: string): boolean;
}

/** A part and, where asked for, the SHA-256 of its file, or of text that nobody reads and that is not kept. */
export interface ReadPart {
  part: Part;
  sha256?: string | undefined;
}

export const malformed = (detail: string, hint?: string): Problem =>
  new Problem('bad_request', detail, hint === undefined ? {} : { hint });

export const tooManyFields = (): Problem =>
  malformed(`A form may have at most ${FORM_LIMITS.fields} fields.`);
export const fieldTooLong = (name: string): Problem =>
  invalidParameter(`${name} is longer than ${FORM_LIMITS.fieldBytes} bytes.`);

export function checkName(name: string | undefined): asserts name is string {
  if (name === undefined || name === '') throw malformed('A part of the form has no name.');
  if (Buffer.byteLength(name) <= FORM_LIMITS.nameBytes) return;
  throw malformed(`The name of a field is longer than ${FORM_LIMITS.nameBytes} bytes.`);
}

const UPLOAD_SUFFIX = '@upload';
const ADDRESS_SUFFIX = '@url';

export const isUnread = (name: string, { isRead }: FormOptions): boolean =>
  isRead !== undefined && !isRead(name) && !name.endsWith(UPLOAD_SUFFIX) && !name.endsWith(ADDRESS_SUFFIX);

/**
 * Interface 2.1: "The form is `<field>@upload` for any file field"; `<field>@url` carries its address. An empty value
 * counts as absent.
 */
export function textPart(name: string, text: string): Part | undefined {
  const isUpload = name.endsWith(UPLOAD_SUFFIX);
  if (!isUpload && !name.endsWith(ADDRESS_SUFFIX)) return { field: name, text };
  const value = text.trim();
  if (value === '') return undefined;
  return isUpload
    ? { field: name.slice(0, -UPLOAD_SUFFIX.length), uploadId: value }
    : { field: name.slice(0, -ADDRESS_SUFFIX.length), url: value };
}
