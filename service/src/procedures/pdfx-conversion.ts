// Documents made PDF/X-4, for printing presses.
import type { Content } from '../contract/files.ts';
import type { Log } from '../contract/log.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import { flattenAnnotations } from '../pdf/annotations/flatten-pages.ts';
import type { Failure } from '../pdf/conformance/check.ts';
import { completeAppearances } from '../pdf/forms/fill-form.ts';
import { unfitImages } from '../pdf/pdfa-conversion/unfit-images.ts';
import { finishForPress, LIKE_PRESS, PRESS, prepareForPress } from '../pdf/pdfx/pdfx.ts';
import { checkForPress } from '../pdf/pdfx/pdfx-checks.ts';
import { cmykProfileForPress, cmykProfileForScreen, shownProfile } from './cmyk-profile.ts';
import {
  fileOf,
  pagesTold,
  type RepairEngines,
  type Repaired,
  repairConformance,
} from './conformance-repair.ts';
import { unpackImages } from './unpacked-images.ts';
import { examine } from './validation.ts';

type Document = ReturnType<Qpdf['open']>;

/** Read, examined when it is made, and read again. */
const WALKS = 3;

/** The document, changed in place, as PDF/X-4. It conforms where nothing failed. */
export async function convertToPdfx(
  engine: RepairEngines,
  doc: Document,
  { title, log, progress }: { title: string; log: Log; progress?(done: number, of: number): void },
): Promise<{ content: Content; failures: Failure[]; lostText: number[] }> {
  const onPage = pagesTold(doc.pageCount, WALKS, progress);
  const made = await repairConformance(engine, doc, {
    name: PRESS.name,
    log,
    prepare(held) {
      completeAppearances(held, engine.text.layout);
      flattenAnnotations(held, engine.text.layout);
      prepareForPress(held, engine.text.substitute);
      unpackImages(engine, held, unfitImages(held, LIKE_PRESS));
    },
    finish: async (held) => finish(engine, held, title, onPage),
    onPage,
    redrawing: { for: 'press', colours: 'asTheyAre' },
  });
  if (made.totalFailures === 0) engine.qpdf.confirmClaims(made.content);
  return made;
}

function finish(engine: RepairEngines, doc: Document, title: string, onPage: () => void): Repaired {
  finishForPress(doc, {
    title,
    pressProfile: () => cmykProfileForPress(engine),
    cmykProfile: () => cmykProfileForScreen(engine),
    shownProfile: (profile, components) => shownProfile(engine, profile, components),
  });
  const content = doc.save({ objectStreams: 'generate', version: '1.6' });
  const file = fileOf(content);
  const made = engine.qpdf.open(file);
  const failures = checkForPress(examine(engine, made, file, onPage));
  engine.qpdf.close(made);
  return { content, failures, totalFailures: failures.length };
}

export const pressName = PRESS.name;
