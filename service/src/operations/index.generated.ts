// Made by `npm run generate` from the files in this folder.
import type { AnyOperation } from './define.ts';
import general_rotatePdf from './general/rotate-pdf.ts';

/** Every operation by its path. Importing this loads no engine. */
export const OPERATIONS: Readonly<Record<string, AnyOperation>> = {
  'general/rotate-pdf': general_rotatePdf,
};
