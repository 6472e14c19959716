// What every operation keeps to, asked of each without a line written for it. What a declaration cannot tell (an
// example of its JSON field, a name it gives itself) stands in small tables below and in example-calls.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { badValues } from '../../testing/calls/bad-values.ts';
import {
  EXAMPLE_ALLOW_HOSTS,
  type ExampleCall,
  type ExampleFile,
  exampleCall,
  exampleText,
} from '../../testing/calls/example-calls.ts';
import { type GivenCall, type Ran, runHere } from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { assertUniqueEntries } from '../../testing/oracles/archives.ts';
import { missing, pdfinfo, qpdfCheck } from '../../testing/oracles/programs.ts';
import { inlineSchema } from '../api/openapi/schemas.ts';
import { type FileKind, shownAs, sniff } from '../contract/kinds.ts';
import type { Reason } from '../contract/problems.ts';
import type { EngineName } from '../engines/engines.ts';
import { probeEngines } from '../engines/load.ts';
import { checkValues } from './check.ts';
import { type AnyOperation, CLAIMS_HEADER, type FileInput } from './define.ts';
import type { Field } from './fields.ts';
import { OPERATIONS } from './index.generated.ts';

const LOCKED = fixture('everything-locked.pdf');
const OWNER_LOCKED = fixture('everything-owner-locked.pdf');
const PASSWORD = 'open-sesame';
const NOT_A_FILE: ExampleFile = { name: 'rubbish.pdf', bytes: Buffer.from('This is no document at all.\n') };

/** Results that `run` names itself, and by what rule. */
const NAMED_BY_RUN: Record<string, RegExp> = {
  'convert/eml/pdf': /^example\.eml\.pdf$/,
  // Several pages come as a ZIP.
  'convert/pdf/vector': /^everything_converted\.zip$/,
  'misc/auto-rename': /^[^/]+\.pdf$/,
  'convert/url/pdf': /^http___127_0_0_1_\d+_\.pdf$/,
  'misc/show-javascript': /^everything\.pdf\.js$/,
};

/** Operations whose result stays encrypted: "unless ... the operation says so" (operations 1.3). */
const STAYS_ENCRYPTED: readonly string[] = [
  'security/add-password',
  'security/cert-sign',
  'security/timestamp-pdf',
];

interface Subject {
  path: string;
  op: AnyOperation;
  call: ExampleCall;
  inputs: [string, FileInput][];
  fields: [string, Field][];
}

/** `npm test -- general/rotate-pdf` asks for the laws of that operation alone. */
const ASKED_FOR = process.env.LAWS_OF?.split(',') ?? Object.keys(OPERATIONS);

const SUBJECTS: Subject[] = ASKED_FOR.map((path) => ({ path, op: operationAt(path) })).map(
  ({ path, op }) => ({
    path,
    op,
    call: exampleCall(path, op),
    inputs: Object.entries(op.inputs as Record<string, FileInput>),
    fields: Object.entries(op.params as Record<string, Field>),
  }),
);

function operationAt(path: string): AnyOperation {
  const op = OPERATIONS[path];
  assert.ok(op, `no operation ${path}`);
  return op;
}

const ENGINES = await probeEngines();
/** What this machine lacks for an operation, as a reason to skip it. */
const lacking = ({ uses }: AnyOperation): string | false =>
  (uses as EngineName[]).map((name) => ENGINES[name].missing).find((words) => words !== undefined) ?? false;

/** One test per law, with one inside it for each operation the law is about. */
function law(
  sentence: string,
  keep: (subject: Subject) => Promise<void>,
  isAbout = (_: Subject) => true,
): void {
  const subjects = SUBJECTS.filter(isAbout);
  if (subjects.length === 0) return;
  test(sentence, async (t) => {
    for (const subject of subjects)
      await t.test(subject.path, { skip: lacking(subject.op) }, () => keep(subject));
  });
}

