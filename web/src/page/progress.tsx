// How far a run is: bytes that have arrived, then the time it takes.
import { useEffect, useState } from 'preact/hooks';
import { sizeOf, t } from '../strings.ts';
import { cancel, running } from '../work/run.ts';

const TICK_MS = 200;

export function Progress() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const run = running.value;
  if (!run) return null;
  const isSending = run.phase === 'sending' && run.sentBytes > 0;
  const words = isSending
    ? t('sending', sizeOf(run.sentBytes), sizeOf(run.totalBytes))
    : run.phase === 'receiving'
      ? t('receiving')
      : t('working');
  const seconds = Math.max(0, (now - run.startedAt) / 1000).toFixed(1);
  return (
    <div class="run-bar running">
      <button type="button" onClick={cancel}>
        {t('cancel')}
      </button>
      <div class="progress">
        <progress
          aria-label={t('running')}
          {...(isSending ? { value: run.sentBytes, max: run.totalBytes } : {})}
        />
        <p class="note">
          <span role="status">{words}</span> <span class="elapsed">{t('elapsed', seconds)}</span>
        </p>
      </div>
    </div>
  );
}
