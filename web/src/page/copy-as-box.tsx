// The same chain for elsewhere: curl, SDK, command line, agents.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import type { CodeForm, codeFor } from '../work/copy-as.ts';
import { announce } from '../work/voice.ts';
import { files, steps } from '../work/work.ts';

const FORMS: readonly CodeForm[] = ['curl', 'SDK', 'CLI', 'MCP'];

export function CopyAs() {
  const [write, setWrite] = useState<typeof codeFor | undefined>(undefined);
  useEffect(() => {
    void import('../work/copy-as.ts').then((loaded) => setWrite(() => loaded.codeFor));
  }, []);
  const [form, setForm] = useState<CodeForm>('curl');
  const [isCopied, setCopied] = useState(false);
  const names = files.value.map(({ file }) => file.name);
  const code = write?.(form, names, steps.value, location.origin) ?? '';
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(code).catch(() => {});
    setCopied(true);
    announce(t('copied'));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <details class="copy-as">
      <summary>{t('copyAs')}</summary>
      <div class="tabs" role="group" aria-label={t('copyAs')}>
        {FORMS.map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={each === form}
            onClick={() => setForm(each)}
          >
            {each}
          </button>
        ))}
        <button type="button" class="small" onClick={() => void copy()}>
          {isCopied ? t('copied') : t('copy')}
        </button>
      </div>
      <pre tabIndex={0} aria-label={form}>
        {code}
      </pre>
    </details>
  );
}
