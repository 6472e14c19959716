// Where a page has gone.

import type { Ref } from '../objects.ts';
import type { DisplayedPage } from './displayed-page.ts';
import type { Matrix } from './matrix.ts';

export interface PageMove {
  page: DisplayedPage;
  /** The page object it now stands on. */
  sheet: Ref;
  /** From the page's own coordinates to those of the sheet. */
  matrix: Matrix;
  /** Whether the sheet shows nothing else. */
  alone: boolean;
}
