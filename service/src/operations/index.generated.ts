// Made by `npm run generate` from the files in this folder.
import type { AnyOperation } from './define.ts';
import analysis_annotationInfo from './analysis/annotation-info.ts';
import analysis_basicInfo from './analysis/basic-info.ts';
import analysis_documentProperties from './analysis/document-properties.ts';
import analysis_fontInfo from './analysis/font-info.ts';
import analysis_formFields from './analysis/form-fields.ts';
import analysis_pageCount from './analysis/page-count.ts';
import analysis_pageDimensions from './analysis/page-dimensions.ts';
import analysis_securityInfo from './analysis/security-info.ts';
import filter_filterContainsImage from './filter/filter-contains-image.ts';
import filter_filterContainsText from './filter/filter-contains-text.ts';
import filter_filterFileSize from './filter/filter-file-size.ts';
import filter_filterPageCount from './filter/filter-page-count.ts';
import filter_filterPageRotation from './filter/filter-page-rotation.ts';
import filter_filterPageSize from './filter/filter-page-size.ts';
import general_editTableOfContents from './general/edit-table-of-contents.ts';
import general_extractBookmarks from './general/extract-bookmarks.ts';
import general_mergePdfs from './general/merge-pdfs.ts';
import general_rearrangePages from './general/rearrange-pages.ts';
import general_removePages from './general/remove-pages.ts';
import general_rotatePdf from './general/rotate-pdf.ts';
import general_splitBySizeOrCount from './general/split-by-size-or-count.ts';
import general_splitPages from './general/split-pages.ts';
import misc_decompressPdf from './misc/decompress-pdf.ts';
import misc_linearizePdf from './misc/linearize-pdf.ts';
import misc_repair from './misc/repair.ts';
import misc_updateMetadata from './misc/update-metadata.ts';
import security_addPassword from './security/add-password.ts';
import security_removePassword from './security/remove-password.ts';

/** Every operation by its path. Importing this loads no engine. */
export const OPERATIONS: Readonly<Record<string, AnyOperation>> = {
  'analysis/annotation-info': analysis_annotationInfo,
  'analysis/basic-info': analysis_basicInfo,
  'analysis/document-properties': analysis_documentProperties,
  'analysis/font-info': analysis_fontInfo,
  'analysis/form-fields': analysis_formFields,
  'analysis/page-count': analysis_pageCount,
  'analysis/page-dimensions': analysis_pageDimensions,
  'analysis/security-info': analysis_securityInfo,
  'filter/filter-contains-image': filter_filterContainsImage,
  'filter/filter-contains-text': filter_filterContainsText,
  'filter/filter-file-size': filter_filterFileSize,
  'filter/filter-page-count': filter_filterPageCount,
  'filter/filter-page-rotation': filter_filterPageRotation,
  'filter/filter-page-size': filter_filterPageSize,
  'general/edit-table-of-contents': general_editTableOfContents,
  'general/extract-bookmarks': general_extractBookmarks,
  'general/merge-pdfs': general_mergePdfs,
  'general/rearrange-pages': general_rearrangePages,
  'general/remove-pages': general_removePages,
  'general/rotate-pdf': general_rotatePdf,
  'general/split-by-size-or-count': general_splitBySizeOrCount,
  'general/split-pages': general_splitPages,
  'misc/decompress-pdf': misc_decompressPdf,
  'misc/linearize-pdf': misc_linearizePdf,
  'misc/repair': misc_repair,
  'misc/update-metadata': misc_updateMetadata,
  'security/add-password': security_addPassword,
  'security/remove-password': security_removePassword,
};
