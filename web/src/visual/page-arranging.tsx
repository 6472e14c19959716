// Pages as thumbnails: ordered and dropped, cut apart, turned.
import { useState } from 'preact/hooks';
import { PageGrid } from '../forms/page-grid.tsx';
import { readOrder, readSelection, writeOrder, writeSelection } from '../forms/page-selection.ts';
import { thumbWidth, useTiles } from '../forms/tiles.ts';
import { Icon } from '../page/icon.tsx';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import { announce } from '../work/voice.ts';
import { moved } from '../work/work.ts';
import type { VisualProps } from './visuals.ts';

const told = (value: unknown): string => (value === undefined ? '' : String(value));

/** general/rearrange-pages: the order of `pageNumbers`. */
export function OrderVisual(props: VisualProps) {
  const { step, input } = props;
  const order = readOrder(told(step.values.pageNumbers) || 'all', input.pages.value.length);
  if ((step.values.customMode ?? 'CUSTOM') !== 'CUSTOM' || !order) return null;
  return <OrderGrid {...props} order={order} />;
}

const DRAGGED = 'application/x-bindery-page';

function OrderGrid({ input, set, order }: VisualProps & { order: readonly number[] }) {
  const [over, setOver] = useState(-1);
  const [focused, setFocused] = useState(0);
  const { place, columns, height, shown, styleOf, focusOn } = useTiles(input, order.length, focused);
  const count = input.pages.value.length;
  const keys = keysOf(order);
  const write = (next: readonly number[]): void => {
    const isSame = next.length === count && next.every((page, at) => page === at + 1);
    set({ pageNumbers: isSame || next.length === 0 ? undefined : writeOrder(next) });
  };
  const focus = (at: number): void => {
    setFocused(at);
    focusOn(at);
  };
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= order.length) return;
    write(moved(order, from, to));
    announce(`${t('page', order[from] ?? 0)}: ${to + 1} / ${order.length}`);
    focus(to);
  };
  const drop = (at: number): void => {
    if (order.length < 2) return;
    write(order.filter((_, index) => index !== at));
    focus(Math.min(at, order.length - 2));
  };
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const by: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -at,
      End: order.length - 1 - at,
    };
    const to = at + (by[event.key] ?? Number.NaN);
    if (event.key === 'Delete') drop(at);
    else if (Number.isNaN(to)) return;
    else if (event.altKey) move(at, to);
    else if (to >= 0 && to < order.length) focus(to);
    event.preventDefault();
  };
  return (
    <div class="visual">
      <div class="page-grid order-grid" ref={place}>
        <div class="tiles" role="list" aria-label={t('choosePages')} style={{ height: `${height}px` }}>
          {shown.map((at) => {
            const page = order[at] ?? 1;
            return (
              <div
                key={keys[at]}
                role="listitem"
                class={`thumb${over === at ? ' over' : ''}`}
                style={styleOf(at)}
                data-at={at}
                tabIndex={at === focused ? 0 : -1}
                draggable
                aria-setsize={order.length}
                aria-posinset={at + 1}
                aria-label={`${t('page', page)}: ${at + 1} / ${order.length}`}
                onFocus={() => setFocused(at)}
                onKeyDown={(event) => onKeyDown(event, at)}
                onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, String(at))}
                onDragOver={(event) => {
                  if (!event.dataTransfer?.types.includes(DRAGGED)) return;
                  event.preventDefault();
                  setOver(at);
                }}
                onDragLeave={() => setOver(-1)}
                onDrop={(event) => {
                  setOver(-1);
                  const from = event.dataTransfer?.getData(DRAGGED);
                  if (!from) return;
                  event.preventDefault();
                  event.stopPropagation();
                  move(Number(from), at);
                }}
              >
                <PageImage input={input} page={page - 1} width={thumbWidth(input, page - 1)} />
                <span class="number">{page}</span>
                <button
                  type="button"
                  class="icon drop-page"
                  tabIndex={-1}
                  aria-label={t('remove', t('page', page))}
                  onClick={() => drop(at)}
                >
                  <Icon name="remove" />
                </button>
              </div>
            );
          })}
        </div>
      </div>
      <p class="hint">{t('orderHint')}</p>
    </div>
  );
}

/** A page may stand in an order more than once. */
function keysOf(order: readonly number[]): string[] {
  const counts = new Map<number, number>();
  return order.map((page) => {
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    return `${page}-${count}`;
  });
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
