// Made by `npm run generate` from the files in this folder.
import type { AnyOperation } from './define.ts';

/** Every operation by its path, loaded when called: a worker loads only what it runs. */
export const LOADERS: Readonly<Record<string, () => Promise<{ default: AnyOperation }>>> = {
  'analysis/annotation-info': () => import('./analysis/annotation-info.ts'),
  'analysis/basic-info': () => import('./analysis/basic-info.ts'),
  'analysis/document-properties': () => import('./analysis/document-properties.ts'),
  'analysis/font-info': () => import('./analysis/font-info.ts'),
  'analysis/form-fields': () => import('./analysis/form-fields.ts'),
  'analysis/page-count': () => import('./analysis/page-count.ts'),
  'analysis/page-dimensions': () => import('./analysis/page-dimensions.ts'),
  'analysis/security-info': () => import('./analysis/security-info.ts'),
  'filter/filter-contains-image': () => import('./filter/filter-contains-image.ts'),
  'filter/filter-contains-text': () => import('./filter/filter-contains-text.ts'),
  'filter/filter-file-size': () => import('./filter/filter-file-size.ts'),
  'filter/filter-page-count': () => import('./filter/filter-page-count.ts'),
  'filter/filter-page-rotation': () => import('./filter/filter-page-rotation.ts'),
  'filter/filter-page-size': () => import('./filter/filter-page-size.ts'),
  'general/edit-table-of-contents': () => import('./general/edit-table-of-contents.ts'),
  'general/extract-bookmarks': () => import('./general/extract-bookmarks.ts'),
  'general/merge-pdfs': () => import('./general/merge-pdfs.ts'),
  'general/rearrange-pages': () => import('./general/rearrange-pages.ts'),
  'general/remove-pages': () => import('./general/remove-pages.ts'),
  'general/rotate-pdf': () => import('./general/rotate-pdf.ts'),
  'general/split-by-size-or-count': () => import('./general/split-by-size-or-count.ts'),
  'general/split-pages': () => import('./general/split-pages.ts'),
  'misc/decompress-pdf': () => import('./misc/decompress-pdf.ts'),
  'misc/linearize-pdf': () => import('./misc/linearize-pdf.ts'),
  'misc/repair': () => import('./misc/repair.ts'),
  'misc/update-metadata': () => import('./misc/update-metadata.ts'),
  'security/add-password': () => import('./security/add-password.ts'),
  'security/remove-password': () => import('./security/remove-password.ts'),
};