async function refused(subject: Subject, call: GivenCall, reason: Reason, named = ''): Promise<void> {
  const ran = await runHere(subject.path, { ...call, allowHosts: [...EXAMPLE_ALLOW_HOSTS] });
  const shown = JSON.stringify(call.params).slice(0, 200);
  assert.ok(ran.state === 'failed', `${shown} was not refused`);
  assert.equal(ran.problem.reason, reason, `${shown}: ${ran.problem.detail} ${ran.cause ?? ''}`);
  assert.ok(ran.problem.detail.includes(named), `${ran.problem.detail} does not name ${named}`);
}

async function works(subject: Subject, call: GivenCall): Promise<Exclude<Ran, { state: 'failed' }>> {
  const ran = await runHere(subject.path, { ...call, allowHosts: [...EXAMPLE_ALLOW_HOSTS] });
  assert.ok(ran.state !== 'failed', JSON.stringify(ran));
  return ran;
}

const withParams = ({ call }: Subject, params: GivenCall['params']): GivenCall => ({
  files: call.files,
  params: { ...call.params, ...params },
});
const withFiles = ({ call }: Subject, name: string, ...files: ExampleFile[]): GivenCall => ({
  files: { ...call.files, [name]: files },
  params: call.params,
});

const isPdfOnly = (input: FileInput): boolean => input.kinds.length === 1 && input.kinds[0] === 'pdf';
/** The inputs of the example that are PDFs and nothing else. */
const pdfInputs = ({ inputs, call }: Subject): string[] =>
  inputs.filter(([name, input]) => isPdfOnly(input) && call.files[name]).map(([name]) => name);
const takesPdf = (subject: Subject): boolean => pdfInputs(subject).length > 0;

law('it says what it does, and what each file and field means', async ({ op, inputs, fields }) => {
  assert.match(op.summary, /^[A-Z].{2,78}[^.]$/);
  if (op.description !== undefined) assert.match(op.description, /^[^a-z][\s\S]*[.!?]$/);
  for (const [name, { description }] of [...inputs, ...fields]) assert.match(description, /^\S.*\S$/s, name);
});

law(
  'what is no PDF is refused as such where a PDF is wanted',
  async (subject) => {
    for (const name of pdfInputs(subject))
      await refused(subject, withFiles(subject, name, NOT_A_FILE), 'invalid_pdf');
  },
  takesPdf,
);

law('what is of no accepted type is refused, naming the types', async (subject) => {
  for (const [name, input] of subject.inputs) {
    if (isPdfOnly(input) || !subject.call.files[name] || input.kinds.includes('any')) continue;
    await refused(subject, withFiles(subject, name, NOT_A_FILE), 'unsupported_file_type');
  }
});

law(
  'a locked PDF asks for its password, refuses a wrong one and opens with the right one',
  async (subject) => {
    for (const name of pdfInputs(subject)) {
      const locked = withFiles(subject, name, LOCKED);
      await refused(subject, locked, 'password_required');
      const open = (inputPassword: string | string[]) => ({
        files: locked.files,
        params: { ...locked.params, inputPassword },
      });
      await refused(subject, open('wrong'), 'wrong_password');
      await works(subject, open(['wrong', PASSWORD]));
      const ran = await works(subject, open(PASSWORD));
      // Operations 1.3: "not encrypted again, unless the result is the input itself or the operation says so".
      if (ran.state !== 'made' || sniff(ran.bytes) !== 'pdf' || missing('pdfinfo')) continue;
      if (STAYS_ENCRYPTED.includes(subject.path) || ran.bytes.equals(readFileSync(LOCKED))) continue;
      assert.equal(pdfinfo(ran.bytes).Encrypted, 'no');
    }
  },
  takesPdf,
);

law(
  'a PDF with only an owner password opens without one',
  async (subject) => {
    for (const name of pdfInputs(subject)) await works(subject, withFiles(subject, name, OWNER_LOCKED));
  },
  takesPdf,
);

