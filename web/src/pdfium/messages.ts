// What the page and its PDFium worker say to each other.

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

interface Subject {
  readonly id: number;
  /** Of the document, as long as the page is open. */
  readonly key: string;
  readonly file: Blob;
  readonly password: string;
}

export interface DrawRequest extends Subject {
  readonly do: 'draw';
  readonly page: number;
  readonly width: number;
}

export type Request = (Subject & { readonly do: 'open' }) | DrawRequest;

export type Opened =
  | { readonly state: 'ready'; readonly pages: readonly PageSize[] }
  | { readonly state: 'locked' | 'wrong password' | 'unseen' };

export type Answer = {
  readonly id: number;
  /** What PDFium has taken so far. */
  readonly memoryBytes: number;
} & ({ readonly opened: Opened } | { readonly image: ImageBitmap | undefined });
