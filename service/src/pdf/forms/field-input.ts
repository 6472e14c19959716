// What a caller sends for a field, held against what the field can take.
import { invalidParameter, type Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { nameText } from '../text-strings.ts';
import { type Button, buttonsOf, choiceOptions, type Option } from './field-options.ts';
import { attribute, type Field, FLAG, isMultiSelect } from './form-fields.ts';

export type GivenScalar = string | number | boolean;
export type GivenValue = GivenScalar | readonly GivenScalar[];

/** A value that fits the field. */
export type FieldInput =
  | { kind: 'text'; text: string }
  | { kind: 'button'; button: Button | undefined }
  | { kind: 'choice'; values: string[]; indexes: number[] };

const ON = new Set(['true', '1', 'yes', 'on']);
const OFF = new Set(['false', '0', 'no', 'off', '']);
/** How many options a refusal lists. */
const SHOWN_OPTIONS = 20;

/** Undefined for fields that hold no value: push buttons and signatures. `source` is the parameter's name. */
export function inputFor(
  doc: PdfDocument,
  field: Field,
  given: GivenValue,
  source: string,
): FieldInput | undefined {
  if (field.kind === 'button' || field.kind === 'signature') return undefined;
  if (field.kind === 'listbox' || field.kind === 'combobox') return choiceInput(doc, field, given, source);
  const value = single(field, given, source);
  if (field.kind === 'text') return textInput(doc, field, String(value), source);
  return {
    kind: 'button',
    button:
      field.kind === 'radio' ? radioInput(doc, field, value, source) : checkInput(doc, field, value, source),
  };
}

const named = (field: Field): string => `form field ${JSON.stringify(field.name)}`;

function single(field: Field, given: GivenValue, source: string): GivenScalar {
  if (typeof given !== 'object') return given;
  const [first] = given;
  if (given.length === 1 && first !== undefined) return first;
  throw invalidParameter(`${source}: the ${named(field)} takes one value, not ${given.length}.`);
}

function textInput(doc: PdfDocument, field: Field, given: string, source: string): FieldInput {
  const lines = given.replace(/\r\n?/g, '\n');
  // Operations 1.6: "`\n` (real newline or the two characters) breaks lines".
  const text = field.flags & FLAG.multiline ? lines.replaceAll('\\n', '\n') : lines;
  const limit = doc.number(attribute(doc, field.ref, 'MaxLen'));
  const length = [...text].length;
  if (limit !== undefined && limit > 0 && length > limit)
    throw invalidParameter(
      `${source}: the ${named(field)} takes at most ${limit} characters; ${length} were sent.`,
    );
  return { kind: 'text', text };
}

/** "Checkbox on: true, 1, yes, on, or one of its state names." */
function checkInput(doc: PdfDocument, field: Field, given: GivenScalar, source: string): Button | undefined {
  const buttons = buttonsOf(doc, field);
  const byName = typeof given === 'string' ? buttonNamed(buttons, given) : undefined;
  if (byName) return byName;
  const word = String(given).trim().toLowerCase();
  if (OFF.has(word)) return undefined;
  if (ON.has(word)) return buttons[0] ?? { widget: field.ref, state: 'Yes', exported: 'Yes' };
  const states = buttons.map(({ exported }) => exported);
  throw invalidParameter(
    `${source}: the ${named(field)} is a check box; send true, false or ${listed(states)}.`,
  );
}

function radioInput(doc: PdfDocument, field: Field, given: GivenScalar, source: string): Button | undefined {
  const buttons = buttonsOf(doc, field);
  const text = String(given);
  const button = buttonNamed(buttons, text);
  if (button) return button;
  if (given === false || text === '' || text === 'Off') return undefined;
  throw unknownOption(
    field,
    buttons.map(({ exported }) => exported),
    source,
  );
}

const buttonNamed = (buttons: readonly Button[], text: string): Button | undefined =>
  buttons.find(({ exported }) => exported === text) ?? buttons.find(({ state }) => nameText(state) === text);

function choiceInput(doc: PdfDocument, field: Field, given: GivenValue, source: string): FieldInput {
  const options = choiceOptions(doc, field.ref);
  const wanted = wantedTexts(field, given, options);
  if (wanted.length > 1 && !isMultiSelect(field))
    throw invalidParameter(`${source}: the ${named(field)} takes one option, not ${wanted.length}.`);
  const free = field.kind === 'combobox' && (field.flags & FLAG.edit) !== 0;
  const indexes = new Set<number>();
  for (const text of wanted) {
    const index = optionIndex(options, text);
    if (index >= 0) indexes.add(index);
    else if (free) return { kind: 'choice', values: [text], indexes: [] };
    else
      throw unknownOption(
        field,
        options.map(({ value }) => value),
        source,
      );
  }
  const sorted = [...indexes].sort((a, b) => a - b);
  return { kind: 'choice', values: sorted.map((index) => options[index]?.value ?? ''), indexes: sorted };
}

/** Text for several options: an option itself, else options joined by commas, as form/fields joins them. */
function wantedTexts(field: Field, given: GivenValue, options: readonly Option[]): string[] {
  if (typeof given === 'object') return given.map(String).filter((text) => text !== '');
  const text = String(given);
  if (text === '') return [];
  if (!isMultiSelect(field) || optionIndex(options, text) >= 0) return [text];
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** By value first: what is shown for one option may be the value of another. */
function optionIndex(options: readonly Option[], text: string): number {
  const byValue = options.findIndex(({ value }) => value === text);
  return byValue >= 0 ? byValue : options.findIndex(({ label }) => label === text);
}

const unknownOption = (field: Field, options: readonly string[], source: string): Problem =>
  invalidParameter(`${source}: the ${named(field)} takes only ${listed(options)}.`);

function listed(options: readonly string[]): string {
  if (options.length === 0) return 'an empty value: it has no options';
  const shown = options.slice(0, SHOWN_OPTIONS).map((option) => JSON.stringify(option.slice(0, 100)));
  const more = options.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
