// The form of a step, from the catalogue: common fields first, the rest under "more".
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { loadVisual, type VisualProps } from '../visual/visuals.ts';
import { type CatalogueParam, entryOf, extraFiles, sortedParams } from '../work/operations.ts';
import { failure } from '../work/run.ts';
import { files, type Step, setStepFiles, setValues } from '../work/work.ts';
import { Field, FileField } from './field.tsx';

function useVisual(op: string): FunctionComponent<VisualProps> | undefined {
  const [visual, setVisual] = useState<FunctionComponent<VisualProps> | undefined>(undefined);
  useEffect(() => {
    void loadVisual(op)?.then((loaded) => setVisual(() => loaded));
  }, [op]);
  return visual;
}

export function StepForm({ step, isFirst }: { step: Step; isFirst: boolean }) {
  const Visual = useVisual(step.op);
  const entry = entryOf(step.op);
  if (!entry) return null;
  const { common, more } = sortedParams(entry);
  const fault = failure.value?.stepId === step.id ? failure.value : undefined;
  // Pages can be seen only of what is there before anything has run.
  const input = isFirst ? files.value.find(({ state }) => state.value === 'ready') : undefined;
  const show = (param: CatalogueParam) => (
    <Field
      key={param.name}
      stepId={step.id}
      param={param}
      value={step.values[param.name]}
      onChange={(value) => setValues(step.id, { [param.name]: value }, true)}
      fault={fault?.field === param.name ? fault.message : undefined}
      input={input}
    />
  );
  const isInMore = more.some(({ name }) => name === fault?.field);
  const setMore = more.filter(({ name }) => step.values[name] !== undefined).length;
  return (
    <div class="form">
      {Visual && input && (
        <Visual
          step={step}
          input={input}
          set={(values, isOngoing = false) => setValues(step.id, values, isOngoing)}
        />
      )}
      <div class="fields">
        {extraFiles(entry).map((file) => (
          <FileField
            key={file.name}
            stepId={step.id}
            file={file}
            chosen={step.files[file.name] ?? []}
            onChange={(chosen) => setStepFiles(step.id, file.name, chosen)}
            fault={fault?.field === file.name ? fault.message : undefined}
          />
        ))}
        {common.map(show)}
      </div>
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
