// What the page and its PDFium worker say to each other.

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export type Request =
  | {
      readonly id: number;
      readonly do: 'open';
      readonly key: string;
      readonly file: Blob;
      readonly password: string;
    }
  | {
      readonly id: number;
      readonly do: 'draw';
      readonly key: string;
      readonly page: number;
      readonly width: number;
    }
  | { readonly id: number; readonly do: 'close'; readonly key: string };

export type Opened =
  | { readonly state: 'ready'; readonly pages: readonly PageSize[] }
  | { readonly state: 'locked' | 'wrong password' | 'unseen' };

export type Answer =
  | { readonly id: number; readonly opened: Opened }
  | { readonly id: number; readonly image: ImageBitmap | undefined }
  | { readonly id: number; readonly closed: true };
