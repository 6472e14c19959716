// Thumbnails of which some are chosen: by click, by arrows and space, by shift for a range.
import { useState } from 'preact/hooks';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import type { InputFile } from '../work/files.ts';
import { thumbWidth, useTiles } from './tiles.ts';

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
  const count = input.pages.value.length;
  const { place, columns, height, shown, styleOf, focusOn } = useTiles(input, count, focused - 1);

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
    focusOn(page - 1);
  };

  return (
    <div class="page-grid" ref={place}>
      <div
        class="tiles"
        role="listbox"
        aria-label={`${label}. ${t('pageKeys')}`}
        aria-multiselectable="true"
        style={{ height: `${height}px` }}
        onKeyDown={onKeyDown}
      >
        {shown.map((at) => (
          <button
            key={at}
            type="button"
            role="option"
            class="thumb"
            style={styleOf(at)}
            data-at={at}
            tabIndex={at + 1 === focused ? 0 : -1}
            aria-setsize={count}
            aria-posinset={at + 1}
            aria-selected={chosen.has(at + 1)}
            aria-label={t('page', at + 1)}
            onClick={(event) => toggle(at + 1, event.shiftKey)}
          >
            <span class={`turn-${chosen.has(at + 1) ? ((turn % 360) + 360) % 360 : 0}`}>
              <PageImage input={input} page={at} width={thumbWidth(input, at)} />
            </span>
            <span class="number">{at + 1}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
