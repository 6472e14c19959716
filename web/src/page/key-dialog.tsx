// The key is asked for once; where the service refuses it, it is asked for again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { forgetKey, isRemembered, keyState, useKey } from '../work/key.ts';
import { Icon } from './icon.tsx';
import { Prose } from './prose.tsx';

export function KeyButton() {
  const [isOpen, setOpen] = useState(false);
  const state = keyState.value;
  const mustAsk = state === 'missing' || state === 'refused' || state === 'unreachable';
  return (
    <>
      <button
        type="button"
        aria-label={t('key')}
        class={`quiet-button${mustAsk ? ' attention' : ''}`}
        onClick={() => setOpen(true)}
      >
        <Icon name="key" />
        <span class="wide-only" aria-hidden="true">
          {t('key')}
        </span>
      </button>
      {(isOpen || mustAsk) && <KeyDialog mustAsk={mustAsk} onClose={() => setOpen(false)} />}
    </>
  );
}

function KeyDialog({ mustAsk, onClose }: { mustAsk: boolean; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const entered = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  const state = keyState.value;
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  const fault =
    state === 'refused' ? t('keyRefused') : state === 'unreachable' ? t('keyUnreachable') : undefined;
  return (
    <dialog
      ref={dialog}
      class="key-dialog"
      aria-labelledby="key-title"
      onClose={onClose}
      onCancel={(event) => mustAsk && state === 'missing' && event.preventDefault()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void useKey(entered.current?.value.trim() ?? '', remember.current?.checked ?? false).then(() => {
            if (keyState.value === 'valid') onClose();
          });
        }}
      >
        <h2 id="key-title">{state === 'valid' ? t('key') : t('keyAsk')}</h2>
        {state === 'valid' && <p class="note">{t('keyValid')}</p>}
        <label for="key-entered">{state === 'valid' ? t('keyOther') : t('key')}</label>
        <input
          id="key-entered"
          ref={entered}
          type="password"
          autoComplete="off"
          required
          aria-describedby="key-where"
          aria-invalid={fault !== undefined || undefined}
        />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <p class="hint" id="key-where">
          <Prose text={t('keyWhere')} />
        </p>
        <label class="tick">
          <input ref={remember} type="checkbox" defaultChecked={isRemembered.value} />
          {t('keyRemember')}
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            {t('keyUse')}
          </button>
          {state === 'valid' && (
            <>
              <button type="button" onClick={onClose}>
                {t('close')}
              </button>
              <button type="button" class="link" onClick={() => void forgetKey()}>
                {t('keyForget')}
              </button>
            </>
          )}
        </div>
      </form>
    </dialog>
  );
}
