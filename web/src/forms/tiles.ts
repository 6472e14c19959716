// Pages of a document of any length as tiles of one size: only those near what is seen are in the page, and the one that
// has the focus.
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InputFile } from '../work/files.ts';

const NARROWEST = 106;
/** Around and below a thumbnail. */
const FRAME_HEIGHT = 46;
/** Thumbnails fit into this. */
const IMAGE_WIDTH = 88;
const IMAGE_HEIGHT = 124;
/** Rows above and below those that are seen. */
const ROWS_AHEAD = 3;

interface View {
  columns: number;
  firstRow: number;
  rows: number;
}

export interface Tiles {
  /** For the element that scrolls. */
  place: RefObject<HTMLDivElement | null>;
  columns: number;
  /** Of what is within it, in pixels. */
  height: number;
  /** Tiles to be shown, from 0, in their order. */
  shown: readonly number[];
  styleOf(at: number): Record<string, string>;
  /** Brings a tile into view and gives it the focus once it is there: it is found by `data-at`. */
  focusOn(at: number): void;
}

const viewOf = ({ clientWidth, clientHeight, scrollTop }: HTMLElement, tileHeight: number): View => ({
  columns: Math.max(1, Math.floor(clientWidth / NARROWEST)),
  firstRow: Math.floor(scrollTop / tileHeight),
  rows: Math.ceil(clientHeight / tileHeight) + 1,
});

/** All tiles are as high as the tallest thumbnail of the document needs. */
function tileHeightOf({ pages }: InputFile): number {
  let tallest = 40;
  for (const { width, height } of pages.value)
    tallest = Math.max(tallest, Math.min(IMAGE_HEIGHT, (IMAGE_WIDTH * height) / width));
  return Math.ceil(tallest) + FRAME_HEIGHT;
}

export function useTiles(input: InputFile, count: number, focused: number): Tiles {
  const pages = input.pages.value;
  const tileHeight = useMemo(() => tileHeightOf(input), [pages]);
  const place = useRef<HTMLDivElement>(null);
  const wanted = useRef(-1);
  const [{ columns, firstRow, rows }, setView] = useState<View>({ columns: 4, firstRow: 0, rows: 3 });
  useLayoutEffect(() => {
    const scroller = place.current;
    if (!scroller) return;
    const look = (): void =>
      setView((last) => {
        const next = viewOf(scroller, tileHeight);
        const isSame =
          next.columns === last.columns && next.firstRow === last.firstRow && next.rows === last.rows;
        return isSame ? last : next;
      });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [tileHeight]);
  useLayoutEffect(() => {
    if (wanted.current < 0) return;
    const tile = place.current?.querySelector<HTMLElement>(`[data-at="${wanted.current}"]`);
    if (!tile) return;
    wanted.current = -1;
    tile.focus();
  });
  const from = Math.max(0, (firstRow - ROWS_AHEAD) * columns);
  const to = Math.min(count, (firstRow + rows + ROWS_AHEAD) * columns);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (focused < from && focused >= 0) shown.unshift(focused);
  else if (focused >= to && focused < count) shown.push(focused);
  return {
    place,
    columns,
    height: Math.ceil(count / columns) * tileHeight,
    shown,
    styleOf: (at) => ({
      top: `${Math.floor(at / columns) * tileHeight}px`,
      left: `${((at % columns) / columns) * 100}%`,
      width: `calc(${100 / columns}% - 6px)`,
      height: `${tileHeight - 6}px`,
    }),
    focusOn(at) {
      const scroller = place.current;
      if (!scroller) return;
      const top = Math.floor(at / columns) * tileHeight;
      const lowest = top + tileHeight - scroller.clientHeight;
      scroller.scrollTop = Math.min(top, Math.max(lowest, scroller.scrollTop));
      wanted.current = at;
      setView(viewOf(scroller, tileHeight));
    },
  };
}

/** How wide the thumbnail of a page is; page from 0. */
export function thumbWidth(input: InputFile, page: number): number {
  const { width, height } = input.pages.value[page] ?? { width: 612, height: 792 };
  return Math.max(2, Math.round(Math.min(IMAGE_WIDTH, (IMAGE_HEIGHT * width) / height)));
}
