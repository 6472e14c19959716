// The form of a step, from the catalogue: common fields first, the rest under "more".
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { hasVisual, loadVisual, type VisualProps } from '../visual/visuals.ts';
import { type FormField, isFile, orderedFields } from '../work/common-fields.ts';
import { entryOf, MAIN_FILE } from '../work/operations.ts';
import { failure } from '../work/run.ts';
import { type Step, setStepFiles, setValues } from '../work/work.ts';
import { Field, FileField } from './field.tsx';
import { PreviewOffer, usePages } from './pages-of-step.tsx';

function useVisual(op: string): FunctionComponent<VisualProps> | undefined {
  const [visual, setVisual] = useState<FunctionComponent<VisualProps> | undefined>(undefined);
  useEffect(() => {
    void loadVisual(op)?.then((loaded) => setVisual(() => loaded));
  }, [op]);
  return visual;
}

export function StepForm({ step, at }: { step: Step; at: number }) {
  const Visual = useVisual(step.op);
  const input = usePages(step, at);
  const entry = entryOf(step.op);
  if (!entry) return null;
  const ordered = orderedFields(step.op, entry, MAIN_FILE, step.values);
  // What is drawn need not be typed, too.
  const isDrawn = (field: FormField): boolean =>
    Visual !== undefined && input !== undefined && !isFile(field) && field.kind === 'json';
  const common = ordered.common.filter((field) => !isDrawn(field));
  const more = [...ordered.common.filter(isDrawn), ...ordered.more];
  const fault = failure.value?.stepId === step.id ? failure.value : undefined;
  const show = (field: FormField) => {
    const told = fault?.field === field.name ? fault.message : undefined;
    return isFile(field) ? (
      <FileField
        key={field.name}
        stepId={step.id}
        file={field}
        chosen={step.files[field.name] ?? []}
        onChange={(chosen) => setStepFiles(step.id, field.name, chosen)}
        fault={told}
      />
    ) : (
      <Field
        key={field.name}
        stepId={step.id}
        param={field}
        value={step.values[field.name]}
        onChange={(value) => setValues(step.id, { [field.name]: value }, true)}
        fault={told}
        input={input}
      />
    );
  };
  const isInMore = more.some(({ name }) => name === fault?.field);
  const setMore = more.filter(
    ({ name }) => step.values[name] !== undefined || step.files[name]?.length,
  ).length;
  const needsPages = hasVisual(step.op) || entry.params.some(({ kind }) => kind === 'pages');
  return (
    <div class="form">
      {at > 0 && needsPages && <PreviewOffer step={step} at={at} />}
      {Visual && input && (
        <Visual
          key={input.id}
          step={step}
          input={input}
          set={(values, isOngoing = false) => setValues(step.id, values, isOngoing)}
        />
      )}
      {common.length > 0 && <div class="fields">{common.map(show)}</div>}
      {more.length > 0 && (
        <details class="more" open={isInMore || undefined}>
          <summary>
            {t('moreOptions', more.length)}
            {setMore > 0 && <span class="count">{setMore}</span>}
          </summary>
          <div class="fields">{more.map(show)}</div>
        </details>
      )}
      {fault && fault.field === undefined && (
        <p class="fault" role="alert">
          {fault.message}
        </p>
      )}
    </div>
  );
}
