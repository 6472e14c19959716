// form/fill: the document's own fields, where they stand on the page. They are read by the service, so what is shown is
// what will be filled.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { client, keyState } from '../work/key.ts';
import { Board, type Sheet } from './board.tsx';
import type { VisualProps } from './visuals.ts';

interface Widget {
  pageIndex: number;
  x: number;
  y: number;
  width: number;
  height: number;
  exportValue?: string;
  fontSize?: number;
}

interface FormField {
  name: string;
  label?: string;
  type: string;
  value?: unknown;
  options?: readonly string[];
  displayOptions?: readonly string[];
  readOnly?: boolean;
  multiSelect?: boolean;
  multiline?: boolean;
  tooltip?: string;
  widgets: readonly Widget[];
}

export function FillVisual({ step, input, set }: VisualProps) {
  const [page, setPage] = useState(0);
  const [fields, setFields] = useState<readonly FormField[] | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const isKeyed = keyState.value === 'valid';
  useEffect(() => {
    if (!isKeyed) return;
    let isHere = true;
    const password = input.password.value;
    client.value
      .call(
        'form/fields-with-coordinates',
        { fileInput: input.file },
        password ? { inputPassword: password } : {},
      )
      .then((made) => made.json<FormField[]>())
      .then((found) => {
        if (!isHere) return;
        setFields(found);
        setPage(found[0]?.widgets[0]?.pageIndex ?? 0);
      })
      .catch((error: Error) => isHere && setFault(error.message));
    return () => {
      isHere = false;
    };
  }, [input, isKeyed]);
  if (fault) return <p class="fault">{fault}</p>;
  if (!fields) return null;
  if (fields.length === 0) return <p class="note">{t('noFields')}</p>;
  const given = step.values.data;
  const data: Record<string, unknown> =
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Record<string, unknown>)
      : {};
  const fill = (name: string, value: unknown): void => set({ data: { ...data, [name]: value } }, true);
  return (
    <Board {...{ input, page }} onPage={setPage}>
      {(sheet) =>
        fields.flatMap((field) =>
          field.widgets
            .filter(({ pageIndex }) => pageIndex === sheet.page)
            .map((widget, at) => (
              <span
                key={`${field.name} ${at}`}
                class="over-page"
                style={{
                  left: `${widget.x * sheet.scale}px`,
                  top: `${widget.y * sheet.scale}px`,
                  width: `${widget.width * sheet.scale}px`,
                  height: `${widget.height * sheet.scale}px`,
                  fontSize: `${fontSize(widget, sheet)}px`,
                }}
              >
                <FieldOnPage
                  {...{ field, widget }}
                  value={data[field.name] ?? field.value}
                  onChange={(value) => fill(field.name, value)}
                />
              </span>
            )),
        )
      }
    </Board>
  );
}

const fontSize = ({ fontSize: told, height }: Widget, { scale }: Sheet): number =>
  Math.max(8, Math.min(told || 11, height * 0.72) * scale);

interface FieldProps {
  field: FormField;
  widget: Widget;
  value: unknown;
  onChange(value: unknown): void;
}

function FieldOnPage({ field, widget, value, onChange }: FieldProps) {
  const name = field.tooltip || field.label || field.name;
  const text = value === undefined || value === null ? '' : String(value);
  switch (field.type) {
    case 'checkbox': {
      const isOn = value === true || (text !== '' && text !== 'Off' && text !== 'false');
      return (
        <input
          type="checkbox"
          aria-label={name}
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    }
    case 'radio':
      return (
        <input
          type="radio"
          name={field.name}
          aria-label={`${name}: ${widget.exportValue ?? ''}`}
          checked={text !== '' && text === widget.exportValue}
          onChange={() => onChange(widget.exportValue)}
        />
      );
    case 'combobox':
    case 'listbox':
      return (
        <select
          aria-label={name}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="" />
          {(field.options ?? []).map((option, at) => (
            <option key={option} value={option}>
              {field.displayOptions?.[at] ?? option}
            </option>
          ))}
        </select>
      );
    case 'text':
      return field.multiline ? (
        <textarea
          aria-label={name}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          type="text"
          aria-label={name}
          autoComplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    default:
      return null;
  }
}
