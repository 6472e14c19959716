import { type Content, InputFile } from '../contract/files.ts';
import type { Log } from '../contract/log.ts';
import type { Ghostscript, Redrawing } from '../engines/ghostscript/ghostscript.ts';
import type { Pdfium } from '../engines/pdfium/pdfium.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import type { Text } from '../engines/text/text.ts';
import type { Failure } from '../pdf/conformance/check.ts';
import type { Subject } from '../pdf/conformance/validation-context.ts';
import { canBeRedrawn, drawingsOf, keepOnlyDrawings, takeDrawings } from '../pdf/pdfa-conversion/drawings.ts';
import { dropHiddenContent } from '../pdf/pdfa-conversion/hidden-layers.ts';
import { repairToUnicode } from '../pdf/pdfa-conversion/redrawn-fonts.ts';
import { lostText, type Reading, readingOf } from './kept-text.ts';
import { examine } from './validation.ts';

export interface RepairEngines {
  qpdf: Qpdf;
  ghostscript: Ghostscript;
  text: Text;
  pdfium: Pdfium;
}

type Document = ReturnType<Qpdf['open']>;

export interface Repaired {
  content: Content;
  totalFailures: number;
  /** Some of them, where there are many. */
  failures: Failure[];
}

/** A document that lost text may still conform: the two are told apart. */
export interface ReadAgain extends Repaired {
  /** Pages from which a character is gone. */
  lostText: number[];
}

export interface Aim {
  /** PDF/A-2b */
  name: string;
  log: Log;
  /** What must be gone before pages are looked at. */
  prepare(doc: Document): void;
  /** The rest: written and held against the standard. */
  finish(doc: Document): Promise<Repaired>;
  /** How pages are drawn anew; undefined where they must not be. */
  redrawing: Redrawing | undefined;
  /** Hears of each page that is read, before and afterwards. */
  onPage?(): void;
}

export async function repairConformance(engine: RepairEngines, doc: Document, aim: Aim): Promise<ReadAgain> {
  const { log, redrawing } = aim;
  const before = readingOf(engine.pdfium, fileOf(doc.save({ keepModificationDate: true })), aim.onPage);
  aim.prepare(doc);
  const prepared = doc.save();
  const mended = readAgain(engine, await aim.finish(doc), before, aim.onPage);
  const redrawn =
    faultsOf(mended) > 0 && redrawing
      ? await redraw(engine, { prepared: fileOf(prepared), reading: before, mended }, { ...aim, redrawing })
      : undefined;
  const chosen = redrawn && faultsOf(redrawn) < faultsOf(mended) ? redrawn : mended;
  const { lostText: lost } = chosen;
  if (lost.length > 0) log.warn('text was lost in making a document conform', { target: aim.name, lost });
  return chosen;
}

/** What another way of making it is held against. */
const faultsOf = ({ totalFailures, lostText: lost }: ReadAgain): number => totalFailures + lost.length;

const readAgain = (
  { pdfium }: RepairEngines,
  made: Repaired,
  before: Reading,
  onPage?: () => void,
): ReadAgain => ({
  ...made,
  lostText: lostText(before, readingOf(pdfium, fileOf(made.content), onPage)),
});

/** Pages of a document that is gone through so often, told as if it were once; where it takes more, the last stays. */
export function pagesTold(
  pages: number,
  walks: number,
  progress: (done: number, of: number) => void = () => {},
): () => void {
  let walked = 0;
  return () => {
    walked += 1;
    progress(Math.min(pages, Math.ceil(walked / walks)), pages);
  };
}

interface Original {
  prepared: InputFile;
  reading: Reading;
  mended: ReadAgain;
}

async function redraw(
  engine: RepairEngines,
  original: Original,
  aim: Aim & { redrawing: Redrawing },
): Promise<ReadAgain | undefined> {
  const { prepared, mended } = original;
  const doc = engine.qpdf.open(prepared);
  const subject = examine(engine, doc, prepared);
  const parts = canBeRedrawn(subject) ? transparentParts(subject, mended) : undefined;
  // What is examined is read from the document when it is asked for: nothing is asked from here on.
  engine.qpdf.close(doc);
  if (!parts) return undefined;
  aim.log.info(`drawn anew for ${aim.name}`, {
    rules: [...new Set(mended.failures.map(({ ruleId }) => ruleId))],
  });
  for (const some of parts) {
    const made = await redrawPages(engine, original, aim, some);
    if (made && faultsOf(made) === 0) return made;
  }
  return redrawPages(engine, original, aim);
}

/** Where nothing but transparency is wrong: appearances alone, or these pages; those without any stay as they are. */
function transparentParts({ drawn, doc }: Subject, mended: ReadAgain): ReadonlySet<number>[] {
  const { failures, lostText: lost } = mended;
  const pages = drawn.transparentPages;
  if (lost.length > 0 || !failures.every(({ ruleId }) => TRANSPARENCY.test(ruleId))) return [];
  const isInAppearances = failures.every(({ location }) => location.includes(', appearance of '));
  return [
    ...(isInAppearances ? [new Set<number>()] : []),
    ...(pages.size > 0 && pages.size < doc.pageCount ? [pages] : []),
  ];
}

/** The clause of part 1 that forbids it. */
const TRANSPARENCY = /^6\.4-/;

async function redrawPages(
  engine: RepairEngines,
  { prepared, reading }: Original,
  { redrawing, finish }: Aim & { redrawing: Redrawing },
  some?: ReadonlySet<number>,
): Promise<ReadAgain | undefined> {
  const [doc, copy] = [engine.qpdf.open(prepared), engine.qpdf.open(prepared)];
  // Layers become part of the drawing; what they hid is no text that could be lost.
  const hadHidden = [doc, copy].map(dropHiddenContent).includes(true);
  const shown = hadHidden ? readingOf(engine.pdfium, fileOf(doc.save())) : reading;
  const drawings = drawingsOf(doc, some);
  keepOnlyDrawings(copy, drawings);
  const made = await engine.ghostscript.redraw(copy.save({ keepModificationDate: true }), redrawing);
  engine.qpdf.close(copy);
  if (!made) return undefined;
  const drawn = engine.qpdf.open(fileOf(made));
  repairToUnicode(drawn);
  if (!takeDrawings(doc, drawn, drawings)) return undefined;
  const finished = await finish(doc);
  if (!looksAlike(engine.pdfium, prepared, fileOf(finished.content))) return undefined;
  return readAgain(engine, finished, shown);
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

/** A result of ours as a document to be opened. */
export const fileOf = (content: Content): InputFile => new InputFile('result.pdf', content, 'result');
