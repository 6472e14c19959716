// Where looking beats typing: a visual field on top of the same values, for the operations that have one.
import type { FunctionComponent } from 'preact';
import type { InputFile } from '../work/files.ts';
import type { Step } from '../work/work.ts';

export interface VisualProps {
  step: Step;
  /** The document it is about, open and with pages. */
  input: InputFile;
  /** Sets fields of the step; undefined takes one back to its default. */
  set(values: Readonly<Record<string, unknown>>): void;
}

export const VISUALS: Readonly<Record<string, FunctionComponent<VisualProps>>> = {};
