// Files that were chosen or dropped. What is known of one (its pages, its password) is found out later and is no edit.
import { type Signal, signal } from '@preact/signals';
import { addFiles, newId } from './work.ts';

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface InputFile {
  readonly id: string;
  readonly file: File;
  readonly isPdf: boolean;
  readonly password: Signal<string>;
  /** As PDFium found it; `unseen` where there are no thumbnails to be had. */
  readonly state: Signal<'opening' | 'ready' | 'locked' | 'wrong password' | 'unseen'>;
  readonly pages: Signal<readonly PageSize[]>;
}

export const inputFile = (file: File): InputFile => ({
  id: newId(),
  file,
  isPdf: /\.pdf$/i.test(file.name) || file.type === 'application/pdf',
  password: signal(''),
  state: signal('opening'),
  pages: signal([]),
});

export const takeFiles = (chosen: Iterable<File>): void => {
  const all = [...chosen];
  if (all.length > 0) addFiles(all.map(inputFile));
};

export const extensionOf = (name: string): string => /\.(\w{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
