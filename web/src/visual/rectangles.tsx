// Rectangles drawn on a page: those to be blacked out, and the one that pages are cut to.
import { useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { Board, follow, type Sheet } from './board.tsx';
import type { VisualProps } from './visuals.ts';

/** In points from the top left of the page as displayed. */
interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const SMALLEST = 3;
const STEP = 2;
const rounded = (value: number): number => Math.round(value * 10) / 10;

function between(ax: number, ay: number, bx: number, by: number, { size }: Sheet): Rectangle {
  const [left, right] = [Math.max(0, Math.min(ax, bx)), Math.min(size.width, Math.max(ax, bx))];
  const [top, bottom] = [Math.max(0, Math.min(ay, by)), Math.min(size.height, Math.max(ay, by))];
  return { x: rounded(left), y: rounded(top), width: rounded(right - left), height: rounded(bottom - top) };
}

interface DrawnProps extends VisualProps {
  page: number;
  onPage(page: number): void;
  rectangles: readonly Rectangle[];
  onChange(rectangles: readonly Rectangle[], isOngoing?: boolean): void;
  kind: 'redact' | 'crop';
  colour?: string;
}

function Drawn({ input, page, onPage, rectangles, onChange, kind, colour }: DrawnProps) {
  const [draft, setDraft] = useState<Rectangle | undefined>(undefined);
  const draw = (event: PointerEvent, sheet: Sheet): void => {
    if (event.button !== 0 || (event.target as Element).closest('.rectangle')) return;
    event.preventDefault();
    let start: [number, number] | undefined;
    let last: Rectangle | undefined;
    const board = event.currentTarget as Element;
    follow(
      event,
      board,
      sheet.scale,
      (x, y) => {
        start ??= [x, y];
        last = between(...start, x, y, sheet);
        setDraft(last);
      },
      () => {
        setDraft(undefined);
        if (last && last.width >= SMALLEST && last.height >= SMALLEST)
          onChange(kind === 'crop' ? [last] : [...rectangles, last]);
      },
    );
  };
  const replace = (at: number, next: Rectangle | undefined): void => {
    if (next)
      onChange(
        rectangles.map((each, index) => (index === at ? next : each)),
        true,
      );
    else onChange(rectangles.filter((_, index) => index !== at));
  };
  const addInMiddle = (): void => {
    const size = input.pages.value[page] ?? { width: 612, height: 792 };
    const [width, height] = [rounded(size.width / 3), rounded(size.height / 12)];
    const added = { x: rounded(size.width / 3), y: rounded(size.height / 3), width, height };
    onChange(kind === 'crop' ? [added] : [...rectangles, added]);
  };
  return (
    <Board
      {...{ input, page, onPage }}
      class={`drawing ${kind === 'crop' ? 'clipped' : ''}`}
      hint={t('drawHint')}
      onPointerDown={draw}
      tools={
        <button type="button" class="small" onClick={addInMiddle}>
          {t('addRectangle')}
        </button>
      }
    >
      {(sheet) => (
        <>
          {rectangles.map((rectangle, at) => (
            <OneRectangle
              key={at}
              {...{ rectangle, at, sheet, kind, colour }}
              onChange={(next) => replace(at, next)}
            />
          ))}
          {draft && <span class={`rectangle ${kind}`} style={placeOf(draft, sheet)} />}
        </>
      )}
    </Board>
  );
}

const placeOf = ({ x, y, width, height }: Rectangle, { scale }: Sheet, colour?: string) => ({
  left: `${x * scale}px`,
  top: `${y * scale}px`,
  width: `${width * scale}px`,
  height: `${height * scale}px`,
  ...(colour ? { '--rectangle': colour } : {}),
});

interface OneProps {
  rectangle: Rectangle;
  at: number;
  sheet: Sheet;
  kind: string;
  colour: string | undefined;
  onChange(next: Rectangle | undefined): void;
}

function OneRectangle({ rectangle, at, sheet, kind, colour, onChange }: OneProps) {
  const held = (next: Rectangle): Rectangle => ({
    x: rounded(Math.max(0, Math.min(next.x, sheet.size.width - next.width))),
    y: rounded(Math.max(0, Math.min(next.y, sheet.size.height - next.height))),
    width: rounded(Math.max(SMALLEST, Math.min(next.width, sheet.size.width))),
    height: rounded(Math.max(SMALLEST, Math.min(next.height, sheet.size.height))),
  });
  const drag = (event: PointerEvent): void => {
    event.stopPropagation();
    const board = (event.currentTarget as Element).closest('.board');
    if (!board) return;
    const isCorner = (event.target as Element).classList.contains('corner');
    let from: [number, number] | undefined;
    follow(event, board, sheet.scale, (x, y) => {
      from ??= [x, y];
      const [dx, dy] = [x - from[0], y - from[1]];
      if (dx === 0 && dy === 0) return;
      onChange(
        held(
          isCorner
            ? { ...rectangle, width: rectangle.width + dx, height: rectangle.height + dy }
            : { ...rectangle, x: rectangle.x + dx, y: rectangle.y + dy },
        ),
      );
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-STEP, 0],
      ArrowRight: [STEP, 0],
      ArrowUp: [0, -STEP],
      ArrowDown: [0, STEP],
    };
    const step = steps[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') onChange(undefined);
    else if (step) {
      const [dx, dy] = step;
      onChange(
        held(
          event.altKey
            ? { ...rectangle, width: rectangle.width + dx, height: rectangle.height + dy }
            : { ...rectangle, x: rectangle.x + dx, y: rectangle.y + dy },
        ),
      );
    } else return;
    event.preventDefault();
  };
  return (
    <button
      type="button"
      class={`rectangle ${kind}`}
      style={placeOf(rectangle, sheet, colour)}
      aria-label={t('rectangle', at + 1, sheet.page + 1)}
      onPointerDown={drag}
      onKeyDown={onKeyDown}
    >
      <span class="corner" />
    </button>
  );
}

type PagedRectangle = Rectangle & { page: number };

/** security/redact: `redactions`, from the top left. */
export function RedactVisual(props: VisualProps) {
  const [page, setPage] = useState(0);
  const { step, set } = props;
  const all = Array.isArray(step.values.redactions) ? (step.values.redactions as PagedRectangle[]) : [];
  const own = all.filter((each) => each.page === page + 1);
  const change = (next: readonly Rectangle[], isOngoing = false): void => {
    const others = all.filter((each) => each.page !== page + 1);
    const paged = [...others, ...next.map((each) => ({ ...each, page: page + 1 }))];
    set({ redactions: paged.length > 0 ? paged : undefined }, isOngoing);
  };
  const colour =
    typeof step.values.pageRedactionColor === 'string' ? step.values.pageRedactionColor : '#000000';
  return (
    <Drawn
      {...props}
      page={page}
      onPage={setPage}
      rectangles={own}
      onChange={change}
      kind="redact"
      colour={colour}
    />
  );
}

/** general/crop: one rectangle for all pages, from the lower left. */
export function CropVisual(props: VisualProps) {
  const [page, setPage] = useState(0);
  const { step, input, set } = props;
  const high = input.pages.value[page]?.height ?? 792;
  const { x, y, width, height } = step.values as Partial<Record<keyof Rectangle, number>>;
  const isSet = [x, y, width, height].every((value) => typeof value === 'number');
  const own = isSet
    ? [{ x: x ?? 0, y: high - (y ?? 0) - (height ?? 0), width: width ?? 0, height: height ?? 0 }]
    : [];
  const change = ([next]: readonly Rectangle[], isOngoing = false): void =>
    set(
      next
        ? { x: next.x, y: rounded(high - next.y - next.height), width: next.width, height: next.height }
        : { x: undefined, y: undefined, width: undefined, height: undefined },
      isOngoing,
    );
  return <Drawn {...props} page={page} onPage={setPage} rectangles={own} onChange={change} kind="crop" />;
}
