// What redaction does with files that a document carries: they stay unseen, are searched, or go.
import { createHash } from 'node:crypto';
import type { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { ReportFacts } from '../../contract/redaction-report.ts';
import { momentToTell } from '../../contract/reproducible.ts';
import type { Engines } from '../../engines/engines.ts';
import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import { embeddedData } from '../../pdf/attachments/embedded-data.ts';
import { type AttachedFile, attachedFiles, replaceAttached } from '../../pdf/redaction/attached-files.ts';
import { cleanText } from '../../pdf/redaction/clean-text.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';
import { sanitize } from '../../pdf/security/sanitizing.ts';
import {
  AttachedSearch,
  type CleanedFile,
  MOST_SEARCHED_BYTES,
  NotClean,
  type SearchTools,
  tooLarge,
} from './_attached-search.ts';

export type AttachmentHandling = ReportFacts['asked']['attachments'];

export const ATTACHMENTS_HEADER = 'X-Redaction-Attachments';

export interface HandledAttachments {
  /** The document after it. */
  file: InputFile;
  files: ReportFacts['attachments']['files'];
  /** For the header. */
  state: 'none' | 'not-searched' | 'searched' | 'removed';
  /** Files that lost a term. */
  redacted: number;
}

interface Order {
  handling: AttachmentHandling;
  terms: Terms | undefined;
  /** How many files the document itself stands within. */
  deep: number;
}

type Tools = { engine: Pick<Engines, 'qpdf' | 'archive'> } & Pick<SearchTools, 'redactPdf'>;

export async function handleAttachments(
  { engine, redactPdf }: Tools,
  file: InputFile,
  { handling, terms, deep }: Order,
): Promise<HandledAttachments> {
  const doc = engine.qpdf.open(file);
  try {
    const attached = attachedFiles(doc, doc.allRefs());
    const told = (outcome: HandledAttachments['files'][number]['outcome']) =>
      attached.map(({ name }) => ({ name: shownName(name, terms), outcome }));
    if (attached.length === 0) return { file, files: [], state: 'none', redacted: 0 };
    if (handling === 'remove') {
      sanitize(doc, { ...NOTHING, embeddedFiles: true });
      const content = doc.save({ keepModificationDate: true });
      return { file: file.with(content), files: told('removed'), state: 'removed', redacted: 0 };
    }
    if (handling === 'keep' || !terms)
      return { file, files: told('kept'), state: 'not-searched', redacted: 0 };
    const search = new AttachedSearch({ archive: engine.archive, terms, redactPdf });
    const files: HandledAttachments['files'] = [];
    let redacted = 0;
    for (const [index, each] of attached.entries()) {
      const cleaned = await orRefused(each, index, terms, () =>
        search.clean(each.name, dataOf(doc, each), deep + 1),
      );
      files.push({ name: shownName(each.name, terms), outcome: outcomeOf(cleaned) });
      if (!cleaned) continue;
      const { bytes, heldTerm } = cleaned;
      replaceAttached(doc, each.data, bytes, createHash('md5').update(bytes).digest(), momentToTell());
      if (heldTerm) redacted += 1;
    }
    const isChanged = files.some(({ outcome }) => outcome !== 'clean');
    const content = isChanged ? doc.save({ keepModificationDate: true }) : undefined;
    return { file: content ? file.with(content) : file, files, state: 'searched', redacted };
  } finally {
    engine.qpdf.close(doc);
  }
}

const outcomeOf = (cleaned: CleanedFile | undefined): HandledAttachments['files'][number]['outcome'] =>
  cleaned === undefined ? 'clean' : cleaned.heldTerm ? 'redacted' : 'rewritten';

/** Reads the attached files of a result once more. Throws where one holds a term. */
export async function proveAttachments(
  { engine, redactPdf }: Tools,
  file: InputFile,
  { terms, deep }: Pick<Order, 'deep'> & { terms: Terms },
): Promise<void> {
  const doc = engine.qpdf.open(file);
  try {
    const search = new AttachedSearch({ archive: engine.archive, terms, redactPdf });
    for (const [index, each] of attachedFiles(doc, doc.allRefs()).entries())
      await orRefused(each, index, terms, () => search.look(each.name, dataOf(doc, each), deep + 1));
  } finally {
    engine.qpdf.close(doc);
  }
}

const NOTHING = {
  javaScript: false,
  embeddedFiles: false,
  xmp: false,
  metadata: false,
  actions: false,
  links: false,
  fonts: false,
};

function dataOf(doc: QpdfDocument, { data }: AttachedFile): Uint8Array {
  const bytes = embeddedData(doc, data, MOST_SEARCHED_BYTES);
  if (!bytes) throw tooLarge();
  return bytes;
}

async function orRefused<T>(
  { name }: AttachedFile,
  index: number,
  terms: Terms,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotClean)) throw error;
    const called = name === '' ? '' : ` ${JSON.stringify(shownName(name, terms))}`;
    throw new Problem(
      'redaction_unverified',
      `The attached file ${index + 1}${called} ${error.message}. No file is returned.`,
      { hint: 'Use attachments=remove, or take the file out first.' },
    );
  }
}

/** A name in the words of a report: without terms, and no longer than one may be. */
const shownName = (name: string, terms: Terms | undefined): string =>
  ((terms && cleanText(name, terms)) ?? name).slice(0, 1024);
