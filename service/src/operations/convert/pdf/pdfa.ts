import { invalidParameter } from '../../../contract/problems.ts';
import { attachmentsOf } from '../../../pdf/attachments/attachments.ts';
import { isStandardId, standardOf } from '../../../pdf/conformance/standards.ts';
import type { PdfDocument } from '../../../pdf/document.ts';
import { Dict } from '../../../pdf/objects.ts';
import {
  CONFORMANCE_HEADER,
  conformanceHeaders,
  convertToPdfa,
  refuseInvalid,
  refuseNonconforming,
} from '../../../procedures/pdfa-conversion.ts';
import { convertToPdfx, pressName } from '../../../procedures/pdfx-conversion.ts';
import { file, operation, pdfFile } from '../../define.ts';
import { choice, flag } from '../../fields.ts';

const FORMATS = {
  pdfa: '2b',
  'pdfa-2': '2b',
  'pdfa-2b': '2b',
  'pdfa-1': '1b',
  'pdfa-3': '3b',
  'pdfa-3b': '3b',
  'pdfa-1a': '1a',
  'pdfa-2a': '2a',
  'pdfa-3a': '3a',
  'pdfa-2u': '2u',
  'pdfa-3u': '3u',
  'pdfa-4': '4',
  'pdfa-4e': '4e',
  'pdfa-4f': '4f',
  pdfx: 'x',
} as const;

const NAMES = Object.keys(FORMATS) as [keyof typeof FORMATS, ...(keyof typeof FORMATS)[]];

export default operation({
  summary: 'Convert a PDF to PDF/A or PDF/X',
  description:
    'Makes a document fit for archives (PDF/A) or printing presses (PDF/X-4). Where it can, the document is mended as ' +
    'it is: text, tags, bookmarks, links and fields stay. Else its pages are drawn anew by Ghostscript, with fonts ' +
    'embedded, and tags are lost. What the standard forbids is dropped (scripts, attachments in parts 1 and 2 and in PDF/A-4, layers ' +
    'that are off in part 1, links in PDF/X) or flattened (transparency in part 1, kinds of annotations it does not ' +
    'know, annotations and fields in PDF/X). The result is always validated. A ' +
    'document that cannot be made to conform to the PDF/A asked for is refused (422 conformance_failed, naming the ' +
    'clauses). PDF/X is returned either way; the header X-Conformance-Result tells the outcome. The text is compared ' +
    'with that of the document; the header X-Lost-Text names pages that lost any.',
  example: { outputFormat: 'pdfa-2b' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice(
      'Target: pdfa, pdfa-2 and pdfa-2b are PDF/A-2b, pdfa-1 is PDF/A-1b, pdfa-3 is PDF/A-3b, pdfa-4f (files of any ' +
        'kind attached) and pdfa-4e (3D models) are PDF/A-4, pdfx is PDF/X-4; levels a need tags, 4f an attachment',
      NAMES,
      {
        default: 'pdfa',
      },
    ),
    strict: flag('Refuse with 400 and the failed rules unless the result validates'),
    pdfUa: flag('Also claim PDF/UA-1; for pdfa-1a, pdfa-2a and pdfa-3a only'),
  },
  output: pdfFile('_PDFA-2b', { headers: CONFORMANCE_HEADER }),
  uses: ['qpdf'],
  mayUse: ['ghostscript', 'pdfium', 'text', 'verapdf'],
  check({ outputFormat, pdfUa }) {
    if (pdfUa && !FORMATS[outputFormat].endsWith('a'))
      throw invalidParameter('pdfUa needs outputFormat pdfa-1a, pdfa-2a or pdfa-3a.');
  },
  async run({ fileInput }, { outputFormat, strict, pdfUa }, { engine, log, progress }) {
    const doc = engine.qpdf.open(fileInput);
    const target = FORMATS[outputFormat];
    if (!isStandardId(target)) {
      const { content, failures, lostText } = await convertToPdfx(engine, doc, {
        title: fileInput.base,
        ...{ log, progress },
      });
      if (strict) refuseInvalid(pressName, failures);
      return { content, suffix: '_PDFX', headers: conformanceHeaders(failures.length === 0, lostText) };
    }
    const standard = standardOf(target);
    if (standard.level === 'a' && !isTagged(doc))
      throw invalidParameter(
        `outputFormat ${outputFormat} needs a tagged document; ${fileInput.name} has no tags.`,
      );
    if (standard.level === 'f' && attachmentsOf(doc).length === 0)
      throw invalidParameter(
        `outputFormat ${outputFormat} needs a document with attachments (ISO 19005-4, 6.9); ${fileInput.name} has none.`,
      );
    const { content, verdict, lostText } = await convertToPdfa(engine, doc, {
      standard,
      pdfUa,
      title: fileInput.base,
      ...{ log, progress },
    });
    const claimed = pdfUa ? `${standard.name} and PDF/UA-1` : standard.name;
    if (strict && !verdict.compliant) refuseInvalid(claimed, verdict.failures);
    refuseNonconforming(claimed, verdict);
    return {
      content,
      suffix: `_PDFA-${standard.id}`,
      headers: conformanceHeaders(verdict.compliant, lostText),
    };
  },
});

/** A tree without elements says nothing of the content. */
function isTagged(doc: PdfDocument): boolean {
  const kids = doc.resolve(doc.dict(doc.catalog.get('StructTreeRoot'))?.get('K'));
  return Array.isArray(kids) ? kids.length > 0 : kids instanceof Dict;
}
