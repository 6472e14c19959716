import { Terms } from '../../pdf/redaction/terms.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, colour, flag, list, number, secret, text } from '../fields.ts';
import { REDACTION_HEADERS, redact } from './_redaction.ts';
import { OCR_FIELDS } from './_redaction-fields.ts';
import { termHashes } from './_redaction-report.ts';

export default operation({
  summary: 'Redact text that matches words or expressions',
  description:
    'Every place of a term is covered by a box, and what is under the box is taken out of the file: text, vectors, ' +
    'pixels, annotations, form values, hidden layers. Terms are also taken out of metadata, bookmarks, page labels, ' +
    'form fields and their XML (XFA), tags and their properties, addresses, scripts, names of fonts, colours and ' +
    'other resources, comments and EXIF of pictures, texts of fonts and colour profiles, and the names and ' +
    'descriptions of attachments. Case is ignored (expressions: unless (?-i)); white space in a term matches any ' +
    'white space, line and page ends included; words are found across line ends, hyphens and ligatures, with ' +
    'letters set apart or drawn twice. Text behind a removed word moves on by up to a quarter of its size, so that ' +
    'the width of the word is not told. The file is written anew in full and read again by several readers, every ' +
    'string, name and stream of it: where a term could still be found, the answer is 422 redaction_unverified, ' +
    'naming the place, and no file. Contents of attached files are not searched unless attachments says so; the ' +
    'header X-Redaction-Attachments tells. Text that is only pixels is found with verifyByOcr, or after ocr-pdf.',
  example: { listOfText: ['Jane Doe', 'Mulberry Street'], wholeWordSearch: true },
  inputs: { fileInput: file('pdf') },
  params: {
    listOfText: list(
      'Terms on separate lines, or the field repeated; commas do not separate',
      text('A term', { required: true, min: 1, max: 4096 }),
      { required: true, min: 1, max: 1000, split: 'lines' },
    ),
    useRegex: flag('Terms are regular expressions in RE2 syntax'),
    wholeWordSearch: flag('Terms must stand as whole words, in any script'),
    redactColor: colour('Colour of the boxes', { default: '#000000' }),
    customPadding: number('Points by which boxes are wider on every side', { default: 0, min: 0, max: 100 }),
    convertPDFToImage: flag('Pages become images of 200 dpi afterwards'),
    attachments: choice(
      'Contents of attached files: keep leaves them as they are, unseen; search redacts PDF, text and JPEG files by the same terms and refuses what holds a term or cannot be searched; remove takes all files out',
      ['keep', 'search', 'remove'],
      { default: 'keep' },
    ),
    ...OCR_FIELDS,
    report: flag(
      'Answer with a ZIP of the document and redaction-report.json, a signed account of what was asked, found, removed and verified; the terms do not stand in it',
    ),
    reportSecret: secret(
      'The report tells of each term its HMAC-SHA-256 under this; without it only how many there were',
      {},
    ),
  },
  output: pdfFile('_redacted', { alternatives: ['zip'], headers: REDACTION_HEADERS }),
  uses: ['qpdf', 'pdfium', 'sharp', 'archive'],
  mayUse: ['poppler', 'tesseract'],
  refuses: ['redaction_unverified'],
  unused: ({ verifyByOcr }) => (verifyByOcr ? [] : ['languages']),
  endsPipeline: ({ report }) => report,
  signsReport: ({ report }) => report,
  async run({ fileInput }, params, context) {
    const { listOfText, useRegex, wholeWordSearch, redactColor, customPadding } = params;
    return redact(context, fileInput, {
      operation: 'security/auto-redact',
      request: {
        wholePages: new Map(),
        terms: termsOf(params),
        colour: redactColor,
        padding: customPadding,
      },
      boxes: new Map(),
      convertPDFToImage: params.convertPDFToImage,
      ...(params.verifyByOcr ? { ocrLanguages: [...new Set(params.languages)] } : {}),
      report: params.report,
      attachments: params.attachments,
      asked: {
        terms: {
          ...{ count: listOfText.length, useRegex, wholeWordSearch },
          ...(params.reportSecret === undefined ? {} : { hmac: termHashes(listOfText, params.reportSecret) }),
        },
        customPadding,
      },
    });
  },
});

/** "invalid or matching the empty string: 400 naming the term". */
const termsOf = (params: { listOfText: string[]; useRegex: boolean; wholeWordSearch: boolean }): Terms =>
  new Terms(params.listOfText, { useRegex: params.useRegex, wholeWords: params.wholeWordSearch });
