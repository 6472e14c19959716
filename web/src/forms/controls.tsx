// One control for each simple kind of field. A field that is empty or as by default is not sent.

import { t } from '../strings.ts';
import { type CatalogueParam, titleOfChoice } from '../work/operations.ts';

export interface ControlProps {
  id: string;
  param: CatalogueParam;
  value: unknown;
  onChange(value: unknown): void;
  describedBy: string;
  invalid: boolean;
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  multipleOf?: number;
  maxLength?: number;
  examples?: readonly unknown[];
}

const boundsOf = ({ schema }: CatalogueParam): Bounds => schema as Bounds;
const told = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const shared = ({ id, describedBy, invalid, param }: ControlProps) => ({
  id,
  name: param.name,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
});

export const defaultText = ({ default: value }: CatalogueParam): string =>
  value === undefined
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? ''
        : String(value);

export function TextControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const { maxLength, examples } = boundsOf(param);
  const set = (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    const text = event.currentTarget.value;
    onChange(text === '' ? undefined : text);
  };
  const placeholder = defaultText(param) || told(examples?.[0]);
  // Where a text may be long it may have lines.
  if (param.kind === 'text' && maxLength !== undefined && maxLength >= 2000 && maxLength !== 10_000)
    return (
      <textarea {...shared(props)} rows={2} placeholder={placeholder} value={told(value)} onInput={set} />
    );
  return (
    <input
      {...shared(props)}
      type="text"
      inputMode={param.kind === 'url' ? 'url' : 'text'}
      maxLength={maxLength}
      placeholder={placeholder}
      value={told(value)}
      onInput={set}
      autoComplete="off"
      spellcheck={false}
    />
  );
}

export function SecretControl(props: ControlProps) {
  const { value, onChange } = props;
  return (
    <input
      {...shared(props)}
      type="password"
      autoComplete="new-password"
      value={[value].flat().map(told).join('')}
      onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

export function NumberControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const { minimum, maximum, multipleOf } = boundsOf(param);
  const isWhole = param.kind === 'integer';
  return (
    <input
      {...shared(props)}
      type="number"
      inputMode={isWhole ? 'numeric' : 'decimal'}
      min={minimum}
      max={maximum}
      step={multipleOf ?? (isWhole ? 1 : 'any')}
      placeholder={defaultText(param)}
      value={told(value)}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value;
        onChange(text === '' ? undefined : Number(text));
      }}
    />
  );
}

/** Values as they are; a field without a default may stay unset. */
export function ChoiceControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const values = param.values ?? [];
  const shown = value ?? param.default;
  return (
    <select
      {...shared(props)}
      value={told(shown)}
      onChange={({ currentTarget }) => {
        const chosen = values.find((each) => String(each) === currentTarget.value);
        onChange(chosen === param.default ? undefined : chosen);
      }}
    >
      {param.default === undefined && <option value="">{t('notSet')}</option>}
      {values.map((each) => (
        <option key={each} value={String(each)}>
          {titleOfChoice(each)}
        </option>
      ))}
    </select>
  );
}

export function FlagControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const byDefault = param.default === true;
  return (
    <input
      {...shared(props)}
      type="checkbox"
      checked={typeof value === 'boolean' ? value : byDefault}
      onChange={({ currentTarget }) =>
        onChange(
          currentTarget.checked === byDefault && param.default !== undefined
            ? undefined
            : currentTarget.checked,
        )
      }
    />
  );
}

export function ColourControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const shown = told(value ?? param.default);
  const full = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(shown.trim());
  const sixDigits = full
    ? `#${full
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : `#${shown.trim().replace(/^#/, '')}`;
  return (
    <span class="colour">
      <input
        type="color"
        aria-label={param.description}
        value={/^#[0-9a-f]{6}$/i.test(sixDigits) ? sixDigits.toLowerCase() : '#000000'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <input
        {...shared(props)}
        type="text"
        placeholder={defaultText(param)}
        value={told(value)}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : currentTarget.value)
        }
        autoComplete="off"
        spellcheck={false}
      />
    </span>
  );
}

/** One entry per line. */
export function ListControl(props: ControlProps) {
  const { param, value, onChange } = props;
  const items = (param.schema.items ?? {}) as { type?: string };
  return (
    <textarea
      {...shared(props)}
      rows={3}
      placeholder={Array.isArray(param.default) ? param.default.join('\n') : t('onePerLine')}
      value={Array.isArray(value) ? value.join('\n') : told(value)}
      onInput={({ currentTarget }) => {
        const lines = currentTarget.value.split('\n');
        // A line that is being begun is not yet a value, but must stay where it is typed.
        if (lines.every((line) => line.trim() === '')) return onChange(undefined);
        onChange(
          items.type === 'integer' ? lines.map((line) => (/^\d+$/.test(line) ? Number(line) : line)) : lines,
        );
      }}
    />
  );
}
