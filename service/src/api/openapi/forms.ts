// The request body of an operation: its files, its fields, and what must be there.
import { KINDS } from '../../contract/kinds.ts';
import { LIMITS } from '../../contract/limits.ts';
import { COMMON_FIELDS } from '../../operations/common-fields.ts';
import type { AnyOperation, FileInput } from '../../operations/define.ts';
import type { Field } from '../../operations/fields.ts';
import { MAIN_INPUT } from '../../operations/plan.ts';
import { exampleCall } from '../example-call.ts';
import { formField, sentences } from './fields.ts';
import { pascalName } from './names.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

/** Fields that all forms have are described once. */
export const COMMON_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.keys(COMMON_FIELDS).map((name) => [name, componentRef(pascalName(name))])),
  resultUrl: componentRef('ResultUrl'),
  webhookUrl: componentRef('WebhookUrl'),
  webhookSecret: componentRef('WebhookSecret'),
};

export const FORM_COMPONENTS: Components = {
  ...Object.fromEntries(
    Object.entries(COMMON_FIELDS).map(([name, field]) => [
      pascalName(name),
      formField(field, pascalName(name)).property,
    ]),
  ),
  ResultUrl: {
    type: 'string',
    format: 'uri',
    description:
      'A public https address, such as a pre-signed one of an object store, to PUT the result to, with its Content-Type and Content-Length. The answer then tells of the delivery (DeliveredResult) instead of carrying the result.',
  },
  WebhookUrl: {
    type: 'string',
    format: 'uri',
    description:
      'With `Prefer: respond-async`: a public https address that the job is POSTed to when it has ended, signed by the Standard Webhooks convention. Tried again for a day until it is answered with 2xx; 410 ends it.',
  },
  WebhookSecret: {
    type: 'string',
    format: 'password',
    description:
      'What messages to webhookUrl are signed with: 24 to 64 bytes as base64, with or without `whsec_` before it. Absent: the HMAC-SHA256 of the words `bindery webhooks` with your API key.',
  },
  FileUrl: {
    type: 'string',
    format: 'uri',
    description:
      'Public http or https address of the file, sent instead of the file: it is fetched, and counts against what one request may bring.',
  },
  UploadId: { type: 'string', description: 'Id of a completed chunked upload, sent instead of the file.' },
  InputPassword: {
    type: 'string',
    format: 'password',
    description: `Opens an encrypted PDF: its user or owner password, at most ${LIMITS.passwordBytes} bytes.`,
  },
  InputPasswords: {
    type: 'array',
    items: { type: 'string', format: 'password' },
    description: `Open encrypted PDFs: repeat the field for several; each file is opened with the first that fits. At most ${LIMITS.passwordBytes} bytes each.`,
  },
};

const MULTIPART = 'multipart/form-data';
const URLENCODED = 'application/x-www-form-urlencoded';

/**
 * One flat object: generators of clients read a choice of `required` as anything at all and then send nothing. What
 * may stand in for a required file or field is said in words.
 */
interface Form {
  properties: Record<string, JsonSchema>;
  required: string[];
  encoding: Record<string, Encoding>;
  components: Components;
}

interface Encoding {
  contentType?: string;
  style?: 'form';
  explode?: boolean;
}

/** A list is one part for each item; without this, generated clients join the items by commas. */
export const REPEATED: Encoding = { style: 'form', explode: true };

export function requestBody(
  path: string,
  op: AnyOperation,
): { body: Record<string, unknown>; components: Components } {
  const form = formOf(path, op);
  const example = exampleForm(op);
  const multipart = {
    schema: schemaOf(form),
    example,
    ...encodingOf(form),
  };
  const needsFile = Object.values(op.inputs as Record<string, FileInput>).some(({ required }) => required);
  // Operations 1.2: urlencoded "is accepted too when no binary part is needed".
  const plain = withoutFiles(form, op);
  const urlencoded = needsFile
    ? {}
    : { [URLENCODED]: { schema: schemaOf(plain), example, ...encodingOf(plain) } };
  return {
    body: { required: form.required.length > 0, content: { [MULTIPART]: multipart, ...urlencoded } },
    components: form.components,
  };
}

