// Redaction that proves itself: after each pass the result is read again; what is left is attacked harder, and where
// nothing helps no file is returned.
import { type Content, fileInMemory, type InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { PaintedBox } from '../../pdf/redaction/box-drawing.ts';
import { TOUCHED, UNDER } from '../../pdf/redaction/hits.ts';
import { placeWords } from '../../pdf/redaction/outside-pages.ts';
import { padQuad } from '../../pdf/redaction/quads.ts';
import { turnIntoImages } from '../../procedures/image-pages.ts';
import type { MadeArchive, MadeFile, SignReport } from '../define.ts';
import type { RedactedPdf } from './_attached-search.ts';
import {
  ATTACHMENTS_HEADER,
  type AttachmentHandling,
  type HandledAttachments,
  handleAttachments,
  proveAttachments,
} from './_redaction-attachments.ts';
import { checkLanguages, type OcrContext, proveByOcr } from './_redaction-ocr.ts';
import {
  type Attempt,
  type PageBoxes,
  type Passed,
  type RedactionEngines,
  type RedactionRequest,
  redactPass,
} from './_redaction-pass.ts';
import { isClean, type Proof, prove } from './_redaction-proof.ts';
import { type Asked, type Done, factsOf } from './_redaction-report.ts';

export interface RedactionOrder {
  operation: Done['operation'];
  request: RedactionRequest;
  boxes: PageBoxes;
  attachments: AttachmentHandling;
  convertPDFToImage: boolean;
  /** Languages of what is seen on the pages; absent: nobody looks. */
  ocrLanguages?: readonly string[];
  report: boolean;
  /** What the caller asked for, as the report repeats it. */
  asked: Pick<Asked, 'terms' | 'customPadding' | 'wholePages' | 'rectangles'>;
}

export interface RedactionContext extends OcrContext {
  engine: RedactionEngines;
  signReport: SignReport;
  progress(done: number, of: number): void;
}

export const REDACTION_HEADERS = {
  'X-Redaction-Count': 'Boxes drawn plus strings removed',
  [ATTACHMENTS_HEADER]:
    'Of attached files: none, not-searched (their contents were not looked at), searched or removed',
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
  painted: PageBoxes;
  attachments: HandledAttachments;
}

export async function redact(
  context: RedactionContext,
  file: InputFile,
  order: RedactionOrder,
): Promise<MadeFile | MadeArchive> {
  const { engine } = context;
  const { request, ocrLanguages } = order;
  if (ocrLanguages) checkLanguages(engine, ocrLanguages);
  const before = order.report
    ? await prove(engine, file, { request, boxes: order.boxes, seen: await rewriteFile(engine, file) })
    : undefined;
  const redacted = await redactWhole(context, file, order, 0);
  const { content, attachments } = redacted;
  const headers = { 'X-Redaction-Count': String(redacted.count), [ATTACHMENTS_HEADER]: attachments.state };
  if (!before) return { content, headers };
  const facts = await factsOf(engine, {
    ...{ operation: order.operation, request, before, after: redacted.proof, boxes: redacted.painted },
    asked: {
      ...order.asked,
      attachments: order.attachments,
      convertPDFToImage: order.convertPDFToImage,
      verifyByOcr: ocrLanguages !== undefined,
    },
    ...{ input: file, output: file.with(content), attachments },
    removed: { boxes: redacted.boxes, strings: redacted.strings, objects: redacted.touched },
  });
  const suffix = '_redacted';
  return {
    suffix,
    entries: [
      { content, name: `${file.base}${suffix}.pdf`, headers, attested: true },
      {
        content: { bytes: Buffer.from(await context.signReport(facts)) },
        name: 'redaction-report.json',
        kind: 'json',
      },
    ],
  };
}

/** The document and the files it carries, which may be documents again. */
async function redactWhole(
  context: RedactionContext,
  file: InputFile,
  order: RedactionOrder,
  deep: number,
): Promise<Redacted> {
  const { attachments: handling, request } = order;
  const { terms } = request;
  const redactPdf = async (name: string, bytes: Uint8Array, within: number): Promise<RedactedPdf> =>
    redactWhole(context, fileInMemory(name, bytes), forAttached(order), within);
  const tools = { engine: context.engine, redactPdf };
  const attachments = await handleAttachments(tools, file, { handling, terms, deep });
  const redacted = await redactUntilClean(context, attachments.file, order);
  const strings = redacted.strings + attachments.redacted;
  if (attachments.file !== file && attachments.state === 'searched' && terms)
    await proveAttachments(tools, file.with(redacted.content), { terms, deep });
  return { ...redacted, strings, count: redacted.boxes + strings, attachments };
}

/** Of the same terms, wherever they stand in it. */
const forAttached = (order: RedactionOrder): RedactionOrder => ({
  ...order,
  request: { ...order.request, wholePages: new Map() },
  boxes: new Map(),
});

async function redactUntilClean(
  context: RedactionContext,
  file: InputFile,
  { request, boxes, convertPDFToImage, ocrLanguages: languages }: RedactionOrder,
): Promise<Omit<Redacted, 'attachments'>> {
  const { engine, progress } = context;
  // Pages are cleaned and looked through again: half of them each, so that the second half is told, too.
  const cleaning = (done: number, of: number): void => progress(Math.floor(done / 2), of);
  const proving = (done: number, of: number): void => progress(Math.floor((of + done) / 2), of);
  const sum = {
    boxes: countOf(boxes) + request.wholePages.size,
    strings: 0,
    touched: {} as Record<string, number>,
  };
  let attempt: Attempt = { boxes, least: UNDER, widen: 0, pictures: new Set() };
  let current = file;
  let proof: Proof | undefined;
  const seenClean = new Set<number>();
  for (const next of [harder, asPictures, undefined]) {
    const passed = await redactPass(engine, current, request, attempt, cleaning);
    if (passed.unread.length > 0 && !languages) throw unreadLetters(file, passed.unread);
    addUp(sum, passed);
    current = file.with(passed.content);
    const painted = passed.boxes;
    proof = await prove(engine, current, { request, boxes: painted, progress: proving });
    if (languages)
      await proveByOcr(context, current, { request, boxes: painted, languages, proof, clean: seenClean });
    if (isClean(proof)) {
      if (convertPDFToImage) {
        current = await drawAsImages(engine, current);
        const { ocr } = proof;
        proof = { ...(await prove(engine, current, { request, boxes: painted })), ...(ocr ? { ocr } : {}) };
        if (!isClean(proof)) break;
      }
      return { ...sum, content: current.content, count: sum.boxes + sum.strings, proof, painted };
    }
    if (!next) break;
    attempt = next(attempt, passed, proof, request);
    // Those on what only poppler or text recognition reads.
    sum.boxes += countOf(attempt.boxes) - countOf(passed.boxes);
  }
  throw new Problem(
    'redaction_unverified',
    `${file.name} could not be proven clean: ${whatRemains(proof as Proof)}. No file is returned.`,
  );
}

/** Nobody but text recognition can tell whether a term stands there. */
const unreadLetters = (file: InputFile, pages: readonly number[]): Problem =>
  new Problem(
    'redaction_unverified',
    `${file.name} has letters of which its fonts do not say what they mean, and terms may stand among them (page ${pageList(pages)}). No file is returned.`,
    {
      hint: 'Send verifyByOcr, which reads the pages by their looks, or redact the places with security/redact.',
    },
  );

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
    const found = (places.get(page) ?? []).map((quad) => ({ quad: padQuad(quad, WIDER), colour }));
    all.set(page, [...(all.get(page) ?? []), ...found]);
  }
  return all;
}

