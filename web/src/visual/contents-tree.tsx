// general/edit-table-of-contents: the outline as indented lines, each with its page.
import { useState } from 'preact/hooks';
import { Icon } from '../page/icon.tsx';
import { t } from '../strings.ts';
import { client } from '../work/key.ts';
import type { VisualProps } from './visuals.ts';

interface Bookmark {
  title: string;
  pageNumber: number;
  children?: readonly Bookmark[];
}

/** A bookmark and how deep it stands. */
interface Line {
  title: string;
  pageNumber: number;
  depth: number;
}

const flat = (bookmarks: readonly Bookmark[], depth = 0): Line[] =>
  bookmarks.flatMap(({ title, pageNumber, children = [] }) => [
    { title, pageNumber, depth },
    ...flat(children, depth + 1),
  ]);

/** No line stands more than one deeper than the one before it. */
function nested(lines: readonly Line[]): Bookmark[] {
  const roots: Bookmark[] = [];
  const open: { children: Bookmark[] }[] = [{ children: roots }];
  for (const { title, pageNumber, depth } of lines) {
    const level = Math.min(depth, open.length - 1);
    open.length = level + 1;
    const bookmark = { title, pageNumber, children: [] as Bookmark[] };
    open[level]?.children.push(bookmark);
    open.push(bookmark);
  }
  return roots;
}

export function ContentsVisual({ step, input, set }: VisualProps) {
  const [fault, setFault] = useState<string | undefined>(undefined);
  const given = step.values.bookmarkData;
  const lines = Array.isArray(given) ? flat(given as Bookmark[]) : [];
  const write = (next: readonly Line[], isOngoing = false): void =>
    set({ bookmarkData: nested(next) }, isOngoing);
  const change = (at: number, part: Partial<Line>): void =>
    write(
      lines.map((line, index) => (index === at ? { ...line, ...part } : line)),
      'title' in part,
    );
  const read = async (): Promise<void> => {
    const password = input.password.value;
    try {
      const made = await client.value.call(
        'general/extract-bookmarks',
        { fileInput: input.file },
        password ? { inputPassword: password } : {},
      );
      set({ bookmarkData: await made.json() });
      setFault(undefined);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <div class="visual">
      <div class="visual-tools">
        <button type="button" class="small" onClick={() => void read()}>
          {t('readBookmarks')}
        </button>
      </div>
      {fault && <p class="fault">{fault}</p>}
      <ol class="tree">
        {lines.map((line, at) => (
          <li key={at} class="tree-entry" style={{ paddingLeft: `${line.depth * 1.4}rem` }}>
            <input
              type="text"
              aria-label={`${t('title')} ${at + 1}`}
              value={line.title}
              onInput={({ currentTarget }) => change(at, { title: currentTarget.value })}
            />
            <input
              type="number"
              min={1}
              max={input.pages.value.length}
              aria-label={`${t('page', '')} ${at + 1}`}
              value={String(line.pageNumber)}
              onInput={({ currentTarget }) =>
                change(at, { pageNumber: Math.max(1, Math.trunc(Number(currentTarget.value)) || 1) })
              }
            />
            <button
              type="button"
              class="icon"
              aria-label={`${t('outdent')} ${at + 1}`}
              disabled={line.depth === 0}
              onClick={() => change(at, { depth: line.depth - 1 })}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`${t('indent')} ${at + 1}`}
              disabled={at === 0 || line.depth > (lines[at - 1]?.depth ?? 0)}
              onClick={() => change(at, { depth: line.depth + 1 })}
            >
              <Icon name="right" />
            </button>
            <button
              type="button"
              class="icon"
              aria-label={t('removeRow', at + 1)}
              onClick={() => write(lines.filter((_, index) => index !== at))}
            >
              <Icon name="remove" />
            </button>
          </li>
        ))}
      </ol>
      <div>
        <button
          type="button"
          class="small"
          onClick={() =>
            write([...lines, { title: t('title'), pageNumber: 1, depth: lines.at(-1)?.depth ?? 0 }])
          }
        >
          {t('addEntry')}
        </button>
      </div>
    </div>
  );
}
