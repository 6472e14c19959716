// Thumbnails of which some are chosen: by click, by arrows and space, by shift for a range.
import { useRef, useState } from 'preact/hooks';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import type { InputFile } from '../work/files.ts';

const THUMB_WIDTH = 88;

interface Props {
  input: InputFile;
  label: string;
  chosen: ReadonlySet<number>;
  onChoose(pages: Iterable<number>): void;
  /** Degrees clockwise that chosen pages are shown turned by. */
  turn?: number;
}

export function PageGrid({ input, label, chosen, onChoose, turn = 0 }: Props) {
  const [focused, setFocused] = useState(1);
  const [anchor, setAnchor] = useState(1);
  const place = useRef<HTMLDivElement>(null);
  const count = input.pages.value.length;

  const toggle = (page: number, isRange: boolean): void => {
    const next = new Set(chosen);
    if (isRange) {
      const [from, to] = [Math.min(anchor, page), Math.max(anchor, page)];
      for (let each = from; each <= to; each++) next.add(each);
    } else {
      if (next.has(page)) next.delete(page);
      else next.add(page);
      setAnchor(page);
    }
    setFocused(page);
    onChoose(next);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const columns = columnsIn(place.current);
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: 1 - focused,
      End: count - focused,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const page = Math.max(1, Math.min(count, focused + step));
    if (event.shiftKey) toggle(page, true);
    setFocused(page);
    place.current?.querySelector<HTMLElement>(`[data-page="${page}"]`)?.focus();
  };

  return (
    <div
      class="page-grid"
      role="listbox"
      aria-label={`${label}. ${t('pageKeys')}`}
      aria-multiselectable="true"
      ref={place}
      onKeyDown={onKeyDown}
    >
      {Array.from({ length: count }, (_, at) => at + 1).map((page) => (
        <button
          key={page}
          type="button"
          role="option"
          class="thumb"
          data-page={page}
          tabIndex={page === focused ? 0 : -1}
          aria-selected={chosen.has(page)}
          aria-label={t('page', page)}
          onClick={(event) => toggle(page, event.shiftKey)}
        >
          <span class={`turn-${chosen.has(page) ? ((turn % 360) + 360) % 360 : 0}`}>
            <PageImage input={input} page={page - 1} width={THUMB_WIDTH} />
          </span>
          <span class="number">{page}</span>
        </button>
      ))}
    </div>
  );
}

/** As many as stand beside the first. */
export function columnsIn(grid: HTMLElement | null): number {
  const items = [...(grid?.children ?? [])] as HTMLElement[];
  const top = items[0]?.offsetTop;
  const below = items.findIndex((item) => item.offsetTop !== top);
  return below > 0 ? below : Math.max(1, items.length);
}
