// A valid call of any operation, made from its declaration.
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { z } from 'zod';
import type { FileKind } from '../../src/contract/kinds.ts';
import type { AnyOperation, FileInput } from '../../src/operations/define.ts';
import type { Field, FieldKind } from '../../src/operations/fields.ts';
import { fixture } from '../documents/collection.ts';
import { EXAMPLE_ADDRESS, EXAMPLE_HOST } from './example-site.ts';

export type ExampleFile = string | { name: string; bytes: Uint8Array };
export interface ExampleCall {
  files: Record<string, ExampleFile[]>;
  params: Record<string, string>;
}

/** Hosts that such calls name though they are not public. */
export const EXAMPLE_ALLOW_HOSTS: readonly string[] = [EXAMPLE_HOST];

const EXAMPLE_PDF = fixture('everything.pdf');

/** Two plain photos under a white lid. */
const SCAN =
  'iVBORw0KGgoAAAANSUhEUgAAAQQAAACMAgMAAADn8j+YAAAACVBMVEVEZqr///+qZkSTHmV4AAAACXBIWXMAAAsTAAALEwEAmpwYAAAASUlEQVRo' +
  '3u3ZsQkAIBRDwSzpkk4p2KeSX3mvDdwCyXotBAKB8IGQ1l13i0AgEAgEAoFAIBAIBAKBQCAQCAQCgTAs+LMIBAKhdQCtlc4iWiki+gAAAABJRU5E' +
  'rkJggg==';

/** What a declaration cannot tell: texts that must mean something, files that must fit together. */
const EXAMPLES: Record<string, Partial<ExampleCall>> = {
  'convert/eml/pdf': {
    files: { fileInput: [{ name: 'example.eml', bytes: Buffer.from('Subject: Example\r\n\r\nWords\r\n') }] },
  },
  'convert/ebook/pdf': {
    files: { fileInput: [{ name: 'example.txt', bytes: Buffer.from('Chapter 1\n\nWords\n') }] },
  },
  'convert/text-editor/pdf': {
    files: {
      editorJson: [
        { name: 'edited.json', bytes: Buffer.from('{"pages":[{"pageNumber":1,"textElements":[]}]}') },
      ],
    },
  },
  'convert/cbz/pdf': { files: { fileInput: [fixture('comic.cbz')] } },
  'form/delete-fields': { params: { names: '["name"]' } },
  'form/modify-fields': { params: { updates: '[{"targetName":"name","label":"Full name"}]' } },
  'misc/extract-image-scans': {
    files: { fileInput: [{ name: 'example.png', bytes: Buffer.from(SCAN, 'base64') }] },
  },
  'misc/delete-attachment': { params: { attachmentName: 'note.txt' } },
  'misc/ocr-pdf': { files: { fileInput: [fixture('scan.pdf')] } },
  // The fewest dots that a preset has: this example is called dozens of times.
  'misc/scanner-effect': { params: { quality: 'low' } },
  'misc/rename-attachment': { params: { attachmentName: 'note.txt' } },
  'security/redact': { params: { pageNumbers: '1' } },
  'security/add-password': { params: { password: 'secret' } },
  'security/cert-sign': {
    files: {
      privateKeyFile: [fixture('keys/signer-key.pem')],
      certFile: [fixture('keys/signer-cert.pem')],
    },
    params: { certType: 'PEM' },
  },
  'security/timestamp-pdf': { params: { tsaUrl: EXAMPLE_ADDRESS } },
  'convert/url/pdf': { params: { urlInput: EXAMPLE_ADDRESS } },
  'general/crop': { params: { x: '50', y: '50', width: '400', height: '500' } },
  'general/split-pdf-by-sections': { params: { splitMode: 'CUSTOM', pageNumbers: '1' } },
  'general/edit-text': { params: { find: 'page', replace: 'leaf', matchCase: 'false' } },
  'general/edit-table-of-contents': {
    params: { bookmarkData: '[{"title":"One","pageNumber":1,"children":[{"title":"Two","pageNumber":2}]}]' },
  },
};

const bytes = (name: string, text: string): ExampleFile => ({ name, bytes: Buffer.from(text) });

/** Four pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC';

/** One image. */
const ZIP = new yazl.ZipFile();
ZIP.addBuffer(Buffer.from(PNG, 'base64'), 'example.png');
ZIP.end();

/** One small file of each kind that operations take. */
const EXAMPLE_FILES: Partial<Record<FileKind, ExampleFile>> = {
  pdf: EXAMPLE_PDF,
  json: bytes('example.json', '{}'),
  text: bytes('example.txt', 'Example\n'),
  html: bytes('example.html', '<!doctype html><title>Example</title><h1>Example</h1>'),
  markdown: bytes('example.md', '# Example\n\nText.\n'),
  svg: bytes(
    'example.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="20" height="30"/></svg>',
  ),
  png: { name: 'example.png', bytes: Buffer.from(PNG, 'base64') },
  zip: { name: 'example.zip', bytes: await buffer(ZIP.outputStream) },
  any: bytes('example.txt', 'Example\n'),
};

/** Texts to try for a field without default, in order; the first that fits is taken. */
const CANDIDATES: Record<FieldKind, readonly string[]> = {
  text: ['Example', '1', 'https://example.org/'],
  secret: ['secret'],
  integer: ['1'],
  number: ['1'],
  flag: ['true'],
  choice: [],
  list: ['Example', '1', 'true'],
  pages: ['1'],
  colour: ['#336699'],
  size: ['1MB'],
  url: ['https://example.org/'],
  json: ['{}', '[]', '"Example"'],
};

export function exampleCall(path: string, op: AnyOperation): ExampleCall {
  const given = EXAMPLES[path] ?? {};
  const files: ExampleCall['files'] = {};
  for (const [name, input] of Object.entries(op.inputs as Record<string, FileInput>)) {
    if (input.required && !given.files?.[name])
      files[name] = Array(Math.max(1, input.min)).fill(exampleFile(path, name, input));
  }
  const params: ExampleCall['params'] = {};
  for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
    if (field.required && given.params?.[name] === undefined) params[name] = exampleText(path, name, field);
  }
  return { files: { ...files, ...given.files }, params: { ...params, ...given.params } };
}

function exampleFile(path: string, name: string, input: FileInput): ExampleFile {
  for (const kind of input.kinds) {
    const file = EXAMPLE_FILES[kind];
    if (file) return file;
  }
  throw new Error(`${path} ${name}: no example of kind ${input.kinds.join(', ')} in example-calls.ts`);
}

/** A valid form text for a field. */
export function exampleText(path: string, name: string, field: Field): string {
  const texts = [...ownValues(field), ...CANDIDATES[field.kind]];
  const valid = texts.find((text) => field.schema.safeParse(field.fromText(text)).success);
  if (valid === undefined) throw new Error(`${path} ${name}: no example text in example-calls.ts`);
  return valid;
}

/** What the field itself names: its choices, its default, its least value. */
function ownValues(field: Field): string[] {
  const schema = z.toJSONSchema(field.schema, { io: 'input', unrepresentable: 'any' });
  return [...(schema.enum ?? []), field.default, schema.minimum]
    .filter((value) => value !== undefined)
    .map(String);
}
