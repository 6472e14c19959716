// The calls that are compared: each operation on each document it takes. Every second call chooses other values for
// the operation's choices and flags, so that all of them are walked over the collection.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { type FileKind, KINDS } from '../../service/src/contract/kinds.ts';
import type { AnyOperation, FileInput } from '../../service/src/operations/define.ts';
import type { Field } from '../../service/src/operations/fields.ts';
import { type ExampleFile, exampleCall } from '../../service/testing/calls/example-calls.ts';
import type { SameDocument } from './documents.ts';

export interface SameCall {
  operation: string;
  /** The document, or the example that comes with the clone. */
  document: string;
  params: Record<string, string>;
  files: { field: string; name: string; read(): Uint8Array<ArrayBuffer> }[];
  /** That may open the result. */
  passwords: string[];
}

const EXAMPLE = '(example)';

/** In an order that is always the same, and another for each operation: the first few are a fair sample. */
export function callsOf(operation: string, op: AnyOperation, documents: readonly SameDocument[]): SameCall[] {
  const main = (op.inputs as Record<string, FileInput>).fileInput;
  const fitting = main ? documents.filter(({ extension }) => takes(main, extension)) : [];
  const order = new Map(fitting.map(({ name }) => [name, digest(`${operation} ${name}`)]));
  fitting.sort((a, b) => ((order.get(a.name) ?? '') < (order.get(b.name) ?? '') ? -1 : 1));
  return [undefined, ...fitting].map((document, index) => callOn(operation, op, document, index));
}

const takes = (input: FileInput, extension: string): boolean =>
  input.kinds.some((kind: FileKind) => KINDS[kind].extensions.some((each) => each === extension));

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function callOn(
  operation: string,
  op: AnyOperation,
  document: SameDocument | undefined,
  index: number,
): SameCall {
  const example = exampleCall(operation, op);
  const given: Record<string, ExampleFile[]> = { ...example.files };
  // Where several are wanted, the document comes first and the example's follow.
  if (document) given.fileInput = [document.path, ...(example.files.fileInput ?? []).slice(1)];
  const params = index % 2 === 0 ? example.params : { ...otherChoices(op, index >> 1), ...example.params };
  const password = document?.password;
  return {
    operation,
    document: document?.name ?? EXAMPLE,
    params: { ...params, ...(password === undefined ? {} : { inputPassword: password }) },
    files: Object.entries(given).flatMap(([field, files]) => files.map((file) => sent(field, file))),
    passwords: [password, params.password, params.ownerPassword].filter((each) => each !== undefined),
  };
}

const sent = (field: string, file: ExampleFile): SameCall['files'][number] =>
  typeof file === 'string'
    ? { field, name: basename(file), read: () => new Uint8Array(readFileSync(file)) }
    : { field, name: file.name, read: () => new Uint8Array(file.bytes) };

/** A value for each choice and flag; they turn at different speeds, so that pairs of them meet. */
function otherChoices(op: AnyOperation, turn: number): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [index, [name, field]] of Object.entries(op.params as Record<string, Field>).entries()) {
    const values = field.kind === 'flag' ? ['true', 'false'] : choicesOf(field);
    const value = values[(turn + (turn >> (index % 5))) % values.length];
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}

function choicesOf(field: Field): string[] {
  if (field.kind !== 'choice') return [];
  const { enum: values } = z.toJSONSchema(field.schema, { io: 'input', unrepresentable: 'any' });
  return (values ?? []).map(String);
}
