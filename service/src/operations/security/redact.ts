import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { boxesOnPages } from '../../pdf/redaction/rectangles.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, colour, flag, json, pages } from '../fields.ts';
import { REDACTION_HEADERS, redact } from './_redaction.ts';
import { OCR_FIELDS } from './_redaction-fields.ts';

const coordinate = z.number().min(-14400).max(14400);
const length = z.number().gt(0).max(14400);

const RECTANGLES = listOf(
  z.object({
    x: coordinate,
    y: coordinate,
    width: length,
    height: length,
    page: z.int(),
    color: z
      .string()
      .regex(/^(?:#?[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})$/)
      .optional(),
  }),
  { max: 10_000 },
);

export default operation({
  summary: 'Black out whole pages and rectangles',
  description:
    'What is under a rectangle is taken out of the file: text, vectors, pixels, annotations, form values, hidden ' +
    'layers. A whole page keeps its size and loses all content, annotations and fields. Rectangles count from the ' +
    'top left of the page as displayed. The file is written anew in full and read again: where text is left under a ' +
    'box, the answer is 422 redaction_unverified and no file. Attached files stay unless attachments says remove; the ' +
    'header X-Redaction-Attachments tells. At least one of pageNumbers and redactions is required.',
  example: { pageNumbers: '2' },
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: pages('Pages blacked out entirely', { emptyIsAbsent: true }),
    pageRedactionColor: colour('Colour of whole pages', { default: '#000000' }),
    redactions: json(
      'Rectangles: [{"x":10,"y":20,"width":100,"height":15,"page":1,"color":"#000000"}]',
      RECTANGLES,
      {
        expects:
          'a list of at most 10000 rectangles, each with x and y from -14400 to 14400, width and height above 0 and at most 14400, page, and color such as #RRGGBB where wanted',
      },
    ),
    convertPDFToImage: flag('Pages become images of 200 dpi afterwards'),
    attachments: choice(
      'Attached files: keep leaves them as they are, unseen; remove takes all of them out',
      ['keep', 'remove'],
      { default: 'keep' },
    ),
    ...OCR_FIELDS,
    report: flag(
      'Answer with a ZIP of the document and redaction-report.json, a signed account of what was asked, found, removed and verified',
    ),
  },
  output: pdfFile('_redacted', { alternatives: ['zip'], headers: REDACTION_HEADERS }),
  uses: ['qpdf', 'pdfium', 'sharp', 'archive'],
  mayUse: ['poppler', 'tesseract'],
  refuses: ['redaction_unverified'],
  unused: ({ verifyByOcr }) => (verifyByOcr ? [] : ['languages']),
  endsPipeline: ({ report }) => report,
  signsReport: ({ report }) => report,
  check({ pageNumbers, redactions = [] }) {
    if (pageNumbers === undefined && redactions.length === 0)
      throw invalidParameter(
        'At least one of pageNumbers and redactions is required: pages to black out, or a list of rectangles that is not empty.',
      );
  },
  async run({ fileInput }, params, context) {
    const { pageNumbers, pageRedactionColor, redactions = [] } = params;
    const { engine } = context;
    const doc = engine.qpdf.open(fileInput);
    const whole = pageNumbers === undefined ? [] : selectPageSet(pageNumbers, doc.pageCount);
    if (whole.length + redactions.length === 0)
      throw new Problem('page_out_of_range', `pageNumbers selects none of the ${doc.pageCount} page(s).`);
    const boxes = boxesOnPages(doc, redactions);
    engine.qpdf.close(doc);
    return redact(context, fileInput, {
      operation: 'security/redact',
      request: {
        wholePages: new Map(whole.map((page) => [page - 1, pageRedactionColor])),
        terms: undefined,
        colour: pageRedactionColor,
        padding: 0,
      },
      boxes,
      convertPDFToImage: params.convertPDFToImage,
      ...(params.verifyByOcr ? { ocrLanguages: [...new Set(params.languages)] } : {}),
      report: params.report,
      attachments: params.attachments,
      asked: {
        wholePages: whole,
        rectangles: redactions.map(({ page, x, y, width, height }) => ({ page, box: [x, y, width, height] })),
      },
    });
  },
});
