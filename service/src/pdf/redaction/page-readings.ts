// The text of pages as their content has it, for those that a renderer does not read well: with the texts that stand
// for signs, and blanks where a reader sees some.
import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import { ContentWork } from './content-work.ts';
import { readableTexts } from './text-order.ts';

export class PageReadings {
  private readonly work: ContentWork;

  constructor(doc: PdfDocument) {
    this.work = new ContentWork(doc);
  }

  /** The same text in each order and sense it may be read. */
  of(page: Ref): string[] {
    try {
      return readableTexts(this.work.listPage(page)).map(({ text }) => text);
    } catch (error) {
      // Content that is nested without end is not read further.
      if (error instanceof Problem && error.reason === 'redaction_unverified') return [];
      throw error;
    }
  }
}
