// A field of an operation: its label, what the catalogue says of it, its control, and what is wrong with it.
import { Prose } from '../page/prose.tsx';
import { t } from '../strings.ts';
import type { InputFile } from '../work/files.ts';
import { status } from '../work/key.ts';
import { type CatalogueFile, type CatalogueParam, titleOfField } from '../work/operations.ts';
import {
  ChoiceControl,
  ColourControl,
  type ControlProps,
  defaultText,
  FlagControl,
  ListControl,
  NumberControl,
  SecretControl,
  TextControl,
} from './controls.tsx';
import { JsonControl } from './json-control.tsx';
import { LanguagesControl } from './languages-control.tsx';
import { PagesControl } from './pages-control.tsx';

interface FieldProps {
  stepId: string;
  param: CatalogueParam;
  value: unknown;
  onChange(value: unknown): void;
  fault: string | undefined;
  input: InputFile | undefined;
}

function Control({ input, ...props }: ControlProps & { input: InputFile | undefined }) {
  const { param } = props;
  if (param.values) return <ChoiceControl {...props} />;
  if (param.name === 'languages' && status.value?.languages?.length)
    return <LanguagesControl {...props} known={status.value.languages} />;
  switch (param.kind) {
    case 'integer':
    case 'number':
      return <NumberControl {...props} />;
    case 'flag':
      return <FlagControl {...props} />;
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'list':
      return <ListControl {...props} />;
    case 'pages':
      return <PagesControl {...props} input={input} />;
    case 'colour':
      return <ColourControl {...props} />;
    case 'secret':
      return <SecretControl {...props} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

const UNITS: readonly [RegExp, string][] = [
  [/\bdegrees\b/i, '°'],
  [/\bpoints?\b/i, 'pt'],
  [/\bper cent|percent|%/i, '%'],
  [/\bmilliseconds\b/i, 'ms'],
  [/\bdots per inch|\bdpi\b/i, 'dpi'],
  [/\bpixels?\b/i, 'px'],
];

/** What a number counts, where the description says so. */
const unitOf = ({ kind, name, description }: CatalogueParam): string | undefined =>
  kind === 'integer' || kind === 'number'
    ? UNITS.find(([word]) => word.test(`${description} ${name}`))?.[1]
    : undefined;

function boundsText({ kind, values, schema }: CatalogueParam): string | undefined {
  if (values || (kind !== 'integer' && kind !== 'number')) return undefined;
  const { minimum, exclusiveMinimum, maximum } = schema as Record<string, number | undefined>;
  const least = minimum ?? exclusiveMinimum;
  if (least !== undefined && maximum !== undefined) return t('from', least, maximum);
  return least !== undefined ? t('atLeast', least) : maximum !== undefined ? t('atMost', maximum) : undefined;
}

export function Field({ stepId, param, value, onChange, fault, input }: FieldProps) {
  const id = `${stepId}-${param.name}`;
  const unit = unitOf(param);
  const isFlag = param.kind === 'flag' && !param.values;
  const byDefault = isFlag || param.values ? '' : defaultText(param);
  const facts = [boundsText(param), byDefault && t('byDefault', byDefault)].filter(Boolean).join(' · ');
  const label = (
    <label for={id}>
      {titleOfField(param.name)}
      {param.required && <em class="required"> {t('required')}</em>}
    </label>
  );
  const control = (
    <Control
      {...{ id, param, value, onChange, input }}
      describedBy={`${id}-hint`}
      invalid={fault !== undefined}
    />
  );
  return (
    <div
      class={`field${isFlag ? ' flag' : ''}${param.kind === 'json' ? ' wide' : ''}`}
      data-field={param.name}
    >
      {isFlag ? control : label}
      {isFlag ? (
        label
      ) : unit ? (
        <span class="with-unit">
          {control}
          <span class="unit" aria-hidden="true">
            {unit}
          </span>
        </span>
      ) : (
        control
      )}
      <p class="hint" id={`${id}-hint`}>
        <span lang="en">
          <Prose text={param.description} />
        </span>
        {facts && <span> · {facts}</span>}
      </p>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface FileFieldProps {
  stepId: string;
  file: CatalogueFile;
  chosen: readonly File[];
  onChange(files: readonly File[]): void;
  fault: string | undefined;
}

export function FileField({ stepId, file, chosen, onChange, fault }: FileFieldProps) {
  const id = `${stepId}-${file.name}`;
  const accept = file.extensions.includes('bin')
    ? undefined
    : file.extensions.map((each) => `.${each}`).join();
  return (
    <div class="field" data-field={file.name}>
      <label for={id}>
        {titleOfField(file.name)}
        {file.required && <em class="required"> {t('required')}</em>}
      </label>
      <input
        id={id}
        name={file.name}
        type="file"
        multiple={file.many}
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange([...(currentTarget.files ?? [])])}
      />
      {chosen.length > 0 && <p class="chosen">{chosen.map(({ name }) => name).join(', ')}</p>}
      <p class="hint" id={`${id}-hint`}>
        <span lang="en">
          <Prose text={file.description} />
        </span>
        {!file.extensions.includes('bin') && <span> · {file.accepts}</span>}
      </p>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
