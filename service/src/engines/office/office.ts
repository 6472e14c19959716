// The door to LibreOffice: office documents become PDF, or another office format.
//
//   const content = await engine.office.convert(file, 'docx', 'odt');
//
// One LibreOffice serves the jobs of a worker one after another; it starts with the first, about a second. Documents
// that stall or crash it cost only their own job.
import type { Content, InputFile } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import { type ConvertOptions, convertFile, type PdfOptions } from './conversion.ts';
import { officeKindOf } from './document-kind.ts';
import type { OfficeKind, OfficeTarget } from './formats.ts';

export { isWarm } from './conversion.ts';
export type { OfficeKind, OfficeTarget } from './formats.ts';
export { probe } from './program.ts';

export interface Office {
  /**
   * The kind of document its content shows, without asking LibreOffice; undefined where it shows none. Plain text and
   * CSV show none. Throws unsupported_file_type for documents shut by a password and for packages that unpack beyond
   * all measure.
   */
  kindOf(file: InputFile): Promise<OfficeKind | undefined>;
  /**
   * The document in another format, as a file of the job. Macros do not run and nothing else is read or fetched.
   * Throws unsupported_file_type where the document cannot be read, deadline_exceeded where it takes too long, and
   * missing_dependency where there is no LibreOffice.
   */
  convert(file: InputFile, from: OfficeKind, to: OfficeTarget, pdf?: PdfOptions): Promise<Content>;
}

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

export function createOffice(job: JobContext, options: ConvertOptions = {}): Office {
  return {
    kindOf: officeKindOf,
    convert: (file, from, to, pdf) => convertFile(job, file, from, to, { ...options, ...pdf }),
  };
}