async function drawAsImages(engine: RedactionEngines, file: InputFile): Promise<InputFile> {
  const doc = engine.qpdf.open(file);
  await turnIntoImages(engine, doc, file.name);
  const content = doc.save();
  engine.qpdf.close(doc);
  return file.with(content);
}

/** As both engines see the same pages. */
async function rewriteFile(engine: RedactionEngines, file: InputFile): Promise<InputFile> {
  const doc = engine.qpdf.open(file);
  const content = doc.save({ keepModificationDate: true });
  engine.qpdf.close(doc);
  return file.with(content);
}

/** Places are named by kind and number, never by what they hold. */
const MAX_NAMED = 10;

function whatRemains({ terms, underBoxes, ocr, isUnread, pages, where: outside }: Proof): string {
  const found = terms.pdfium + terms.content + (terms.poppler ?? 0);
  const parts = [
    ...(found > 0 ? ['terms can still be read'] : []),
    ...(terms.outsidePages > 0
      ? [`terms stand outside the pages: in ${outside.slice(0, MAX_NAMED).map(placeWords).join(', ')}`]
      : []),
    ...(isUnread ? ['the second reader, poppler, could not read all pages of it'] : []),
    ...(ocr && ocr.terms > 0 ? ['terms can be seen'] : []),
    ...(ocr && ocr.underBoxes > 0 ? ['words can be seen under boxes'] : []),
    ...(ocr && ocr.unread.length > 0 ? [`text recognition gave up on page ${pageList(ocr.unread)}`] : []),
    ...(underBoxes.pdfium + underBoxes.content + (underBoxes.poppler ?? 0) > 0
      ? ['text is left under boxes']
      : []),
  ];
  return `${parts.join(' and ')}${pages.size > 0 ? ` (page ${pageList([...pages])})` : ''}`;
}

const pageList = (pages: readonly number[]): string =>
  pages
    .slice(0, MAX_NAMED)
    .map((index) => index + 1)
    .join(', ');
