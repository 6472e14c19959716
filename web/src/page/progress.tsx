// How far a run is: bytes that have arrived, then the time it takes.
import { useEffect, useState } from 'preact/hooks';
import { sizeOf, t } from '../strings.ts';
import { cancel, running } from '../work/run.ts';

const TICK_MS = 200;

/** The service says it in English; what is counted is said in the language of the page. */
function workText(work: { step: number; of: number; message: string } | undefined): string {
  if (!work) return t('working');
  if (work.step === 0) return t('inQueue');
  const [, done, all] = /^(\d+) of (\d+) done$/.exec(work.message) ?? [];
  const words = done && all ? t('doneOf', done, all) : work.message || t('working');
  return t('workingOn', work.step, work.of, words);
}

export function Progress() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const run = running.value;
  if (!run) return null;
  const isSending = run.phase === 'sending' && run.sentBytes > 0;
  const done = run.phase === 'working' && run.work && run.work.done > 0 ? run.work.done : undefined;
  const bar = isSending
    ? { value: run.sentBytes, max: run.totalBytes }
    : done === undefined
      ? {}
      : { value: done, max: 1 };
  const words = isSending
    ? t('sending', sizeOf(run.sentBytes), sizeOf(run.totalBytes))
    : run.phase === 'receiving'
      ? t('receiving')
      : workText(run.work);
  const seconds = Math.max(0, (now - run.startedAt) / 1000).toFixed(1);
  return (
    <div class="run-bar running">
      <button type="button" onClick={cancel}>
        {t('cancel')}
      </button>
      <div class="progress">
        <progress aria-label={t('running')} {...bar} />
        <p class="note">
          <span role="status">{words}</span> <span class="elapsed">{t('elapsed', seconds)}</span>
        </p>
      </div>
    </div>
  );
}
