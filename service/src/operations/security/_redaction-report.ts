// The facts of a redaction for its report: nothing that went stands in it, not even by what it is called.
import { createHash, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Content, contentSize, type InputFile } from '../../contract/files.ts';
import {
  MOST_PLACES,
  type ReportCheck,
  type ReportFacts,
  type ReportPlace,
} from '../../contract/redaction-report.ts';
import type { PdfDocument } from '../../pdf/document.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { boxThrough } from '../../pdf/geometry/matrix.ts';
import type { Ref } from '../../pdf/objects.ts';
import { cleanText } from '../../pdf/redaction/clean-text.ts';
import { boundsOf, type Quad } from '../../pdf/redaction/quads.ts';
import type { Terms } from '../../pdf/redaction/terms.ts';
import type { HandledAttachments } from './_redaction-attachments.ts';
import type { PageBoxes, RedactionEngines, RedactionRequest } from './_redaction-pass.ts';
import type { Proof } from './_redaction-proof.ts';

export type Asked = ReportFacts['asked'];

export interface Done {
  operation: ReportFacts['operation'];
  asked: Asked;
  request: RedactionRequest;
  input: InputFile;
  output: InputFile;
  before: Proof;
  after: Proof;
  boxes: PageBoxes;
  removed: ReportFacts['removed'];
  attachments: HandledAttachments;
}

export async function factsOf(engine: RedactionEngines, done: Done): Promise<ReportFacts> {
  const doc = engine.qpdf.open(done.output);
  const places = [...placesOnPages(doc, done), ...done.before.where];
  const pages = doc.pageCount;
  engine.qpdf.close(doc);
  const { before, attachments } = done;
  return {
    operation: done.operation,
    input: {
      name: shownName(done.input.name, done.request.terms),
      ...(await identityOf(done.input.content)),
      pages,
    },
    output: { ...(await identityOf(done.output.content)), pages },
    asked: done.asked,
    found: {
      terms: readingsOf(before.terms),
      underBoxes: readingsOf(before.underBoxes),
      outsidePages: before.terms.outsidePages,
      places: places.slice(0, MOST_PLACES),
      omitted: Math.max(0, places.length - MOST_PLACES),
    },
    removed: done.removed,
    attachments: { searched: attachments.state !== 'not-searched', files: attachments.files },
    verification: { checks: await withVersions(engine, checksOf(done)) },
  };
}

/** HMAC-SHA-256 of each term: who has the secret and a term can tell that it was asked for, and nobody else. */
export const termHashes = (terms: readonly string[], secret: string): string[] =>
  terms.map((term) => createHmac('sha256', secret).update(term, 'utf8').digest('hex'));

const readingsOf = ({ pdfium, content, poppler }: Proof['underBoxes']): ReportFacts['found']['terms'] => ({
  pdfium,
  content,
  poppler,
});

const shownName = (name: string, terms: Terms | undefined): string =>
  ((terms && cleanText(name, terms)) ?? name).slice(0, 1024);

function placesOnPages(doc: PdfDocument, { request, boxes }: Done): ReportPlace[] {
  const refs = doc.pages();
  const whole = [...request.wholePages.keys()].map(
    (index): ReportPlace => ({ kind: 'page', page: index + 1 }),
  );
  const covered = [...boxes].flatMap(([index, list]) =>
    list.map(
      ({ quad }): ReportPlace => ({
        kind: 'page',
        page: index + 1,
        box: displayedBox(doc, refs[index] as Ref, quad),
      }),
    ),
  );
  return [...whole, ...covered].sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
}

const roundLength = (length: number): number => Math.round(length * 100) / 100;

function displayedBox(doc: PdfDocument, ref: Ref, quad: Quad): [number, number, number, number] {
  const { matrix, height } = displayedPage(doc, ref);
  const { left, right, top, bottom } = boxThrough(matrix, boundsOf(quad));
  return [roundLength(left), roundLength(height - top), roundLength(right - left), roundLength(top - bottom)];
}

/** The result is returned only where each check that was run found nothing. */
function checksOf({ request, after, attachments, asked, boxes }: Done): ReportCheck[] {
  const checks: ReportCheck[] = [];
  const add = (check: ReportCheck['check'], reader: string, isRun: boolean, note: string): void => {
    checks.push({ check, reader, ...(isRun ? { result: 'clean' } : { result: 'not-run', note }) });
  };
  const isCovered = boxes.size + request.wholePages.size > 0;
  if (request.terms) {
    add('text', 'pdfium', true, '');
    add('text', 'content', true, '');
    add('text', 'poppler', after.terms.poppler !== null, 'not installed');
    add('objects', 'content', true, '');
  }
  for (const reader of ['pdfium', 'content'] as const) if (isCovered) add('under-boxes', reader, true, '');
  if (isCovered) add('under-boxes', 'poppler', after.underBoxes.poppler !== null, 'not installed');
  add('ocr', 'tesseract', asked.verifyByOcr, 'verifyByOcr was not asked for');
  if (attachments.state !== 'none')
    add(
      'attachments',
      'content',
      attachments.state !== 'not-searched',
      asked.attachments === 'keep' ? 'attachments=keep' : 'there are no terms to look for',
    );
  return checks;
}

/** Programs are asked; what is in process tells its version when a worker starts. */
async function withVersions(
  { poppler, tesseract }: RedactionEngines,
  checks: readonly ReportCheck[],
): Promise<ReportCheck[]> {
  const asked = checks.filter(({ result }) => result === 'clean').map(({ reader }) => reader);
  const versions: Record<string, string | undefined> = {
    poppler: asked.includes('poppler') ? await poppler.version() : undefined,
    tesseract: asked.includes('tesseract') ? await tesseract.version() : undefined,
  };
  return checks.map((check) => {
    const version = versions[check.reader];
    return version === undefined || check.result !== 'clean' ? check : { ...check, version };
  });
}

async function identityOf(content: Content): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  if ('bytes' in content) hash.update(content.bytes);
  else for await (const chunk of createReadStream(content.path)) hash.update(chunk as Buffer);
  return { sha256: hash.digest('hex'), bytes: contentSize(content) };
}
