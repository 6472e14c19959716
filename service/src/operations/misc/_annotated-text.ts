// The text of pages together with that of notes and fields on them: where they have become content.
import type { InputFile } from '../../contract/files.ts';
import type { Engines } from '../../engines/engines.ts';
import type { PdfiumDocument } from '../../engines/pdfium/pdfium.ts';
import { drawAnnotations } from '../../pdf/annotations/flatten-pages.ts';

type AnnotatedEngines = Pick<Engines, 'qpdf' | 'pdfium' | 'text'>;

export class AnnotatedText {
  private readonly engine: AnnotatedEngines;
  private readonly file: InputFile;
  private view: PdfiumDocument | undefined;

  constructor(engine: AnnotatedEngines, file: InputFile) {
    this.engine = engine;
    this.file = file;
  }

  chars(index: number): ReturnType<PdfiumDocument['pageChars']> {
    this.view ??= this.flattened();
    return this.view.pageChars(index);
  }

  private flattened(): PdfiumDocument {
    const { qpdf, pdfium, text } = this.engine;
    const doc = qpdf.open(this.file);
    drawAnnotations(doc, text.layout);
    const content = doc.save({ keepModificationDate: true });
    qpdf.close(doc);
    return pdfium.open({ name: this.file.name, content });
  }

  [Symbol.dispose](): void {
    this.view?.close();
  }
}
