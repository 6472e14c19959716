// Made by `npm run generate` from the files in this folder.
import type { AnyOperation } from './define.ts';

/** Every operation by its path, loaded when called: a worker loads only what it runs. */
export const LOADERS: Readonly<Record<string, () => Promise<{ default: AnyOperation }>>> = {
  'general/rotate-pdf': () => import('./general/rotate-pdf.ts'),
};
