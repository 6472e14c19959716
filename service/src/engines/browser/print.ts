// What a caller of the browser says and gets. Types and defaults only.
import type { Content } from '../../contract/files.ts';
import { PAPER_SIZES } from '../../pdf/pages/paper.ts';

export interface Browser {
  /**
   * Prints a document that the job holds. Its resources come from `resource` and nowhere else: whatever it names
   * outside stays blank, and nothing leaves the machine.
   */
  print(page: LocalPage, options?: PrintOptions): Promise<Content>;
  /** Loads an address through the job's way out and prints it. Throws url_not_allowed or url_fetch_failed. */
  printAddress(url: string, options?: PrintOptions): Promise<Content>;
}

export interface LocalPage {
  html: string | Uint8Array;
  /** Where the document lies among its resources: what relative addresses start from. Default `index.html`. */
  path?: string;
  /** For a page that gives itself none. Default: its name without the extension. */
  title?: string;
  /** Never for markdown, mail, ebooks and drawings (operations 3). */
  scripts: boolean;
  /** What lies at a path of the document's own origin (decoded, no leading slash); undefined where there is nothing. */
  resource?(path: string): Promise<PageResource | undefined>;
}

export interface PageResource {
  bytes: Uint8Array;
  /** Absent: by the extension of the path. */
  mediaType?: string;
}

export interface PrintOptions {
  /** Portrait, in points. */
  paper?: { width: number; height: number };
  landscape?: boolean;
  /** In points. */
  margins?: { top: number; right: number; bottom: number; left: number };
  background?: boolean;
  /** An @page size in the style sheet wins over `paper`. */
  preferCssPageSize?: boolean;
  headerHtml?: string | undefined;
  footerHtml?: string | undefined;
  /** `1-5,8` */
  pageRanges?: string | undefined;
  media?: 'print' | 'screen';
  /** 0.1 to 10 */
  zoom?: number;
  waitForSelector?: string | undefined;
  waitMs?: number;
  /** How long the page may take to load, to answer, or to show what is waited for. */
  patienceMs?: number;
  /** Tags, and an outline from the headings. */
  tagged?: boolean;
}

export const PRINT_DEFAULTS = {
  paper: PAPER_SIZES.A4,
  landscape: false,
  margins: { top: 28, right: 28, bottom: 28, left: 28 },
  background: true,
  preferCssPageSize: true,
  media: 'print',
  zoom: 1,
  waitMs: 0,
  patienceMs: 30_000,
  tagged: true,
} as const satisfies PrintOptions;
