// The pages a step is about: those of the file for the first step; for a later one, what the steps before make of it.
import { useEffect } from 'preact/hooks';
import { see } from '../pdfium/viewer.ts';
import { t } from '../strings.ts';
import { whyNotReady } from '../work/chain-check.ts';
import type { InputFile } from '../work/files.ts';
import { keyState } from '../work/key.ts';
import { madeOf, makePreview, previews } from '../work/previews.ts';
import { files, type Step, steps } from '../work/work.ts';

/** Undefined as long as there is nothing to be seen. */
export function usePages(step: Step, at: number): InputFile | undefined {
  const preview = at > 0 ? previews.value.get(step.id)?.input : undefined;
  useEffect(() => {
    if (preview) see(preview);
  }, [preview]);
  if (at === 0) return files.value.find(({ state }) => state.value === 'ready');
  return preview?.state.value === 'ready' ? preview : undefined;
}

/** Runs the steps before for a look at the pages, and says when that look is an old one. */
export function PreviewOffer({ step, at }: { step: Step; at: number }) {
  const preview = previews.value.get(step.id);
  const isCurrent = preview?.madeOf === madeOf(at);
  const shown = preview?.input?.state.value;
  if (isCurrent && (shown === 'ready' || shown === 'opening'))
    return <p class="hint">{at === 1 ? t('pagesAfterFirst') : t('pagesAfter', at)}</p>;
  if (isCurrent && shown !== undefined) return <p class="hint">{t('previewNoPdf')}</p>;
  const isRunning = preview?.state === 'running' && isCurrent;
  const why = whyNotReady(keyState.value === 'valid', steps.value.slice(0, at));
  return (
    <div class="preview-offer">
      <button
        type="button"
        class="small"
        disabled={isRunning || why !== undefined}
        onClick={() => void makePreview(step.id)}
      >
        {preview?.state === 'ready' ? t('showPagesAgain') : t('showPages')}
      </button>
      <span class="hint" role="status">
        {isRunning
          ? t('working')
          : preview?.state === 'failed' && isCurrent
            ? preview.fault
            : preview?.state === 'ready'
              ? t('pagesAreOld')
              : (why ?? t('showPagesHint'))}
      </span>
    </div>
  );
}
