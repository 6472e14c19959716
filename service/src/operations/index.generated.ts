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
import convert_cbz_pdf from './convert/cbz/pdf.ts';
import convert_ebook_pdf from './convert/ebook/pdf.ts';
import convert_eml_pdf from './convert/eml/pdf.ts';
import convert_file_pdf from './convert/file/pdf.ts';
import convert_html_pdf from './convert/html/pdf.ts';
import convert_img_pdf from './convert/img/pdf.ts';
import convert_markdown_pdf from './convert/markdown/pdf.ts';
import convert_pdf_cbz from './convert/pdf/cbz.ts';
import convert_pdf_csv from './convert/pdf/csv.ts';
import convert_pdf_data from './convert/pdf/data.ts';
import convert_pdf_epub from './convert/pdf/epub.ts';
import convert_pdf_html from './convert/pdf/html.ts';
import convert_pdf_img from './convert/pdf/img.ts';
import convert_pdf_markdown from './convert/pdf/markdown.ts';
import convert_pdf_pdfa from './convert/pdf/pdfa.ts';
import convert_pdf_presentation from './convert/pdf/presentation.ts';
import convert_pdf_text from './convert/pdf/text.ts';
import convert_pdf_textEditor from './convert/pdf/text-editor.ts';
import convert_pdf_vector from './convert/pdf/vector.ts';
import convert_pdf_word from './convert/pdf/word.ts';
import convert_pdf_xlsx from './convert/pdf/xlsx.ts';
import convert_pdf_xml from './convert/pdf/xml.ts';
import convert_svg_pdf from './convert/svg/pdf.ts';
import convert_textEditor_pdf from './convert/text-editor/pdf.ts';
import convert_url_pdf from './convert/url/pdf.ts';
import filter_filterContainsImage from './filter/filter-contains-image.ts';
import filter_filterContainsText from './filter/filter-contains-text.ts';
import filter_filterFileSize from './filter/filter-file-size.ts';
import filter_filterPageCount from './filter/filter-page-count.ts';
import filter_filterPageRotation from './filter/filter-page-rotation.ts';
import filter_filterPageSize from './filter/filter-page-size.ts';
import form_deleteFields from './form/delete-fields.ts';
import form_fields from './form/fields.ts';
import form_fieldsWithCoordinates from './form/fields-with-coordinates.ts';
import form_fill from './form/fill.ts';
import form_modifyFields from './form/modify-fields.ts';
import general_bookletImposition from './general/booklet-imposition.ts';
import general_crop from './general/crop.ts';
import general_editTableOfContents from './general/edit-table-of-contents.ts';
import general_editText from './general/edit-text.ts';
import general_extractBookmarks from './general/extract-bookmarks.ts';
import general_mergePdfs from './general/merge-pdfs.ts';
import general_multiPageLayout from './general/multi-page-layout.ts';
import general_overlayPdfs from './general/overlay-pdfs.ts';
import general_pdfToSinglePage from './general/pdf-to-single-page.ts';
import general_rearrangePages from './general/rearrange-pages.ts';
import general_removeImagePdf from './general/remove-image-pdf.ts';
import general_removePages from './general/remove-pages.ts';
import general_rotatePdf from './general/rotate-pdf.ts';
import general_scalePages from './general/scale-pages.ts';
import general_splitBySizeOrCount from './general/split-by-size-or-count.ts';
import general_splitPages from './general/split-pages.ts';
import general_splitPdfByChapters from './general/split-pdf-by-chapters.ts';
import general_splitPdfBySections from './general/split-pdf-by-sections.ts';
import misc_addAttachments from './misc/add-attachments.ts';
import misc_addImage from './misc/add-image.ts';
import misc_addPageNumbers from './misc/add-page-numbers.ts';
import misc_addStamp from './misc/add-stamp.ts';
import misc_autoRename from './misc/auto-rename.ts';
import misc_autoSplitPdf from './misc/auto-split-pdf.ts';
import misc_compressPdf from './misc/compress-pdf.ts';
import misc_decompressPdf from './misc/decompress-pdf.ts';
import misc_deleteAttachment from './misc/delete-attachment.ts';
import misc_extractAttachments from './misc/extract-attachments.ts';
import misc_extractImageScans from './misc/extract-image-scans.ts';
import misc_extractImages from './misc/extract-images.ts';
import misc_flatten from './misc/flatten.ts';
import misc_linearizePdf from './misc/linearize-pdf.ts';
import misc_listAttachments from './misc/list-attachments.ts';
import misc_ocrPdf from './misc/ocr-pdf.ts';
import misc_removeBlanks from './misc/remove-blanks.ts';
import misc_renameAttachment from './misc/rename-attachment.ts';
import misc_repair from './misc/repair.ts';
import misc_replaceInvertPdf from './misc/replace-invert-pdf.ts';
import misc_scannerEffect from './misc/scanner-effect.ts';
import misc_showJavascript from './misc/show-javascript.ts';
import misc_unlockPdfForms from './misc/unlock-pdf-forms.ts';
import misc_updateMetadata from './misc/update-metadata.ts';
import security_addPassword from './security/add-password.ts';
import security_addWatermark from './security/add-watermark.ts';
import security_autoRedact from './security/auto-redact.ts';
import security_certSign from './security/cert-sign.ts';
import security_getInfoOnPdf from './security/get-info-on-pdf.ts';
import security_redact from './security/redact.ts';
import security_removeCertSign from './security/remove-cert-sign.ts';
import security_removePassword from './security/remove-password.ts';
import security_sanitizePdf from './security/sanitize-pdf.ts';
import security_timestampPdf from './security/timestamp-pdf.ts';
import security_validateSignature from './security/validate-signature.ts';
import security_verifyPdf from './security/verify-pdf.ts';

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
  'convert/cbz/pdf': convert_cbz_pdf,
  'convert/ebook/pdf': convert_ebook_pdf,
  'convert/eml/pdf': convert_eml_pdf,
  'convert/file/pdf': convert_file_pdf,
  'convert/html/pdf': convert_html_pdf,
  'convert/img/pdf': convert_img_pdf,
  'convert/markdown/pdf': convert_markdown_pdf,
  'convert/pdf/cbz': convert_pdf_cbz,
  'convert/pdf/csv': convert_pdf_csv,
  'convert/pdf/data': convert_pdf_data,
  'convert/pdf/epub': convert_pdf_epub,
  'convert/pdf/html': convert_pdf_html,
  'convert/pdf/img': convert_pdf_img,
  'convert/pdf/markdown': convert_pdf_markdown,
  'convert/pdf/pdfa': convert_pdf_pdfa,
  'convert/pdf/presentation': convert_pdf_presentation,
  'convert/pdf/text': convert_pdf_text,
  'convert/pdf/text-editor': convert_pdf_textEditor,
  'convert/pdf/vector': convert_pdf_vector,
  'convert/pdf/word': convert_pdf_word,
  'convert/pdf/xlsx': convert_pdf_xlsx,
  'convert/pdf/xml': convert_pdf_xml,
  'convert/svg/pdf': convert_svg_pdf,
  'convert/text-editor/pdf': convert_textEditor_pdf,
  'convert/url/pdf': convert_url_pdf,
  'filter/filter-contains-image': filter_filterContainsImage,
  'filter/filter-contains-text': filter_filterContainsText,
  'filter/filter-file-size': filter_filterFileSize,
  'filter/filter-page-count': filter_filterPageCount,
  'filter/filter-page-rotation': filter_filterPageRotation,
  'filter/filter-page-size': filter_filterPageSize,
  'form/delete-fields': form_deleteFields,
  'form/fields': form_fields,
  'form/fields-with-coordinates': form_fieldsWithCoordinates,
  'form/fill': form_fill,
  'form/modify-fields': form_modifyFields,
  'general/booklet-imposition': general_bookletImposition,
  'general/crop': general_crop,
  'general/edit-table-of-contents': general_editTableOfContents,
  'general/edit-text': general_editText,
  'general/extract-bookmarks': general_extractBookmarks,
  'general/merge-pdfs': general_mergePdfs,
  'general/multi-page-layout': general_multiPageLayout,
  'general/overlay-pdfs': general_overlayPdfs,
  'general/pdf-to-single-page': general_pdfToSinglePage,
  'general/rearrange-pages': general_rearrangePages,
  'general/remove-image-pdf': general_removeImagePdf,
  'general/remove-pages': general_removePages,
  'general/rotate-pdf': general_rotatePdf,
  'general/scale-pages': general_scalePages,
  'general/split-by-size-or-count': general_splitBySizeOrCount,
  'general/split-pages': general_splitPages,
  'general/split-pdf-by-chapters': general_splitPdfByChapters,
  'general/split-pdf-by-sections': general_splitPdfBySections,
  'misc/add-attachments': misc_addAttachments,
  'misc/add-image': misc_addImage,
  'misc/add-page-numbers': misc_addPageNumbers,
  'misc/add-stamp': misc_addStamp,
  'misc/auto-rename': misc_autoRename,
  'misc/auto-split-pdf': misc_autoSplitPdf,
  'misc/compress-pdf': misc_compressPdf,
  'misc/decompress-pdf': misc_decompressPdf,
  'misc/delete-attachment': misc_deleteAttachment,
  'misc/extract-attachments': misc_extractAttachments,
  'misc/extract-image-scans': misc_extractImageScans,
  'misc/extract-images': misc_extractImages,
  'misc/flatten': misc_flatten,
  'misc/linearize-pdf': misc_linearizePdf,
  'misc/list-attachments': misc_listAttachments,
  'misc/ocr-pdf': misc_ocrPdf,
  'misc/remove-blanks': misc_removeBlanks,
  'misc/rename-attachment': misc_renameAttachment,
  'misc/repair': misc_repair,
  'misc/replace-invert-pdf': misc_replaceInvertPdf,
  'misc/scanner-effect': misc_scannerEffect,
  'misc/show-javascript': misc_showJavascript,
  'misc/unlock-pdf-forms': misc_unlockPdfForms,
  'misc/update-metadata': misc_updateMetadata,
  'security/add-password': security_addPassword,
  'security/add-watermark': security_addWatermark,
  'security/auto-redact': security_autoRedact,
  'security/cert-sign': security_certSign,
  'security/get-info-on-pdf': security_getInfoOnPdf,
  'security/redact': security_redact,
  'security/remove-cert-sign': security_removeCertSign,
  'security/remove-password': security_removePassword,
  'security/sanitize-pdf': security_sanitizePdf,
  'security/timestamp-pdf': security_timestampPdf,
  'security/validate-signature': security_validateSignature,
  'security/verify-pdf': security_verifyPdf,
};
