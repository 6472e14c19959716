// PDFium's form environment of one document: what draws field values.
import type { Library, Pointer } from './library.ts';

export interface Forms {
  /** `top` is the row of the page that is the first of the bitmap. */
  draw(
    bitmap: Pointer,
    page: Pointer,
    place: { width: number; height: number; top: number },
    flags: number,
  ): void;
  close(): void;
}

/** Undefined where PDFium has no form environment for the document. No script or action of the file is run. */
export function openForms(library: Library, document: Pointer): Forms | undefined {
  const { native } = library;
  const info = native.PDFiumExt_OpenFormFillInfo();
  if (info === 0) return undefined;
  const form = native.PDFiumExt_InitFormFillEnvironment(document, info);
  if (form === 0) {
    native.PDFiumExt_CloseFormFillInfo(info);
    return undefined;
  }
  // Fields are drawn as on paper, without the tint that marks them on a screen.
  native.FPDF_SetFormFieldHighlightAlpha(form, 0);
  return {
    draw(bitmap, page, { width, height, top }, flags) {
      native.FORM_OnAfterLoadPage(page, form);
      native.FPDF_FFLDraw(form, bitmap, page, 0, -top, width, height, 0, flags);
      native.FORM_OnBeforeClosePage(page, form);
    },
    close() {
      native.PDFiumExt_ExitFormFillEnvironment(form);
      native.PDFiumExt_CloseFormFillInfo(info);
    },
  };
}
