// The chain: what is to be done, in order, each step with its form, and the button that runs it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { StepForm } from '../forms/step-form.tsx';
import { t } from '../strings.ts';
import { chainFaults, whyNotReady } from '../work/chain-check.ts';
import { keyState, whyNotCallable } from '../work/key.ts';
import { entryOf, loadCatalogue, titleOf } from '../work/operations.ts';
import { run, running } from '../work/run.ts';
import { announce } from '../work/voice.ts';
import { moveStep, removeStep, type Step, setSteps, steps } from '../work/work.ts';
import { CopyAs } from './copy-as-box.tsx';
import { saveFile } from './downloads.ts';
import { Mover } from './mover.tsx';
import { Progress } from './progress.tsx';
import { Prose } from './prose.tsx';
import { SearchBox, Suggestions } from './search-box.tsx';

/** With the YAML library, so only when it is wanted. */
const savedSteps = () => import('../work/saved-steps.ts');

export function StepsArea() {
  useEffect(() => {
    if (steps.value.length > 0) void loadCatalogue();
  });
  const all = steps.value;
  const faults = chainFaults();
  return (
    <section class="area steps" aria-labelledby="steps-title" id="steps" tabIndex={-1}>
      <div class="area-head">
        <h2 id="steps-title">{t('steps')}</h2>
        <SavedSteps />
      </div>
      <SearchBox />
      {all.length === 0 ? (
        <Suggestions />
      ) : (
        <ol class="step-list">
          {all.map((step, at) => (
            <StepCard key={step.id} step={step} at={at} count={all.length} fault={faults.get(step.id)} />
          ))}
        </ol>
      )}
      {all.length > 0 && <RunBar />}
      {all.length > 0 && <CopyAs />}
    </section>
  );
}

function StepCard({
  step,
  at,
  count,
  fault,
}: {
  step: Step;
  at: number;
  count: number;
  fault: string | undefined;
}) {
  const entry = entryOf(step.op);
  const title = titleOf(step.op);
  const refused = whyNotCallable(step.op) ?? fault;
  return (
    <Mover
      class="step"
      name={title}
      at={at}
      count={count}
      group="step"
      onMove={(from, to) => {
        moveStep(from, to);
        announce(`${title}: ${to + 1} / ${count}`);
      }}
      onRemove={() => removeStep(step.id)}
    >
      <div class="step-body" id={`step-${step.id}`} data-op={step.op}>
        <div class="step-head">
          <span class="step-number" aria-hidden="true">
            {at + 1}
          </span>
          <h3>
            <span class="unseen">{t('step', at + 1)}: </span>
            {title}
          </h3>
        </div>
        {entry?.description && (
          <p class="about" lang="en">
            <Prose text={firstSentence(entry.description)} />
          </p>
        )}
        {refused && (
          <p class="warning" role="status">
            {refused}
          </p>
        )}
        <StepForm step={step} at={at} />
      </div>
    </Mover>
  );
}

const firstSentence = (text: string): string => /^.*?[.;](?=\s|$)/.exec(text)?.[0].replace(/;$/, '.') ?? text;

function RunBar() {
  const why = whyNotReady(keyState.value === 'valid');
  if (running.value) return <Progress />;
  return (
    <div class="run-bar">
      <button
        type="button"
        class="primary"
        disabled={why !== undefined}
        aria-describedby="why-not"
        onClick={() => void run()}
      >
        {t('run')}
      </button>
      <p class="note" id="why-not">
        {why}
      </p>
    </div>
  );
}

function SavedSteps() {
  const picker = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setFault(undefined);
    try {
      const { stepsFromYaml } = await savedSteps();
      const loaded = await stepsFromYaml(await file.text());
      setSteps(loaded);
      announce(t('chainLoaded', loaded.length));
    } catch (error) {
      const why = t('chainBad', (error as Error).message.split('\n')[0] ?? '');
      setFault(why);
      announce(why);
    }
  };
  return (
    <span class="saved">
      <button
        type="button"
        class="link"
        disabled={steps.value.length === 0}
        title={t('secretsLeftOut')}
        onClick={async () => {
          const { stepsAsYaml } = await savedSteps();
          saveFile(new Blob([await stepsAsYaml(steps.value)], { type: 'application/yaml' }), 'steps.yaml');
        }}
      >
        {t('saveChain')}
      </button>
      <button type="button" class="link" onClick={() => picker.current?.click()}>
        {t('loadChain')}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".yaml,.yml,.json"
        aria-label={t('loadChain')}
        onChange={({ currentTarget }) => {
          void load(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      {fault && <span class="fault">{fault}</span>}
    </span>
  );
}
