import { rmSync } from 'node:fs';
import { type Content, contentSize } from '../../contract/files.ts';
import { KIB } from '../../contract/limits.ts';
import type { QpdfDocument } from '../../engines/qpdf/qpdf-document.ts';
import type { SaveOptions } from '../../engines/qpdf/write.ts';
import type { Ref } from '../../pdf/objects.ts';
import type { PageExtraction, PartOptions } from '../../pdf/pages/page-extraction.ts';

/**
 * What is left of a document after pages went is written compactly: its rebuilt trees would stand outside the
 * object streams it came with. One that came without any stays so, as readers of the versions before 1.5 need it.
 */
export const compact = (doc: QpdfDocument): SaveOptions =>
  Number(doc.headerVersion) >= 1.5 && doc.mayBePacked ? { objectStreams: 'generate' } : {};

/** "The sum of parts stays within 1.2 times the source plus 20 KB per part". */
const bound = (sourceBytes: number, parts: number): number => 1.2 * sourceBytes + parts * 20 * KIB;

export interface Part {
  pages: readonly Ref[];
  options: PartOptions;
}

/**
 * The parts a document is split into. Each has its share of what they may take together, and what those before it left
 * over: within that, its fonts stay whole. Where some take more, whatever they hold, others are written again with less.
 */
export function saveParts(
  doc: QpdfDocument,
  extraction: PageExtraction,
  parts: readonly Part[],
  sourceBytes: number,
): Content[] {
  let left = bound(sourceBytes, parts.length);
  const share = left / parts.length;
  const sizes: number[] = [];
  const contents = parts.map((part, index) => {
    const content = savePart(doc, extraction, part, left - share * (parts.length - index - 1));
    sizes[index] = contentSize(content);
    left -= contentSize(content);
    return content;
  });
  if (left >= 0) return contents;
  const bySize = [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (const index of bySize) {
    const [part, content] = [parts[index], contents[index]];
    if (left >= 0 || !part || !content) break;
    const made = smaller(content, savePart(doc, extraction, part, 0));
    contents[index] = made;
    left += (sizes[index] ?? 0) - contentSize(made);
  }
  return contents;
}

/** Without a share fonts keep only the glyphs that the part shows. */
export function savePart(
  doc: QpdfDocument,
  extraction: PageExtraction,
  { pages, options }: Part,
  share?: number,
): Content {
  extraction.keep(pages, share === undefined ? options : { ...options, share: Math.max(0, share) });
  const content = doc.save(compact(doc));
  if (share === undefined || contentSize(content) <= share || doc.weight() !== undefined) return content;
  // Nobody could tell before how large it would be.
  extraction.keep(pages, { ...options, tightFonts: true });
  return smaller(content, doc.save(compact(doc)));
}

function smaller(one: Content, other: Content): Content {
  const [kept, dropped] = contentSize(other) < contentSize(one) ? [other, one] : [one, other];
  discard(dropped);
  return kept;
}

export function discard(content: Content): void {
  if ('path' in content) rmSync(content.path);
}
