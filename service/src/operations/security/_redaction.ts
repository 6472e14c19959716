// Redaction that proves itself: after each pass the result is read again; what is left is attacked harder, and where
// nothing helps no file is returned.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Content, InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { PaintedBox } from '../../pdf/redaction/box-drawing.ts';
import { TOUCHED, UNDER } from '../../pdf/redaction/hits.ts';
import { padded } from '../../pdf/redaction/quads.ts';
import { turnIntoImages } from '../../procedures/image-pages.ts';
import type { MadeArchive, MadeFile } from '../define.ts';
import {
  type Attempt,
  type PageBoxes,
  type Passed,
  type RedactionEngines,
  type RedactionRequest,
  redactPass,
} from './_redaction-pass.ts';
import { type Findings, isClean, type Proof, prove } from './_redaction-proof.ts';

export interface RedactionOrder {
  request: RedactionRequest;
  boxes: PageBoxes;
  convertPDFToImage: boolean;
  report: boolean;
  /** What the caller asked for, as the report repeats it. */
  targets: unknown;
}

export const REDACTION_HEADERS = {
  'X-Redaction-Count': 'Boxes drawn plus strings removed',
};

/** Boxes on what is left are this much wider, in points. */
const WIDER = 1;

interface Redacted {
  content: Content;
  count: number;
  boxes: number;
  strings: number;
  touched: Record<string, number>;
  proof: Proof;
}

export async function redact(
  engine: RedactionEngines,
  file: InputFile,
  order: RedactionOrder,
): Promise<MadeFile | MadeArchive> {
  const before = order.report
    ? await prove(engine, await rewritten(engine, file), order.request, order.boxes)
    : undefined;
  const redacted = await redactUntilClean(engine, file, order);
  const { content } = redacted;
  const headers = { 'X-Redaction-Count': String(redacted.count) };
  if (!before) return { content, headers };
  const report = {
    document: file.name,
    targets: order.targets,
    hits: { before: hitsOf(before), after: hitsOf(redacted.proof) },
    boxes: redacted.boxes,
    strings: redacted.strings,
    objectsTouched: redacted.touched,
    sha256: { document: await sha256(file.content), result: await sha256(content) },
  };
  const suffix = '_redacted';
  return {
    suffix,
    entries: [
      { content, name: `${file.base}${suffix}.pdf`, headers },
      {
        content: { bytes: Buffer.from(`${JSON.stringify(report, null, 2)}\n`) },
        name: 'redaction-report.json',
        kind: 'json',
      },
    ],
  };
}

const hitsOf = ({
  terms,
  underBoxes,
  where,
}: Proof): { terms: Findings; underBoxes: Proof['underBoxes']; outsidePages: string[] } => ({
  terms,
  underBoxes,
  outsidePages: where.slice(0, MAX_REPORTED),
});

async function redactUntilClean(
  engine: RedactionEngines,
  file: InputFile,
  { request, boxes, convertPDFToImage }: RedactionOrder,
): Promise<Redacted> {
  const sum = {
    boxes: countOf(boxes) + request.wholePages.size,
    strings: 0,
    touched: {} as Record<string, number>,
  };
  let attempt: Attempt = { boxes, least: UNDER, widen: 0, pictures: new Set() };
  let current = file;
  let proof: Proof | undefined;
  for (const next of [harder, asPictures, undefined]) {
    const passed = await redactPass(engine, current, request, attempt);
    addUp(sum, passed);
    current = file.with(passed.content);
    proof = await prove(engine, current, request, passed.boxes);
    if (isClean(proof)) {
      if (convertPDFToImage) {
        current = await pictured(engine, current);
        proof = await prove(engine, current, request, passed.boxes);
        if (!isClean(proof)) break;
      }
      return { ...sum, content: current.content, count: sum.boxes + sum.strings, proof };
    }
    if (!next) break;
    attempt = next(attempt, passed, proof, request);
    // Those on what only poppler reads.
    sum.boxes += countOf(attempt.boxes) - countOf(passed.boxes);
  }
  throw new Problem(
    'redaction_unverified',
    `${file.name} could not be proven clean: ${leftIn(proof as Proof)}. No file is returned.`,
  );
}

const countOf = (boxes: PageBoxes): number => [...boxes.values()].reduce((sum, list) => sum + list.length, 0);

function addUp(
  sum: { boxes: number; strings: number; touched: Record<string, number> },
  { added, strings, touched }: Passed,
): void {
  sum.boxes += added;
  sum.strings += strings;
  for (const [what, count] of Object.entries(touched)) sum.touched[what] = (sum.touched[what] ?? 0) + count;
}

type Next = (attempt: Attempt, passed: Passed, proof: Proof, request: RedactionRequest) => Attempt;

/** Whatever a box touches goes, boxes are wider, and words that only poppler reads are covered. */
const harder: Next = (_, passed, proof, request) => ({
  boxes: withPlaces(passed.boxes, proof, request.colour),
  least: TOUCHED,
  widen: WIDER,
  pictures: passed.pictures,
});

const asPictures: Next = (attempt, passed, proof, request) => ({
  ...attempt,
  boxes: withPlaces(passed.boxes, proof, request.colour),
  pictures: new Set([...passed.pictures, ...proof.pages]),
});

function withPlaces(boxes: PageBoxes, { pages, places }: Proof, colour: string): PageBoxes {
  const all = new Map<number, PaintedBox[]>([...boxes].map(([page, list]) => [page, [...list]]));
  for (const page of pages) {
    const found = (places.get(page) ?? []).map((quad) => ({ quad: padded(quad, WIDER), colour }));
    all.set(page, [...(all.get(page) ?? []), ...found]);
  }
  return all;
}

async function pictured(engine: RedactionEngines, file: InputFile): Promise<InputFile> {
  const doc = engine.qpdf.open(file);
  await turnIntoImages(engine, doc, file.name);
  const content = doc.save();
  engine.qpdf.close(doc);
  return file.with(content);
}

/** As both engines see the same pages. */
async function rewritten(engine: RedactionEngines, file: InputFile): Promise<InputFile> {
  const doc = engine.qpdf.open(file);
  const content = doc.save({ keepModificationDate: true });
  engine.qpdf.close(doc);
  return file.with(content);
}

/** Places are named by kind and number, never by what they hold. */
const MAX_NAMED = 10;
const MAX_REPORTED = 1000;

function leftIn({ terms, underBoxes, pages, where: outside }: Proof): string {
  const found = terms.pdfium + terms.content + (terms.poppler ?? 0);
  const parts = [
    ...(found > 0 ? ['terms can still be read'] : []),
    ...(terms.outsidePages > 0
      ? [`terms stand outside the pages: in ${outside.slice(0, MAX_NAMED).join(', ')}`]
      : []),
    ...(underBoxes.pdfium + underBoxes.content + (underBoxes.poppler ?? 0) > 0
      ? ['text is left under boxes']
      : []),
  ];
  const where = [...pages].slice(0, MAX_NAMED).map((index) => index + 1);
  return `${parts.join(' and ')}${where.length > 0 ? ` (page ${where.join(', ')})` : ''}`;
}

async function sha256(content: Content): Promise<string> {
  const hash = createHash('sha256');
  if ('bytes' in content) hash.update(content.bytes);
  else for await (const chunk of createReadStream(content.path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
