// Pages as thumbnails: ordered and dropped, cut apart, turned.
import { useState } from 'preact/hooks';
import { columnsIn, PageGrid } from '../forms/page-grid.tsx';
import { readOrder, readSelection, writeOrder, writeSelection } from '../forms/page-selection.ts';
import { Icon } from '../page/icon.tsx';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import { announce } from '../work/voice.ts';
import { moved } from '../work/work.ts';
import type { VisualProps } from './visuals.ts';

const THUMB_WIDTH = 88;
const told = (value: unknown): string => (value === undefined ? '' : String(value));

/** general/rearrange-pages: the order of `pageNumbers`. */
export function OrderVisual({ step, input, set }: VisualProps) {
  const [over, setOver] = useState(-1);
  const count = input.pages.value.length;
  const mode = step.values.customMode ?? 'CUSTOM';
  const order = readOrder(told(step.values.pageNumbers) || 'all', count);
  if (mode !== 'CUSTOM' || !order) return null;
  const write = (next: readonly number[]): void => {
    const isSame = next.length === count && next.every((page, at) => page === at + 1);
    set({ pageNumbers: isSame || next.length === 0 ? undefined : writeOrder(next) });
  };
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= order.length) return;
    write(moved(order, from, to));
    announce(`${t('page', order[from] ?? 0)}: ${to + 1} / ${order.length}`);
    requestAnimationFrame(() =>
      document.querySelectorAll<HTMLElement>(`[data-order="${step.id}"]`)[to]?.focus(),
    );
  };
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const columns = columnsIn((event.currentTarget as HTMLElement).parentElement);
    const by: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
    };
    const step = by[event.key];
    if (event.key === 'Delete' && order.length > 1) write(order.filter((_, index) => index !== at));
    else if (step !== undefined && event.altKey) move(at, at + step);
    else if (step !== undefined) {
      const next = (event.currentTarget as HTMLElement).parentElement?.children[at + step];
      if (next instanceof HTMLElement) next.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="visual">
      <div class="page-grid order-grid" role="list" aria-label={t('choosePages')}>
        {order.map((page, at) => (
          <div
            key={`${page}-${order.slice(0, at).filter((each) => each === page).length}`}
            role="listitem"
            class={`thumb${over === at ? ' over' : ''}`}
            data-order={step.id}
            tabIndex={0}
            draggable
            aria-label={`${t('page', page)}: ${at + 1} / ${order.length}`}
            onKeyDown={(event) => onKeyDown(event, at)}
            onDragStart={(event) => event.dataTransfer?.setData('application/x-bindery-page', String(at))}
            onDragOver={(event) => {
              if (!event.dataTransfer?.types.includes('application/x-bindery-page')) return;
              event.preventDefault();
              setOver(at);
            }}
            onDragLeave={() => setOver(-1)}
            onDrop={(event) => {
              setOver(-1);
              const from = event.dataTransfer?.getData('application/x-bindery-page');
              if (!from) return;
              event.preventDefault();
              event.stopPropagation();
              move(Number(from), at);
            }}
          >
            <PageImage input={input} page={page - 1} width={THUMB_WIDTH} />
            <span class="number">{page}</span>
            <button
              type="button"
              class="icon drop-page"
              tabIndex={-1}
              aria-label={t('remove', t('page', page))}
              onClick={() => write(order.filter((_, index) => index !== at))}
            >
              <Icon name="remove" />
            </button>
          </div>
        ))}
      </div>
      <p class="hint">{t('orderHint')}</p>
    </div>
  );
}

/** general/remove-pages and general/split-pages: pages that are clicked are the ones meant. */
export function ChosenPagesVisual({ step, input, set }: VisualProps) {
  const count = input.pages.value.length;
  const chosen = readSelection(told(step.values.pageNumbers), count) ?? new Set<number>();
  const choose = (pages: Iterable<number>): void => {
    const written = writeSelection(pages, count);
    set({ pageNumbers: written === '' ? undefined : written });
  };
  return (
    <div class="visual">
      <PageGrid input={input} label={t('choosePages')} chosen={chosen} onChoose={choose} />
      <p class="hint">{t('pageKeys')}</p>
    </div>
  );
}

/** general/rotate-pdf: arrows for the angle, thumbnails as they will be. */
export function TurnVisual({ step, input, set }: VisualProps) {
  const count = input.pages.value.length;
  const angle = typeof step.values.angle === 'number' ? step.values.angle : 90;
  const chosen = readSelection(told(step.values.pageNumbers) || 'all', count) ?? new Set<number>();
  const turn = (by: number): void => {
    const next = (((angle + by) % 360) + 360) % 360;
    set({ angle: next === 90 ? undefined : next });
  };
  const choose = (pages: Iterable<number>): void => {
    const written = writeSelection(pages, count);
    set({ pageNumbers: written === 'all' || written === '' ? undefined : written });
  };
  return (
    <div class="visual">
      <div class="visual-tools">
        <button type="button" class="small" onClick={() => turn(-90)}>
          <Icon name="turnLeft" />
          {t('turnLeft')}
        </button>
        <button type="button" class="small" onClick={() => turn(90)}>
          <Icon name="turnRight" />
          {t('turnRight')}
        </button>
      </div>
      <PageGrid input={input} label={t('choosePages')} chosen={chosen} onChoose={choose} turn={angle} />
    </div>
  );
}