law(
  'a page that does not exist is out of range',
  async (subject) => {
    const unused = unusedIn(subject);
    for (const [name, field] of subject.fields) {
      if (field.kind === 'pages' && !unused.has(name))
        await refused(subject, withParams(subject, { [name]: '9999' }), 'page_out_of_range', '9999');
    }
  },
  ({ fields }) => fields.some(([, { kind }]) => kind === 'pages'),
);

/** What the mode of the example call does not use; "such fields are ignored" (operations 1.2). */
function unusedIn({ path, call }: Subject): ReadonlySet<string> {
  const op = OPERATIONS[path];
  const values = new Map(Object.entries(call.params).map(([name, value]) => [name, [value].flat()]));
  return new Set(op?.unused?.(checkValues(op, values).params).map(String) ?? []);
}

law(
  'whatever fields hold that the chosen mode does not use is ignored',
  async (subject) => {
    const unused = unusedIn(subject);
    const bad = subject.fields
      .filter(([each]) => unused.has(each))
      .map(([name, field]) => [name, badValues(field)] as const);
    // All unused fields are wrong at once, each with one of its values after the other: one call is enough to tell that
    // none of them is looked at.
    const calls = Math.max(...bad.map(([, values]) => values.length));
    for (let call = 0; call < calls; call += 1) {
      const wrong = bad.flatMap(([name, values]) =>
        values.length > 0 ? [[name, values[call % values.length] ?? '']] : [],
      );
      await works(subject, withParams(subject, Object.fromEntries(wrong)));
    }
  },
  (subject) => unusedIn(subject).size > 0,
);

law('a value outside its type or bounds is refused, naming the field', async (subject) => {
  const unused = unusedIn(subject);
  for (const [name, field] of subject.fields.filter(([each]) => !unused.has(each))) {
    for (const bad of badValues(field)) {
      const { [name]: _valid, ...others } = subject.call.params;
      for (const sent of [name, ...field.aliases]) {
        await refused(
          subject,
          { files: subject.call.files, params: { ...others, [sent]: bad } },
          field.reason,
          name,
        );
      }
    }
  }
});

law(
  'a required field that is missing is named',
  async (subject) => {
    for (const [name, field] of subject.fields.filter(([, { required }]) => required)) {
      const { [name]: _left, ...params } = subject.call.params;
      await refused(subject, { files: subject.call.files, params }, 'invalid_parameter', name);
      if (field.emptyIsValue) continue;
      await refused(
        subject,
        { files: subject.call.files, params: { ...params, [name]: '' } },
        'invalid_parameter',
        name,
      );
    }
  },
  ({ fields }) => fields.some(([, { required }]) => required),
);

law('a second value for a field that is not a list is refused, naming the field', async (subject) => {
  const unused = unusedIn(subject);
  for (const [name, field] of subject.fields) {
    if (field.repeatable || unused.has(name)) continue;
    const text = subject.call.params[name] ?? anyText(subject, name, field);
    await refused(subject, withParams(subject, { [name]: [text, text] }), 'invalid_parameter', name);
  }
});

const anyText = ({ path }: Subject, name: string, field: Field): string =>
  field.kind === 'json' ? '{}' : exampleText(path, name, field);

law('a missing file is named, and so is a file too many', async (subject) => {
  const unused = unusedIn(subject);
  for (const [name, input] of subject.inputs) {
    if (unused.has(name)) continue;
    const example = subject.call.files[name] ?? [];
    if (input.required) await refused(subject, withFiles(subject, name), 'invalid_parameter', name);
    const one = example[0] ?? NOT_A_FILE;
    const tooMany: ExampleFile[] = Array(input.max + 1).fill(one);
    if (input.max < 100)
      await refused(subject, withFiles(subject, name, ...tooMany), 'invalid_parameter', name);
    if (name !== 'fileInput' || input.many) continue;
    // "An operation taking one file refuses several, whatever mix of names carries them" (operations 1.2).
    const mixed = { ...subject.call.files, fileInput: [one], file: [one] };
    await refused(subject, { files: mixed, params: subject.call.params }, 'invalid_parameter', name);
  }
});

