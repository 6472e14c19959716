// An entry of a list that can be ordered by dragging its handle and by buttons.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { Icon } from './icon.tsx';

interface Props {
  class: string;
  name: string;
  at: number;
  count: number;
  /** Entries of one list only are taken for one another. */
  group: string;
  onMove(from: number, to: number): void;
  onRemove(): void;
  children: ComponentChildren;
}

export function Mover({ class: kind, name, at, count, group, onMove, onRemove, children }: Props) {
  const [isOver, setOver] = useState(false);
  const [isDraggable, setDraggable] = useState(false);
  const mark = `application/x-bindery-${group}`;
  return (
    <li
      class={`${kind} mover${isOver ? ' over' : ''}`}
      draggable={isDraggable}
      onDragStart={(event) => {
        event.dataTransfer?.setData(mark, String(at));
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
      }}
      onDragEnd={() => setDraggable(false)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(mark)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const from = event.dataTransfer?.getData(mark);
        if (!from) return;
        event.preventDefault();
        event.stopPropagation();
        if (Number(from) !== at) onMove(Number(from), at);
      }}
    >
      {/* Only the handle begins a drag: text in fields must stay selectable. */}
      {count > 1 && (
        <span
          class="handle"
          aria-hidden="true"
          onPointerDown={() => setDraggable(true)}
          onPointerUp={() => setDraggable(false)}
        >
          <Icon name="handle" />
        </span>
      )}
      {children}
      <span class="mover-buttons">
        {count > 1 && (
          <>
            <button
              type="button"
              class="icon"
              disabled={at === 0}
              aria-label={t('moveUp', name)}
              onClick={() => onMove(at, at - 1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="icon"
              disabled={at === count - 1}
              aria-label={t('moveDown', name)}
              onClick={() => onMove(at, at + 1)}
            >
              <Icon name="down" />
            </button>
          </>
        )}
        <button type="button" class="icon" aria-label={t('remove', name)} onClick={onRemove}>
          <Icon name="remove" />
        </button>
      </span>
    </li>
  );
}
