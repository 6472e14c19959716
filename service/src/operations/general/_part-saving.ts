import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import type { SaveOptions } from '../../engines/qpdf/write.ts';

/**
 * What is left of a document after pages went is written compactly: its rebuilt trees would stand outside the
 * object streams it came with. Readers of the versions before 1.5 know no object streams.
 */
export const compact = (doc: QpdfDocument): SaveOptions =>
  Number(doc.headerVersion) >= 1.5 ? { objectStreams: 'generate' } : {};