law('text where a file belongs is refused, naming the field', async (subject) => {
  for (const [name] of subject.inputs) {
    const { [name]: _file, ...files } = subject.call.files;
    const params = { ...subject.call.params, [name]: 'a text' };
    await refused(subject, { files, params }, 'invalid_parameter', name);
  }
});

law('text beside a file under its field is ignored, before or after it', async (subject) => {
  const unused = unusedIn(subject);
  for (const [name] of subject.inputs) {
    if (!subject.call.files[name] || unused.has(name)) continue;
    const aliases = name === 'fileInput' ? ['fileInput', 'file'] : [name];
    for (const sent of aliases) await works(subject, withParams(subject, { [sent]: 'picture.png' }));
  }
});

law(
  'an empty page selection takes the default where there is one',
  async (subject) => {
    const unused = unusedIn(subject);
    for (const [name, field] of subject.fields) {
      if (field.kind !== 'pages' || field.default === undefined || unused.has(name)) continue;
      for (const empty of ['', ' ']) await works(subject, withParams(subject, { [name]: empty }));
    }
  },
  ({ fields }) => fields.some(([, { kind }]) => kind === 'pages'),
);

law(
  'the main file may be called file, and unknown fields are ignored',
  async (subject) => {
    const { fileInput, ...files } = subject.call.files;
    const call = {
      files: { ...files, file: fileInput ?? [] },
      params: { ...subject.call.params, noSuchField: 'x' },
    };
    await works(subject, call);
  },
  ({ inputs }) => inputs.some(([name]) => name === 'fileInput'),
);

law('the result is what was declared: kind, media type, name and headers', async (subject) => {
  const { output } = subject.op;
  const ran = await works(subject, subject.call);
  if (ran.state === 'nothing') {
    assert.ok(output.shape === 'file' && output.mayBeNothing);
    return;
  }
  const { result, bytes } = ran;
  assert.equal(result.size, bytes.length);
  assert.equal(result.mediaType, expectedMediaType(subject.op));
  for (const name of Object.keys(result.headers))
    assert.ok(name === CLAIMS_HEADER || name in output.headers, name);
  if (output.shape === 'json') {
    assert.equal(result.name, output.name?.replace('<name>', 'everything'));
    assertFitsSchema(output.schema, JSON.parse(bytes.toString('utf8')));
    return;
  }
  const first = Object.values(subject.call.files)[0]?.[0];
  const stem = (typeof first === 'string' ? first : (first?.name ?? 'document'))
    .replace(/^.*\//, '')
    .replace(/\.[^.]*$/, '');
  const extension = output.shape === 'archive' ? 'zip' : output.extension;
  const named = NAMED_BY_RUN[subject.path];
  if (named) assert.match(result.name ?? '', named);
  else assert.equal(result.name, `${stem}${output.suffix}.${extension}`);
  if (output.shape === 'archive') await assertUniqueEntries(bytes, output.entries);
  else assertSniffs(result.kind, bytes);
});

function expectedMediaType({ output }: AnyOperation): string {
  if (output.shape === 'json') return 'application/json';
  if (output.shape === 'archive' || output.octet) return 'application/octet-stream';
  return output.kind === 'pdf' ? 'application/pdf' : 'text/plain; charset=utf-8';
}

function assertSniffs(kind: FileKind, bytes: Buffer): void {
  if (kind === 'text') {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    assert.ok(!text.startsWith('\ufeff'), 'UTF-8 without BOM');
    return;
  }
  if (kind !== 'any') assert.equal(sniff(bytes), shownAs(kind));
  if (kind === 'pdf' && !missing('qpdf')) qpdfCheck(bytes, { tolerant: true, password: 'secret' });
}

/** The value fits the JSON Schema that callers are given. */
function assertFitsSchema(schema: z.ZodType, value: unknown): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = ajv.compile(inlineSchema(schema, 'output'));
  assert.ok(fits(value), ajv.errorsText(fits.errors));
}
