import { z } from 'zod';
import { structureFaults } from '../../pdf/conformance/rules/structure-faults.ts';
import { declaredStandards, notPdfaItem, verificationItem } from '../../pdf/conformance/verification.ts';
import { examine, validate } from '../../procedures/validation.ts';
import { file, jsonResult, operation } from '../define.ts';

const finding = z.object({
  ruleId: z.string().describe('Clause and number of the test, such as 6.1.2-1'),
  message: z.string().describe('What the standard asks for'),
  location: z.string().describe('Where the document differs'),
  specification: z.string().describe('The standard, such as ISO 19005-2:2011'),
  clause: z.string(),
  testNumber: z.string(),
});

const item = z.object({
  standard: z.string().describe('1a, 1b, 2a, 2b, 2u, 3a, 3b, 3u, 4, 4e, 4f, ua1, ua2 or not-pdfa'),
  standardName: z.string().describe('Name of the standard and the outcome'),
  validationProfile: z.string(),
  validationProfileName: z.string(),
  complianceSummary: z.string(),
  declaredPdfa: z.boolean().describe('The document declares this part of PDF/A'),
  compliant: z.boolean(),
  totalFailures: z.int().describe('All failures, listed or not'),
  totalWarnings: z.int(),
  failures: z.array(finding).describe('At most 1000'),
  warnings: z.array(finding).describe('Faults of the file structure'),
});

export default operation({
  summary: 'Verify PDF structure and PDF/A compliance',
  description:
    'Holds a document against each standard its XMP metadata declares: PDF/A-1 to PDF/A-4, and PDF/UA as far as a ' +
    'program can tell. A document that declares none is reported as `not-pdfa`. Faults of the file structure are ' +
    'listed as warnings. The rules that are tested are listed in the reference (pdfa-rules).',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonResult(z.array(item)),
  uses: ['qpdf'],
  mayUse: ['verapdf'],
  async run({ fileInput }, _params, { engine, log }) {
    const doc = engine.qpdf.open(fileInput);
    const subject = examine(engine, doc, fileInput);
    const verdicts = [];
    for (const standard of declaredStandards(doc))
      verdicts.push(await validate(engine, subject, fileInput, standard));
    // Every object is read once, so that every fault is met.
    log.debug('objects read', { objects: subject.objects.length, pages: doc.pageCount });
    const warnings = structureFaults(doc.takeWarnings());
    const items = verdicts.map((verdict) => verificationItem(verdict, warnings));
    return items.some(({ declaredPdfa }) => declaredPdfa) ? items : [notPdfaItem(warnings), ...items];
  },
});
