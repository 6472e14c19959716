// Documents made PDF/X-3, for printing presses: everything drawn anew in the colours of the press.
import type { Content } from '../contract/files.ts';
import { Problem } from '../contract/problems.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import { flattenAnnotations } from '../pdf/annotations/flatten-pages.ts';
import { drawingsOf, keepOnlyDrawings, takeDrawings } from '../pdf/archiving/drawings.ts';
import { checkForPress, finishForPress, PRESS, prepareForPress } from '../pdf/archiving/press.ts';
import { mendToUnicode } from '../pdf/archiving/redrawn-fonts.ts';
import type { Failure } from '../pdf/conformance/check.ts';
import { completeAppearances } from '../pdf/forms/fill-form.ts';
import { type ArchiveEngines, fileOf } from './archiving.ts';
import { examine } from './conformance.ts';

type Document = ReturnType<Qpdf['open']>;

export async function forPress(
  engine: Omit<ArchiveEngines, 'verapdf' | 'pdfium'>,
  doc: Document,
  title: string,
): Promise<{ content: Content; failures: Failure[] }> {
  completeAppearances(doc, engine.text.layout);
  flattenAnnotations(doc, engine.text.layout);
  const flat = fileOf(doc.save());
  const base = engine.qpdf.open(flat);
  prepareForPress(base, examine(engine, base, flat), engine.text.substitute);
  const prepared = fileOf(base.save());
  const target = engine.qpdf.open(prepared);
  const copy = engine.qpdf.open(prepared);
  const drawings = drawingsOf(target);
  keepOnlyDrawings(copy, drawings);
  const made = await engine.ghostscript.redraw(copy.save({ keepModificationDate: true }), {
    for: 'press',
    colours: 'CMYK',
  });
  if (!made)
    throw new Problem('invalid_pdf', 'The pages could not be drawn in the colours of a printing press.');
  const drawn = engine.qpdf.open(fileOf(made));
  mendToUnicode(drawn);
  if (!takeDrawings(target, drawn, drawings))
    throw new Problem('invalid_pdf', 'The pages could not be drawn in the colours of a printing press.');
  finishForPress(target, title);
  const content = target.save({ objectStreams: 'disable', version: '1.3' });
  const result = fileOf(content);
  return { content, failures: checkForPress(examine(engine, engine.qpdf.open(result), result)) };
}

export const pressName = PRESS.name;
