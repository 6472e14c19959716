// Documents made PDF/A, for the operations that offer it: first mended as they are, then, where that is not enough,
// with what they draw drawn anew by Ghostscript.
import { readFileSync, statSync } from 'node:fs';
import type { Content, InputFile } from '../contract/files.ts';
import type { Log } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { Ghostscript } from '../engines/ghostscript/ghostscript.ts';
import type { Pdfium } from '../engines/pdfium/pdfium.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import type { Text } from '../engines/text/text.ts';
import { completeAnnotations } from '../pdf/annotations/flatten-pages.ts';
import { finishForArchive, prepareForArchive } from '../pdf/archiving/archive.ts';
import { canBeRedrawn, drawingsOf, keepOnlyDrawings, takeDrawings } from '../pdf/archiving/drawings.ts';
import { mendToUnicode } from '../pdf/archiving/redrawn-fonts.ts';
import { unfitImages } from '../pdf/archiving/unfit-images.ts';
import type { Failure, Verdict } from '../pdf/conformance/check.ts';
import { type Standard, standardOf } from '../pdf/conformance/standards.ts';
import { completeAppearances } from '../pdf/forms/fill-form.ts';
import { shownCmyk } from './cmyk-look.ts';
import { type Checkers, examine, judge } from './conformance.ts';
import { unpackImages } from './unpacked-images.ts';

export interface ArchiveEngines extends Checkers {
  ghostscript: Ghostscript;
  text: Text;
  pdfium: Pdfium;
}

type Document = ReturnType<Qpdf['open']>;

export interface Archived {
  content: Content;
  verdict: Verdict;
}

export interface ArchiveOptions {
  standard: Standard;
  pdfUa: boolean;
  /** For a document without one, where a title must be. */
  title: string;
  log: Log;
}

/** The document, changed in place, as PDF/A. The verdict tells whether it conforms. */
export async function archive(
  engine: ArchiveEngines,
  doc: Document,
  options: ArchiveOptions,
): Promise<Archived> {
  const { standard, log } = options;
  completeAppearances(doc, engine.text.layout);
  completeAnnotations(doc, engine.text.layout);
  prepareForArchive(doc, standard, engine.text.substitute);
  unpackImages(engine, doc, unfitImages(doc, standard));
  const prepared = doc.save();
  const mended = await finish(engine, doc, options);
  // Tags would be lost: they are all that level a is about.
  if (mended.verdict.compliant || standard.level === 'a') return mended;
  log.info('drawn anew for PDF/A', { rules: rulesOf(mended.verdict) });
  const redrawn = await redraw(engine, prepared, options);
  return redrawn && redrawn.verdict.totalFailures < mended.verdict.totalFailures ? redrawn : mended;
}

async function finish(engine: ArchiveEngines, doc: Document, options: ArchiveOptions): Promise<Archived> {
  const { standard, pdfUa, title } = options;
  finishForArchive(doc, standard, { pdfUa, title, cmykProfile: () => shownCmyk(engine) });
  const content = doc.save(
    standard.part === 1
      ? { objectStreams: 'disable', version: '1.4' }
      : { objectStreams: 'generate', version: '1.7' },
  );
  const made = fileOf(content);
  const opened = engine.qpdf.open(made);
  const subject = examine(engine, opened, made);
  const verdict = await judge(engine, subject, made, standard);
  // What is claimed is proven: both standards have to be met.
  const spoken = pdfUa ? await judge(engine, subject, made, standardOf('ua1')) : undefined;
  engine.qpdf.close(opened);
  return { content, verdict: spoken ? both(verdict, spoken) : verdict };
}

const both = (one: Verdict, other: Verdict): Verdict => ({
  standard: one.standard,
  compliant: one.compliant && other.compliant,
  totalFailures: one.totalFailures + other.totalFailures,
  failures: [...one.failures, ...other.failures],
});

async function redraw(
  engine: ArchiveEngines,
  prepared: Content,
  options: ArchiveOptions,
): Promise<Archived | undefined> {
  const file = fileOf(prepared);
  const doc = engine.qpdf.open(file);
  if (!canBeRedrawn(examine(engine, doc, file))) return undefined;
  const copy = engine.qpdf.open(file);
  const drawings = drawingsOf(doc);
  keepOnlyDrawings(copy, drawings);
  const made = await engine.ghostscript.redraw(copy.save({ keepModificationDate: true }), {
    for: options.standard.part as 1 | 2 | 3,
    colours: 'RGB',
  });
  engine.qpdf.close(copy);
  if (!made) return undefined;
  const drawn = engine.qpdf.open(fileOf(made));
  mendToUnicode(drawn);
  if (!takeDrawings(doc, drawn, drawings)) return undefined;
  const archived = await finish(engine, doc, options);
  return looksAlike(engine.pdfium, file, fileOf(archived.content)) ? archived : undefined;
}

/** Pages that are looked at; more would take as long as the conversion itself. */
const LOOKED_AT = 12;
const DPI = 36;
/** Colours change a little where they are converted; what changes this much on this part of a page was not drawn. */
const DIFFERENT = 90;
const MOST_DIFFERENT = 0.2;

/** Whether pages that were drawn anew still show what they showed. */
function looksAlike(pdfium: Pdfium, before: InputFile, after: InputFile): boolean {
  using old = pdfium.open(before);
  using made = pdfium.open(after);
  const pages = Math.min(old.pageCount, LOOKED_AT);
  for (let index = 0; index < pages; index += 1) {
    const [a, b] = [old, made].map((view) => view.render(index, { dpi: DPI, maxPixels: 1_000_000 }));
    if (!a || !b || a.width !== b.width || a.height !== b.height) return false;
    let different = 0;
    for (let at = 0; at < a.rgba.length; at += 4)
      if (Math.abs(brightness(a.rgba, at) - brightness(b.rgba, at)) > DIFFERENT) different += 1;
    if (different > a.width * a.height * MOST_DIFFERENT) return false;
  }
  return true;
}

const brightness = (rgba: Uint8Array, at: number): number =>
  ((rgba[at] ?? 0) * 30 + (rgba[at + 1] ?? 0) * 59 + (rgba[at + 2] ?? 0) * 11) / 100;

export const CONFORMANCE_HEADER = {
  'X-Conformance-Result': '`valid` or `invalid`: the outcome of validation',
};

export const conformanceHeader = (valid: boolean): Record<string, string> => ({
  'X-Conformance-Result': valid ? 'valid' : 'invalid',
});

const rulesOf = ({ failures }: Verdict): string[] => [...new Set(failures.map(({ ruleId }) => ruleId))];

/** "strict: 400 invalid_parameter naming `strict`, with the failed rules, unless the result validates" */
export function refuseInvalid(target: string, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  const rules = new Map(failures.map(({ ruleId, message }) => [ruleId, message]));
  const listed = [...rules].slice(0, 10).map(([rule, message]) => `${rule} (${message})`);
  const more = rules.size > listed.length ? ` and ${rules.size - listed.length} more` : '';
  throw new Problem(
    'invalid_parameter',
    `strict: the result does not conform to ${target}. Failed rules: ${listed.join(' ')}${more}`,
  );
}

/** A result of ours as a document to be opened. */
export function fileOf(content: Content): InputFile {
  const bytes = (): Uint8Array => ('bytes' in content ? content.bytes : readFileSync(content.path));
  return {
    name: 'result.pdf',
    base: 'result',
    size: 'bytes' in content ? content.bytes.length : statSync(content.path).size,
    content,
    head: () => bytes().subarray(0, 4096),
    bytes,
  };
}
