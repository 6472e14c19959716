import { rmSync, statSync } from 'node:fs';
import type { Content } from '../../contract/files.ts';
import { KIB } from '../../contract/limits.ts';
import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import type { SaveOptions } from '../../engines/qpdf/write.ts';
import type { Ref } from '../../pdf/objects.ts';
import type { PageExtraction, PartOptions } from '../../pdf/pages/page-extraction.ts';

/**
 * What is left of a document after pages went is written compactly: its rebuilt trees would stand outside the
 * object streams it came with. Readers of the versions before 1.5 know no object streams.
 */
export const compact = (doc: QpdfDocument): SaveOptions =>
  Number(doc.headerVersion) >= 1.5 ? { objectStreams: 'generate' } : {};

/** "The sum of parts stays within 1.2 times the source plus 20 KB per part": what one of several may take. */
export const shareOf = (sourceBytes: number, parts: number): number => (1.2 * sourceBytes) / parts + 20 * KIB;

/**
 * One of the parts a document is split into. Its fonts stay whole where that is within its share; without a bound they
 * keep only the glyphs that it shows.
 */
export function savePart(
  doc: QpdfDocument,
  extraction: PageExtraction,
  pages: readonly Ref[],
  options: PartOptions,
  share: number,
): Content {
  extraction.keep(pages, Number.isFinite(share) ? { ...options, share } : options);
  const content = doc.save(compact(doc));
  const excess = sizeOf(content) - share;
  if (excess <= 0) return content;
  // What was estimated may be wrong by as much.
  extraction.keep(pages, { ...options, share: share - excess, tightFonts: true });
  const smaller = doc.save(compact(doc));
  const [kept, dropped] = sizeOf(smaller) < sizeOf(content) ? [smaller, content] : [content, smaller];
  discard(dropped);
  return kept;
}

export const sizeOf = (content: Content): number =>
  'bytes' in content ? content.bytes.length : statSync(content.path).size;

export function discard(content: Content): void {
  if ('path' in content) rmSync(content.path);
}
