import { z } from 'zod';
import { listOf } from '../../contract/bounded-schema.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import { AnnotationTexts } from '../../pdf/editing/annotation-texts.ts';
import { TextReplacement } from '../../pdf/editing/document-replacement.ts';
import { isReadable } from '../../pdf/editing/replacement-proof.ts';
import { TextFinder } from '../../pdf/editing/text-finding.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { PageReadings } from '../../pdf/redaction/page-readings.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, json, pages, text } from '../fields.ts';

const MAX_PAIRS = 100;
const MAX_TEXT = 1000;
const ONE_LINE = /^[^\0-\x1f\x7f-\x9f\u2028\u2029]*$/;

const words = z.string().max(MAX_TEXT).regex(ONE_LINE);
const Pair = z.object({ find: words.refine((each) => each.trim() !== ''), replace: words });

export default operation({
  summary: 'Find and replace text',
  description:
    'Text of pages is replaced in place: in its own font where that has the glyphs, else in an embedded one that looks ' +
    'alike. What follows on the line without a wide gap moves along; what stands in the next column or cell stays. ' +
    'Where there is too little room the new text is set narrower, down to 80 percent; where that is not enough, or no ' +
    'font has the letters, the place stays as it is and is counted in X-Not-Replaced. Lines are not broken anew, and ' +
    'links, underlines and frames do not move. A text is also found over the end of a line, hyphenated, or set wide; ' +
    'all pairs are looked for in the text as it was. Every changed page is read again by other readers, and nothing is ' +
    'returned unless the new text is there. Texts of annotations and values of form fields stay as they are; ' +
    'X-Left-In-Annotations counts those that hold the text. This is no ' +
    'redaction: use security/auto-redact for what must not be found any more.',
  example: { find: 'page', replace: 'leaf', matchCase: false },
  inputs: { fileInput: file('pdf') },
  params: {
    find: text('Text to look for, on one line; any blanks match', {
      min: 1,
      max: MAX_TEXT,
      pattern: ONE_LINE,
    }),
    replace: text('Text to put there; empty removes', { default: '', max: MAX_TEXT, pattern: ONE_LINE }),
    edits: json('Several at once, in place of find and replace', listOf(Pair, { min: 1, max: MAX_PAIRS }), {
      expects: `a JSON list of 1 to ${MAX_PAIRS} pairs such as [{"find":"2023","replace":"2024"}], each text at most ${MAX_TEXT} characters on one line`,
    }),
    matchCase: flag('Tell upper and lower case apart', { default: true }),
    wholeWordSearch: flag('Whole words only', { default: false }),
    pageNumbers: pages('Pages to look at', { default: 'all' }),
  },
  output: pdfFile('_edited', {
    headers: {
      'X-Replacements': 'How many places were replaced',
      'X-Not-Replaced': 'How many places stay as they were: no room, or no font with the letters',
      'X-Replaced-Unseen':
        'How many of the replaced texts are invisible and lie over an image that still shows the old ones',
      'X-Left-In-Annotations':
        'How many annotations and form fields of the pages looked at hold the text, and stay as they are',
      'X-Unknown-Letters':
        'How many letters of the pages looked at have no meaning that their fonts tell: the text may stand there too. Absent where there are none',
    },
  }),
  uses: ['qpdf', 'pdfium', 'text'],
  refuses: ['nothing_found', 'text_not_replaced'],
  check({ find, edits }) {
    if ((find === undefined) === (edits === undefined))
      throw invalidParameter('Send either find, with replace, or edits.');
    if (find?.trim() === '') throw invalidParameter('find is blank.');
  },
  async run({ fileInput }, params, { engine }) {
    const { find = '', replace, edits, matchCase, wholeWordSearch, pageNumbers } = params;
    const doc = engine.qpdf.open(fileInput);
    const pairs = edits ?? [{ find, replace }];
    const finder = new TextFinder(pairs, { matchCase, wholeWords: wholeWordSearch });
    const replacement = new TextReplacement(doc, finder, engine.text.layout);
    const beside = new AnnotationTexts(doc);
    let inAnnotations = 0;
    for (const page of selectPageSet(pageNumbers, doc.pageCount)) {
      inAnnotations += beside.ofPage(page - 1).filter((each) => finder.replaced(each) !== each).length;
      replacement.replacePage(page - 1);
    }
    const { replaced, left, unseen, unknown } = replacement.counts;
    if (replaced + left === 0)
      throw new Problem(
        'nothing_found',
        `The text was not found on the pages looked at.${unknownWords(unknown)}${annotationWords(inAnnotations)}`,
        {
          hint: 'Check letter case (matchCase), wholeWordSearch and pageNumbers. Scanned pages have text after misc/ocr-pdf.',
        },
      );
    if (replaced === 0)
      throw new Problem(
        'text_not_replaced',
        `The text was found ${left} times; at none of them there is room for the new one, or a font with its letters.`,
      );
    replacement.finish();
    const content = doc.save();
    const again = engine.qpdf.open(fileInput.with(content));
    using view = engine.pdfium.openLike(fileInput.with(content), again);
    const readings = new PageReadings(again);
    for (const [index, wanted] of replacement.written) {
      const page = again.pages()[index];
      const texts = function* (): Generator<string> {
        yield view.pageText(index);
        if (page) yield* readings.of(page);
      };
      if (!isReadable(wanted, texts()))
        throw new Problem('text_not_replaced', `The new text cannot be read on page ${index + 1}.`);
    }
    const headers = {
      'X-Replacements': String(replaced),
      'X-Not-Replaced': String(left),
      'X-Replaced-Unseen': String(unseen),
      'X-Left-In-Annotations': String(inAnnotations),
      ...(unknown > 0 ? { 'X-Unknown-Letters': String(unknown) } : {}),
    };
    return { content, headers };
  },
});

const unknownWords = (unknown: number): string =>
  unknown === 0
    ? ''
    : ` Of ${unknown} letters there the fonts do not say what they mean: it may stand among them.`;

const annotationWords = (count: number): string =>
  count === 0
    ? ''
    : ` It stands in ${count} annotations or form fields, which this operation leaves as they are.`;
