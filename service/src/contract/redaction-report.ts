// The redaction report, version 1: what was asked, found, removed and verified. The worker states the facts; the API
// process adds who says so and when, and signs. It never holds a term.
import { z } from 'zod';
import { listOf, recordOf } from './bounded-schema.ts';

export const REPORT_VERSION = 1;
export const REPORT_TYPE = 'bindery-redaction-report';

/** More places are counted, not listed. */
export const MOST_PLACES = 5000;
const MOST_PAGES = 1_000_000;
const MOST_FILES = 20_000;

const count = z.int().min(0);
const page = z.int().min(1).max(MOST_PAGES);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const coordinate = z.number().min(-1e7).max(1e7);
const word = z.string().max(200);

const box = z
  .tuple([coordinate, coordinate, coordinate, coordinate])
  .describe('x, y, width and height in points, from the top left of the page as displayed.');

const file = z.object({
  name: z.string().max(1024).optional().describe('The name, terms in it replaced.'),
  sha256: hash.describe('SHA-256 of the file, in hexadecimal.'),
  bytes: count.describe('Size in bytes.'),
  pages: count,
});

const asked = z.object({
  terms: z
    .object({
      count: count.describe('How many terms.'),
      useRegex: z.boolean(),
      wholeWordSearch: z.boolean(),
      hmac: listOf(hash, { max: 1000 })
        .optional()
        .describe(
          'HMAC-SHA-256 of each term under the reportSecret of the call; absent where none was given.',
        ),
    })
    .optional()
    .describe('Of security/auto-redact. The terms themselves are not told.'),
  customPadding: z.number().min(0).max(100).optional(),
  wholePages: listOf(page, { max: MOST_PAGES }).optional().describe('Of security/redact.'),
  rectangles: listOf(z.object({ page, box }), { max: 10_000 }).optional().describe('Of security/redact.'),
  attachments: z.enum(['keep', 'search', 'remove']).describe('What was to be done with attached files.'),
  convertPDFToImage: z.boolean(),
  verifyByOcr: z.boolean(),
});

const place = z.object({
  kind: z
    .enum(['page', 'string', 'name', 'data', 'drawing', 'attachment'])
    .describe(
      'A box on a page; a string, a name, the data or the drawing of an object outside the pages; an attached file.',
    ),
  page: page.optional(),
  box: box.optional(),
  object: count.optional().describe('Number of the object in the input; absent for the trailer.'),
  of: listOf(word, { max: 2 }).optional().describe('Type and subtype of the object.'),
  file: z.int().min(1).optional().describe('Number of the attached file in attachments.files.'),
});

const attached = z.object({
  name: z.string().max(1024).describe('The name, terms in it replaced.'),
  outcome: z
    .enum(['kept', 'clean', 'rewritten', 'redacted', 'removed'])
    .describe(
      'kept: not searched; clean: searched, holds no term; rewritten: so it is, and was written anew as a PDF without earlier revisions and unused objects; redacted: terms were taken out; removed: it is gone.',
    ),
});

const check = z.object({
  check: z
    .enum(['text', 'under-boxes', 'objects', 'attachments', 'ocr'])
    .describe(
      'text: terms in the text of pages; under-boxes: text under boxes; objects: every string, name and decoded stream; attachments: contents of attached files; ocr: what is seen on the pages.',
    ),
  reader: word.describe('Who looked.'),
  version: word.optional().describe('Of a reader that is a separate program; engines tells the others.'),
  result: z.enum(['clean', 'not-run']),
  note: word.optional().describe('Why it was not run.'),
});

const readings = z
  .object({
    pdfium: count,
    content: count.describe("Our own reading of the pages' content."),
    poppler: count.nullable().describe('null: not installed.'),
  })
  .describe('Places, by who found them.');

/** What a worker states. Nothing else gets into a report. */
export const REPORT_FACTS = z.strictObject({
  operation: z.enum(['security/auto-redact', 'security/redact']),
  input: file.describe('The document as this operation received it.'),
  output: file.describe('The document beside this report.'),
  asked,
  found: z.object({
    terms: readings,
    underBoxes: readings,
    outsidePages: count,
    places: listOf(place, { max: MOST_PLACES }),
    omitted: count.describe('Places beyond those listed.'),
  }),
  removed: z.object({
    boxes: count.describe('Boxes drawn, whole pages included.'),
    strings: count.describe('Strings, names and data cleaned.'),
    objects: recordOf(z.string().max(40), count, { max: 20 }).describe(
      'Texts, paths, images, forms and annotations that lost something; pages that became images.',
    ),
  }),
  attachments: z.object({
    searched: z
      .boolean()
      .describe('false where the document has attached files whose contents nobody looked at.'),
    files: listOf(attached, { max: MOST_FILES }),
  }),
  verification: z.object({ checks: listOf(check, { max: 20 }) }),
});

export type ReportFacts = z.output<typeof REPORT_FACTS>;
export type ReportPlace = ReportFacts['found']['places'][number];
export type ReportCheck = ReportFacts['verification']['checks'][number];

export const REDACTION_REPORT = z
  .object({
    type: z.literal(REPORT_TYPE),
    version: z.literal(REPORT_VERSION).describe('Of this format; another number may mean another meaning.'),
    issuedAt: z.iso.datetime().describe('When the service signed.'),
    service: z.object({ name: z.literal('bindery'), version: word }),
    engines: recordOf(z.string().max(40), word, { max: 40 }).describe('Versions of the engines, by name.'),
    ...REPORT_FACTS.shape,
    signature: z
      .object({
        algorithm: z.literal('Ed25519'),
        keyId: hash.describe('SHA-256 of the public key (SubjectPublicKeyInfo, DER), in hexadecimal.'),
        value: z.string().max(100).describe('The signature, in Base64.'),
      })
      .describe('Over the canonical form (RFC 8785, UTF-8) of the report without this member.'),
  })
  .describe(
    'What a redaction did, signed by the service (GET /api/v1/info/redaction-key). The file redaction-report.json of a result with report=true.',
  );

export type RedactionReport = z.output<typeof REDACTION_REPORT>;
