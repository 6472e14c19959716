// A page selection: typed, or clicked together on thumbnails. Both are the same value.
import { useId, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import type { InputFile } from '../work/files.ts';
import { type ControlProps, defaultText } from './controls.tsx';
import { PageGrid } from './page-grid.tsx';
import { readSelection, writeSelection } from './page-selection.ts';

export function PagesControl({ input, ...props }: ControlProps & { input: InputFile | undefined }) {
  const { id, param, value, onChange, describedBy, invalid } = props;
  const [isOpen, setOpen] = useState(false);
  const gridId = useId();
  const count = input?.pages.value.length ?? 0;
  const text = Array.isArray(value) ? value.join(',') : value === undefined ? '' : String(value);
  const chosen = readSelection(text || defaultText(param), count) ?? new Set<number>();
  const choose = (pages: Iterable<number>): void => {
    const all = [...pages];
    const written = writeSelection(all, count);
    // Nothing chosen is the default again: the service knows no empty selection.
    onChange(written === '' || written === param.default ? undefined : written);
  };
  const every = Array.from({ length: count }, (_, at) => at + 1);
  return (
    <div class="pages">
      <div class="joined">
        <input
          id={id}
          name={param.name}
          type="text"
          placeholder={defaultText(param) || '1,3,5-8'}
          value={text}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          autoComplete="off"
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        />
        {count > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={gridId}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t('hidePages') : t('choosePages')}
          </button>
        )}
      </div>
      {isOpen && input && count > 0 && (
        <div class="chooser" id={gridId}>
          <div class="chips">
            <button type="button" class="chip" onClick={() => choose(every)}>
              {t('selectAll')}
            </button>
            <button type="button" class="chip" onClick={() => choose([])}>
              {t('selectNone')}
            </button>
            <button type="button" class="chip" onClick={() => choose(every.filter((page) => page % 2 === 1))}>
              {t('selectOdd')}
            </button>
            <button type="button" class="chip" onClick={() => choose(every.filter((page) => page % 2 === 0))}>
              {t('selectEven')}
            </button>
          </div>
          <PageGrid input={input} label={t('choosePages')} chosen={chosen} onChoose={choose} />
        </div>
      )}
    </div>
  );
}
