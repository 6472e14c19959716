// What is being worked on: files and a chain of steps. Every edit makes a new state, so undo is going back to an older.
import { computed, signal } from '@preact/signals';
import type { InputFile } from './files.ts';

export interface Step {
  readonly id: string;
  /** Such as general/rotate-pdf. */
  readonly op: string;
  /** Fields that were set; all others have the service's default. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Of file fields beside the main one. */
  readonly files: Readonly<Record<string, readonly File[]>>;
}

interface Work {
  readonly files: readonly InputFile[];
  readonly steps: readonly Step[];
}

const MOST_STATES = 200;
/** Keystrokes in one field within this time are one edit. */
const SAME_EDIT_MS = 1200;

const past = signal<readonly Work[]>([]);
const present = signal<Work>({ files: [], steps: [] });
const future = signal<readonly Work[]>([]);
let lastEdit = { what: '', at: 0 };

export const files = computed(() => present.value.files);
export const steps = computed(() => present.value.steps);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** `what` names the edit where several in a row count as one. */
function edit(change: Partial<Work>, what = ''): void {
  const now = Date.now();
  const isSame = what !== '' && what === lastEdit.what && now - lastEdit.at < SAME_EDIT_MS;
  if (!isSame) past.value = [...past.value, present.value].slice(-MOST_STATES);
  lastEdit = { what, at: now };
  future.value = [];
  present.value = { ...present.value, ...change };
}

export function undo(): void {
  const before = past.value.at(-1);
  if (!before) return;
  past.value = past.value.slice(0, -1);
  future.value = [present.value, ...future.value];
  present.value = before;
  lastEdit = { what: '', at: 0 };
}

export function redo(): void {
  const [next, ...rest] = future.value;
  if (!next) return;
  past.value = [...past.value, present.value];
  future.value = rest;
  present.value = next;
  lastEdit = { what: '', at: 0 };
}

export const newId = (): string => crypto.randomUUID().slice(0, 8);

export const addFiles = (added: readonly InputFile[]): void => edit({ files: [...files.value, ...added] });
export const setFiles = (all: readonly InputFile[]): void => edit({ files: all });
export const removeFile = (id: string): void => edit({ files: files.value.filter((file) => file.id !== id) });
export const moveFile = (from: number, to: number): void => edit({ files: moved(files.value, from, to) });

export function addStep(op: string, values: Step['values'] = {}): Step {
  const step: Step = { id: newId(), op, values, files: {} };
  edit({ steps: [...steps.value, step] });
  return step;
}
export const setSteps = (all: readonly Step[]): void => edit({ steps: all });
export const removeStep = (id: string): void => edit({ steps: steps.value.filter((step) => step.id !== id) });
export const moveStep = (from: number, to: number): void => edit({ steps: moved(steps.value, from, to) });

/**
 * Several fields at once are one edit, and so is what is typed or dragged without a pause. Undefined takes a field back
 * to its default.
 */
export function setValues(id: string, values: Readonly<Record<string, unknown>>, isOngoing: boolean): void {
  const changed = steps.value.map((step) => {
    if (step.id !== id) return step;
    const all = { ...step.values, ...values };
    return {
      ...step,
      values: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    };
  });
  edit({ steps: changed }, isOngoing ? `${id} ${Object.keys(values).join()}` : '');
}

export function setStepFiles(id: string, field: string, chosen: readonly File[]): void {
  edit({
    steps: steps.value.map((step) =>
      step.id === id ? { ...step, files: { ...step.files, [field]: chosen } } : step,
    ),
  });
}

export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, at) => at !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}
