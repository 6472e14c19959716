// The text of pages as their content has it, for those that a renderer does not read well: with the texts that stand
// for signs, and blanks where a reader sees some.
import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import { ContentWork } from './content-work.ts';
import { readableTexts, runningTexts } from './text-order.ts';

export class PageReadings {
  private readonly work: ContentWork;

  constructor(doc: PdfDocument) {
    this.work = new ContentWork(doc);
  }

  /** The same text in each order and sense it may be read; `all`: also as encodings have it where maps say otherwise. */
  of(page: Ref, which: 'readable' | 'all' = 'readable'): string[] {
    try {
      const listed = this.work.listPage(page);
      const texts =
        which === 'all' ? runningTexts(listed).filter(({ isRaw }) => !isRaw) : readableTexts(listed);
      return texts.map(({ text }) => text);
    } catch (error) {
      // Content that is nested without end is not read further.
      if (error instanceof Problem && error.reason === 'redaction_unverified') return [];
      throw error;
    }
  }
}