/** Files stand there by their names. */
function exampleForm(op: AnyOperation): Record<string, unknown> {
  const { files, params } = exampleCall(op);
  const named = Object.entries(files).map(([name, names]) => [
    name,
    (op.inputs as Record<string, FileInput>)[name]?.many ? names : names[0],
  ]);
  const values = Object.entries(params).map(([name, value]) => [
    name,
    (op.params as Record<string, Field>)[name]?.kind === 'json' ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries([...named, ...values]);
}

function formOf(path: string, op: AnyOperation): Form {
  const form: Form = { properties: {}, required: [], encoding: {}, components: {} };
  const inputs = Object.entries(op.inputs as Record<string, FileInput>);
  for (const [name, input] of inputs) addFile(form, name, input);
  for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
    const { property, components } = formField(field, `${pascalName(path)}${pascalName(name)}`);
    form.properties[name] = property;
    Object.assign(form.components, components);
    if (property.type === 'array') form.encoding[name] = REPEATED;
    if (field.required) form.required.push(name);
  }
  const pdfInputs = inputs.map(([, input]) => input).filter(({ kinds }) => kinds.includes('pdf'));
  if (pdfInputs.length > 0 && !form.properties.inputPassword) {
    const several = pdfInputs.length > 1 || pdfInputs.some(({ many }) => many);
    form.properties.inputPassword = componentRef(several ? 'InputPasswords' : 'InputPassword');
    if (several) form.encoding.inputPassword = REPEATED;
  }
  Object.assign(form.properties, COMMON_PROPERTIES);
  return form;
}

/** Operations 1.2: "Each, alias included, may instead be sent as `<field>@upload`"; or as its address. */
function addFile(form: Form, name: string, input: FileInput): void {
  const elsewhere = { [`${name}@upload`]: 'UploadId', [`${name}@url`]: 'FileUrl' };
  const ways = `Instead, ${name}@upload may carry the id of an upload, or ${name}@url its address`;
  const instead = input.required ? `${ways}; a client that insists on a file sends an empty one then` : ways;
  const alias = name === MAIN_INPUT ? 'Another name: file' : '';
  const description = sentences(input.description, accepted(input), instead, alias);
  form.properties[name] = fileProperty(input, description);
  form.encoding[name] = { contentType: contentTypeOf(input) };
  for (const [field, component] of Object.entries(elsewhere)) {
    form.properties[field] = input.many
      ? { type: 'array', items: componentRef(component), maxItems: input.max }
      : componentRef(component);
    if (input.many) form.encoding[field] = REPEATED;
  }
  if (input.required) form.required.push(name);
}

const contentTypeOf = ({ kinds }: FileInput): string => kinds.map((kind) => mediaType(kind)).join(', ');

const BINARY: JsonSchema = { type: 'string', format: 'binary' };

/** How many there may be stands in words: the Go that OpenAPI Generator makes of a bound on files does not compile. */
const fileProperty = (input: FileInput, description: string): JsonSchema =>
  input.many ? { type: 'array', items: BINARY, description } : { ...BINARY, description };

const mediaType = (kind: FileInput['kinds'][number]): string => KINDS[kind].mediaType.split(';')[0] ?? '';

function accepted({ kinds, many, min, max }: FileInput): string {
  const count = many ? `${min} to ${max} files` : '';
  const types = kinds.includes('any') ? '' : kinds.map((kind) => KINDS[kind].label).join(', ');
  return [count, types].filter((part) => part !== '').join('; ');
}

function withoutFiles(form: Form, op: AnyOperation): Form {
  const isText = (name: string): boolean => !Object.hasOwn(op.inputs, name);
  const kept = <T>(table: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => isText(name)));
  return { ...form, properties: kept(form.properties), encoding: kept(form.encoding) };
}

const schemaOf = ({ properties, required }: Form): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const encodingOf = ({ encoding }: Form): { encoding?: Form['encoding'] } =>
  Object.keys(encoding).length === 0 ? {} : { encoding };
