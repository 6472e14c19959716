// What convert/pdf/data answers, version 1.
import { z } from 'zod';

export const DATA_VERSION = 1;

/** More of a kind are not told; `truncated` says so. */
export const MOST_ENTRIES = 100_000;

const BOX = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe(
    'In points from the top-left corner of the page as displayed, y downwards; (x, y) is the top-left corner.',
  );
const CONFIDENCE = z
  .number()
  .min(0)
  .max(1)
  .describe('How sure the rules are: 1 for what the document states as data.');
const placed = { page: z.int().min(1).describe('Counts from 1.'), box: BOX, confidence: CONFIDENCE };

export const DOCUMENT_DATA = z.object({
  schemaVersion: z.literal(DATA_VERSION),
  pageCount: z.int(),
  truncated: z.boolean().describe(`More than ${MOST_ENTRIES} entries of a kind: the rest is left out.`),
  pairs: z
    .array(
      z.object({
        key: z.string().describe('The label, without its colon.'),
        value: z.string(),
        ...placed,
        keyBox: BOX.optional().describe('Where the label stands.'),
        source: z.enum(['text', 'field']).describe('Written on the page, or the value of a form field.'),
        field: z.string().optional().describe('The full name of the form field.'),
      }),
    )
    .describe('Labels and their values, in reading order of each page. `box` is that of the value.'),
  tables: z.array(
    z.object({
      ...placed,
      columns: z.int(),
      headerRows: z.int().describe('How many rows at the top are heads.'),
      rows: z.array(z.array(z.string())).describe('A cell over several places is written in the first.'),
    }),
  ),
  totals: z.array(
    z.object({
      kind: z.enum(['subtotal', 'tax', 'total', 'due']),
      label: z.string(),
      value: z.number(),
      currency: z.string().optional().describe('ISO 4217, where the page tells it beside the amount.'),
      text: z.string().describe('As written.'),
      ...placed,
    }),
  ),
  dates: z.array(
    z.object({
      date: z.string().describe('ISO 8601.'),
      text: z.string().describe('As written; where day and month may be either, the confidence is low.'),
      ...placed,
    }),
  ),
  addresses: z.array(
    z.object({ lines: z.array(z.string()), postalCode: z.string(), city: z.string(), ...placed }),
  ),
});

export type DocumentData = z.output<typeof DOCUMENT_DATA>;
export type PlacedText<T> = T & Pick<DocumentData['dates'][number], 'page' | 'box' | 'confidence'>;
