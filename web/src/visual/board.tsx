// A page to work on: one at a time, as wide as there is room, with things laid over it in points of the page.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../page/icon.tsx';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import type { InputFile, PageSize } from '../work/files.ts';

const WIDEST = 560;

export interface Sheet {
  /** From 0. */
  page: number;
  size: PageSize;
  /** Pixels for a point. */
  scale: number;
}

interface Props {
  input: InputFile;
  page: number;
  onPage(page: number): void;
  class?: string;
  tools?: ComponentChildren;
  hint?: string;
  onPointerDown?(event: PointerEvent, sheet: Sheet): void;
  children(sheet: Sheet): ComponentChildren;
}

export function Board({
  input,
  page,
  onPage,
  class: kind = '',
  tools,
  hint,
  onPointerDown,
  children,
}: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(360);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(Math.max(160, entry?.contentRect.width ?? 360)));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const count = input.pages.value.length;
  const size = input.pages.value[page] ?? { width: 612, height: 792 };
  const width = Math.round(Math.min(WIDEST, room, (size.width / size.height) * 760));
  const sheet = { page, size, scale: width / size.width };
  return (
    <div class="visual" ref={place}>
      <div class="visual-tools">
        {tools}
        {count > 1 && (
          <div class="pager">
            <button
              type="button"
              class="icon"
              disabled={page === 0}
              aria-label={t('previousPage')}
              onClick={() => onPage(page - 1)}
            >
              <Icon name="left" />
            </button>
            <span>{t('pageOf', page + 1, count)}</span>
            <button
              type="button"
              class="icon"
              disabled={page >= count - 1}
              aria-label={t('nextPage')}
              onClick={() => onPage(page + 1)}
            >
              <Icon name="right" />
            </button>
          </div>
        )}
      </div>
      <div class={`board ${kind}`} onPointerDown={(event) => onPointerDown?.(event, sheet)}>
        <PageImage input={input} page={page} width={width} />
        {children(sheet)}
      </div>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

/** Follows the pointer until it is let go; positions in points from the top left of the page. */
export function follow(
  event: PointerEvent,
  board: Element,
  scale: number,
  moved: (x: number, y: number) => void,
  ended?: () => void,
): void {
  const { left, top } = board.getBoundingClientRect();
  const at = (pointer: PointerEvent): [number, number] => [
    (pointer.clientX - left) / scale,
    (pointer.clientY - top) / scale,
  ];
  const onMove = (pointer: PointerEvent): void => moved(...at(pointer));
  const onUp = (): void => {
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onUp);
    ended?.();
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onUp);
  moved(...at(event));
}
