// Where looking beats typing: a visual field on top of the same values, for the operations that have one. All of them are
// loaded with the first that is wanted.
import type { FunctionComponent } from 'preact';
import type { InputFile } from '../work/files.ts';
import type { Step } from '../work/work.ts';

export interface VisualProps {
  step: Step;
  /** The document it is about, open and with pages. */
  input: InputFile;
  /** Sets fields of the step; undefined takes one back to its default. What is `ongoing` is one edit with what follows. */
  set(values: Readonly<Record<string, unknown>>, isOngoing?: boolean): void;
}

type Visual = FunctionComponent<VisualProps>;

const LOADERS: Readonly<Record<string, () => Promise<Visual>>> = {
  'security/redact': async () => (await import('./rectangles.tsx')).RedactVisual,
  'general/crop': async () => (await import('./rectangles.tsx')).CropVisual,
  'general/rearrange-pages': async () => (await import('./page-arranging.tsx')).OrderVisual,
  'general/remove-pages': async () => (await import('./page-arranging.tsx')).ChosenPagesVisual,
  'general/split-pages': async () => (await import('./page-arranging.tsx')).ChosenPagesVisual,
  'general/rotate-pdf': async () => (await import('./page-arranging.tsx')).TurnVisual,
  'form/fill': async () => (await import('./form-filling.tsx')).FillVisual,
  'misc/add-stamp': async () => (await import('./placing.tsx')).NinePlacesVisual,
  'misc/add-page-numbers': async () => (await import('./placing.tsx')).NinePlacesVisual,
  'misc/add-image': async () => (await import('./placing.tsx')).ImagePlaceVisual,
  'security/add-watermark': async () => (await import('./placing.tsx')).WatermarkVisual,
  'general/edit-table-of-contents': async () => (await import('./contents-tree.tsx')).ContentsVisual,
};

export const hasVisual = (op: string): boolean => Object.hasOwn(LOADERS, op);

export const loadVisual = (op: string): Promise<Visual> | undefined =>
  hasVisual(op) ? LOADERS[op]?.() : undefined;
