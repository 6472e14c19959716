// Documents made PDF/A, for the operations that offer it.
import type { Content } from '../contract/files.ts';
import type { Log } from '../contract/log.ts';
import { invalidParameter, Problem } from '../contract/problems.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import type { Verapdf } from '../engines/verapdf/verapdf.ts';
import { completeAnnotations } from '../pdf/annotations/flatten-pages.ts';
import type { Failure, Verdict } from '../pdf/conformance/check.ts';
import { type PdfaPart, type Standard, standardOf } from '../pdf/conformance/standards.ts';
import { completeAppearances } from '../pdf/forms/fill-form.ts';
import { finishPdfa, prepareForPdfa } from '../pdf/pdfa-conversion/convert-to-pdfa.ts';
import { dropHiddenContent } from '../pdf/pdfa-conversion/hidden-layers.ts';
import { unfitImages } from '../pdf/pdfa-conversion/unfit-images.ts';
import { cmykProfileForScreen, shownProfile } from './cmyk-profile.ts';
import {
  fileOf,
  pagesTold,
  type RepairEngines,
  type Repaired,
  repairConformance,
} from './conformance-repair.ts';
import { unpackImages } from './unpacked-images.ts';
import { examine, validate } from './validation.ts';

export interface PdfaEngines extends RepairEngines {
  verapdf: Verapdf;
}

type Document = ReturnType<Qpdf['open']>;

export interface ConvertedToPdfa {
  content: Content;
  verdict: Verdict;
  /** Pages from which a character is gone. */
  lostText: number[];
}

export interface PdfaOptions {
  standard: Standard;
  pdfUa: boolean;
  /** For a document without one, where a title must be. */
  title: string;
  log: Log;
  /** Hears of pages that are done. */
  progress?(done: number, of: number): void;
}

/** Read, prepared, made, examined and read again. */
const WALKS = 5;

/** The document, changed in place, as PDF/A. The verdict tells whether it conforms. */
export async function convertToPdfa(
  engine: PdfaEngines,
  doc: Document,
  options: PdfaOptions,
): Promise<ConvertedToPdfa> {
  const { standard, log } = options;
  const onPage = pagesTold(doc.pageCount, WALKS, options.progress);
  // Part 1 knows no layers: what is not shown would be seen.
  if (standard.part === 1) dropHiddenContent(doc);
  const made = await repairConformance(engine, doc, {
    name: standard.name,
    log,
    prepare(held) {
      completeAppearances(held, engine.text.layout);
      completeAnnotations(held, engine.text.layout);
      prepareForPdfa(held, standard, engine.text.substitute, onPage);
      unpackImages(engine, held, unfitImages(held, standard));
    },
    finish: (held) => finish(engine, held, options, onPage),
    onPage,
    // Tags would be lost: they are all that level a is about.
    redrawing: standard.level === 'a' ? undefined : { for: redrawnFor(standard), colours: 'RGB' },
  });
  const { content, totalFailures, failures, lostText } = made;
  if (totalFailures === 0) engine.qpdf.confirmClaims(content);
  return {
    content,
    lostText,
    verdict: { standard, compliant: totalFailures === 0, totalFailures, failures },
  };
}

/** The PDF that each part is about. */
const VERSIONS: Readonly<Record<PdfaPart, string>> = { 1: '1.4', 2: '1.7', 3: '1.7', 4: '2.0' };

/** Pages drawn for part 2 are what part 4 asks for, too. */
const redrawnFor = ({ part }: Standard): 1 | 2 | 3 => (part === 1 || part === 3 ? part : 2);

async function finish(
  engine: PdfaEngines,
  doc: Document,
  options: PdfaOptions,
  onPage: () => void,
): Promise<Repaired> {
  const { standard, pdfUa, title } = options;
  finishPdfa(doc, standard, {
    pdfUa,
    title,
    onPage,
    cmykProfile: () => cmykProfileForScreen(engine),
    shownProfile: (profile, components) => shownProfile(engine, profile, components),
  });
  const content = doc.save({
    objectStreams: standard.part === 1 ? 'disable' : 'generate',
    version: VERSIONS[standard.part as PdfaPart],
  });
  const made = fileOf(content);
  const opened = engine.qpdf.open(made);
  const subject = examine(engine, opened, made, onPage);
  const verdict = await validate(engine, subject, made, standard);
  // What is claimed is proven: both standards have to be met.
  const spoken = pdfUa ? await validate(engine, subject, made, standardOf('ua1')) : undefined;
  engine.qpdf.close(opened);
  return {
    content,
    totalFailures: verdict.totalFailures + (spoken?.totalFailures ?? 0),
    failures: [...verdict.failures, ...(spoken?.failures ?? [])],
  };
}

export const CONFORMANCE_HEADER = {
  'X-Conformance-Result': '`valid` or `invalid`: the outcome of validation',
  'X-Lost-Text': 'Pages from which a character is gone, such as `2, 7`; at most 100. Absent where none is',
};

export const conformanceHeaders = (valid: boolean, lostText: readonly number[]): Record<string, string> => ({
  'X-Conformance-Result': valid ? 'valid' : 'invalid',
  ...(lostText.length > 0 ? { 'X-Lost-Text': lostText.slice(0, MOST_PAGES).join(', ') } : {}),
});

const MOST_PAGES = 100;

/** "strict: 400 invalid_parameter naming `strict`, with the failed rules, unless the result validates" */
export function refuseInvalid(target: string, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  throw invalidParameter(
    `strict: the result does not conform to ${target}. Failed rules: ${listed(failures)}`,
  );
}

/** Nothing is named PDF/A that is not: what cannot be made to conform is refused, by the clauses in its way. */
export function refuseNonconforming(target: string, { compliant, failures }: Verdict): void {
  if (compliant) return;
  throw new Problem(
    'conformance_failed',
    `The document cannot be made to conform to ${target}. Failed clauses: ${listed(failures)}`,
  );
}

const MOST_RULES = 10;
const LONGEST_PLACE = 120;

/** Each rule once, with the first place that fails it. */
function listed(failures: readonly Failure[]): string {
  const rules = new Map<string, Failure>();
  for (const each of failures) if (!rules.has(each.ruleId)) rules.set(each.ruleId, each);
  const shown = [...rules.values()].slice(0, MOST_RULES).map(({ ruleId, message, location }) => {
    const place = location === '' ? '' : ` At ${location.slice(0, LONGEST_PLACE)}.`;
    return `${ruleId} (${message}${place})`;
  });
  const more = rules.size > shown.length ? ` and ${rules.size - shown.length} more` : '';
  return `${shown.join(' ')}${more}`;
}
