// Values with a shape of their own: a list of objects as rows, an object as names and values, anything else as JSON.
import { useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { labelOf, titleOfField } from '../work/operations.ts';
import type { ControlProps } from './controls.tsx';

interface Schema {
  type?: string | readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  required?: readonly string[];
  description?: string;
  $ref?: string;
}

type Row = Record<string, unknown>;

/** Columns of a list of plain objects; undefined where the shape is another. */
function columnsOf(schema: Schema): readonly [string, Schema][] | undefined {
  const { items } = schema;
  if (schema.type !== 'array' || !items?.properties || items.$ref) return undefined;
  const columns = Object.entries(items.properties);
  return columns.every(([, each]) => isPlain(each)) ? columns : undefined;
}

const plainTypes = ['string', 'number', 'integer', 'boolean', 'null'];
const typesOf = ({ type, anyOf }: Schema): readonly (string | undefined)[] =>
  anyOf ? anyOf.flatMap(typesOf) : [type].flat();
const isPlain = (schema: Schema): boolean =>
  typesOf(schema).every((type) => type === 'array' || plainTypes.includes(type ?? ''));

export function JsonControl(props: ControlProps) {
  const schema = props.param.schema as Schema;
  const columns = columnsOf(schema);
  const [asText, setAsText] = useState(!columns);
  const rows = Array.isArray(props.value) ? (props.value as Row[]) : [];
  return (
    <div class="json">
      {asText || !columns ? <JsonText {...props} /> : <Rows {...props} rows={rows} columns={columns} />}
      {columns && (
        <button type="button" class="link" onClick={() => setAsText(!asText)}>
          {asText ? t('asForm') : t('asJson')}
        </button>
      )}
    </div>
  );
}

function Rows({
  rows,
  columns,
  onChange,
  param,
  id,
}: ControlProps & { rows: readonly Row[]; columns: readonly [string, Schema][] }) {
  const change = (at: number, name: string, value: unknown): void => {
    const next = rows.map((row, index) => {
      if (index !== at) return row;
      const all = { ...row, [name]: value };
      return Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined));
    });
    onChange(next);
  };
  const remove = (at: number): void => {
    const rest = rows.filter((_, index) => index !== at);
    onChange(rest.length > 0 ? rest : undefined);
  };
  return (
    <div class="rows" id={id} role="group" aria-label={titleOfField(param.name)}>
      {rows.map((row, at) => (
        <fieldset class="row" key={at}>
          <legend class="unseen">{`${titleOfField(param.name)} ${at + 1}`}</legend>
          {columns.map(([name, column]) => (
            <Cell
              key={name}
              name={name}
              schema={column}
              value={row[name]}
              onChange={(value) => change(at, name, value)}
            />
          ))}
          <button type="button" class="icon" aria-label={t('removeRow', at + 1)} onClick={() => remove(at)}>
            ×
          </button>
        </fieldset>
      ))}
      <button type="button" class="small" onClick={() => onChange([...rows, {}])}>
        {t('addRow')}
      </button>
    </div>
  );
}

function Cell({
  name,
  schema,
  value,
  onChange,
}: {
  name: string;
  schema: Schema;
  value: unknown;
  onChange(value: unknown): void;
}) {
  const types = typesOf(schema);
  const isNumber = types.includes('number') || types.includes('integer');
  const choices = schema.enum ?? schema.anyOf?.find((each) => each.enum)?.enum;
  const text =
    value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  const read = (given: string): unknown => {
    if (given === '') return undefined;
    if (types.includes('boolean')) return given === 'true';
    if (types.includes('array')) return given.split(',').map((each) => each.trim());
    return isNumber && !types.includes('string') && given.trim() !== '' && Number.isFinite(Number(given))
      ? Number(given)
      : given;
  };
  const options = choices?.map(String) ?? (types.includes('boolean') ? ['true', 'false'] : undefined);
  return (
    <label class="cell" title={schema.description}>
      <span>{labelOf(name)}</span>
      {options ? (
        <select value={text} onChange={({ currentTarget }) => onChange(read(currentTarget.value))}>
          <option value="">{t('notSet')}</option>
          {options.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          inputMode={isNumber && !types.includes('string') ? 'decimal' : 'text'}
          value={text}
          onInput={({ currentTarget }) => onChange(read(currentTarget.value))}
          autoComplete="off"
        />
      )}
    </label>
  );
}

function JsonText({ id, param, value, onChange, describedBy, invalid }: ControlProps) {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const shown = draft ?? (value === undefined ? '' : JSON.stringify(value, null, 1));
  return (
    <>
      <textarea
        id={id}
        name={param.name}
        class="code"
        rows={4}
        spellcheck={false}
        placeholder={/[[{].*[\]}]/.exec(param.expects)?.[0] ?? '{}'}
        value={shown}
        aria-describedby={`${describedBy} ${id}-fault`}
        aria-invalid={invalid || fault !== undefined || undefined}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value;
          setDraft(text);
          try {
            onChange(text.trim() === '' ? undefined : JSON.parse(text));
            setFault(undefined);
          } catch (error) {
            setFault(t('badJson', (error as Error).message));
          }
        }}
        onBlur={() => fault === undefined && setDraft(undefined)}
      />
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    </>
  );
}
