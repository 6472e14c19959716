// The request body of an operation: its files, its fields, and what must be there.
import { KINDS } from '../../contract/kinds.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { AnyOperation, FileInput } from '../../operations/define.ts';
import type { Field } from '../../operations/fields.ts';
import { MAIN_INPUT } from '../../operations/plan.ts';
import { formField, sentences } from './fields.ts';
import { pascalName } from './names.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

export const FORM_COMPONENTS: Components = {
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

interface Form {
  properties: Record<string, JsonSchema>;
  /** Each row is a choice: one of these names must be sent. */
  needed: string[][];
  encoding: Record<string, { contentType: string }>;
  components: Components;
}

export function requestBody(
  path: string,
  op: AnyOperation,
): { body: Record<string, unknown>; components: Components } {
  const form = formOf(path, op);
  const multipart = {
    schema: schemaOf(form),
    ...(isEmpty(form.encoding) ? {} : { encoding: form.encoding }),
  };
  const needsFile = Object.values(op.inputs as Record<string, FileInput>).some(({ required }) => required);
  // Operations 1.2: urlencoded "is accepted too when no binary part is needed".
  const urlencoded = needsFile ? {} : { [URLENCODED]: { schema: schemaOf(withoutFiles(form, op)) } };
  return {
    body: { required: form.needed.length > 0, content: { [MULTIPART]: multipart, ...urlencoded } },
    components: form.components,
  };
}

function formOf(path: string, op: AnyOperation): Form {
  const form: Form = { properties: {}, needed: [], encoding: {}, components: {} };
  const inputs = Object.entries(op.inputs as Record<string, FileInput>);
  for (const [name, input] of inputs) addFile(form, name, input);
  for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
    const { property, components } = formField(field, `${pascalName(path)}${pascalName(name)}`);
    form.properties[name] = property;
    Object.assign(form.components, components);
    if (!field.required) continue;
    form.needed.push([name, ...field.aliases]);
    // What may stand in for a required field is told as a field, too.
    for (const alias of field.aliases)
      form.properties[alias] = { ...property, description: `Another name of ${name}.` };
  }
  const pdfInputs = inputs.map(([, input]) => input).filter(({ kinds }) => kinds.includes('pdf'));
  if (pdfInputs.length > 0 && !form.properties.inputPassword) {
    const several = pdfInputs.length > 1 || pdfInputs.some(({ many }) => many);
    form.properties.inputPassword = componentRef(several ? 'InputPasswords' : 'InputPassword');
  }
  return form;
}

/** Operations 1.2: "`file` is an alias everywhere ... Each, alias included, may instead be sent as `<field>@upload`". */
function addFile(form: Form, name: string, input: FileInput): void {
  const names = name === MAIN_INPUT ? [MAIN_INPUT, 'file'] : [name];
  for (const each of names) {
    const description =
      each === name ? sentences(input.description, accepted(input)) : `Another name of ${name}.`;
    form.properties[each] = fileProperty(input, description);
    form.properties[`${each}@upload`] = input.many
      ? { type: 'array', items: componentRef('UploadId'), maxItems: input.max }
      : componentRef('UploadId');
    if (!input.kinds.includes('any')) {
      form.encoding[each] = { contentType: input.kinds.map((kind) => mediaType(kind)).join(', ') };
    }
  }
  if (input.required) form.needed.push(names.flatMap((each) => [each, `${each}@upload`]));
}

const BINARY: JsonSchema = { type: 'string', format: 'binary' };

const fileProperty = (input: FileInput, description: string): JsonSchema =>
  input.many
    ? { type: 'array', items: BINARY, maxItems: input.max, description }
    : { ...BINARY, description };

const mediaType = (kind: FileInput['kinds'][number]): string => KINDS[kind].mediaType.split(';')[0] ?? '';

function accepted({ kinds, many, min, max }: FileInput): string {
  const count = many ? `${min} to ${max} files` : '';
  const types = kinds.includes('any') ? '' : kinds.map((kind) => KINDS[kind].label).join(', ');
  return [count, types].filter((part) => part !== '').join('; ');
}

function withoutFiles(form: Form, op: AnyOperation): Form {
  const names = new Set(
    Object.keys(op.inputs).flatMap((name) => (name === MAIN_INPUT ? [name, 'file'] : [name])),
  );
  const kept = Object.entries(form.properties).filter(([name]) => !names.has(name));
  return { ...form, properties: Object.fromEntries(kept) };
}

function schemaOf({ properties, needed }: Form): JsonSchema {
  const required = needed.filter((names) => names.length === 1).flat();
  const choices = needed
    .filter((names) => names.length > 1)
    .map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) }));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(choices.length > 1 ? { allOf: choices } : (choices[0] ?? {})),
  };
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;
