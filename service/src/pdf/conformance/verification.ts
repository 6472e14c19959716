// What a document declares, examined: the report of verify-pdf and the verdicts of other operations.

import type { PdfDocument } from '../document.ts';
import { conformanceOf } from '../metadata/declared-standards.ts';
import { readXmp } from '../metadata/metadata.ts';
import type { Verdict } from './check.ts';
import { isStandardId, type Standard, standardOf } from './standards.ts';

/** The standards declared in XMP. Of a part whose level is not known, the lowest level is taken. */
export function declaredStandards(doc: PdfDocument): Standard[] {
  const ids = conformanceOf(doc).declared.map(({ id }) => id);
  const part = readXmp(doc)?.packet.get('pdfaid:part')?.trim() ?? '';
  const hasPdfa = ids.some((id) => isStandardId(id) && !id.startsWith('ua'));
  if (!hasPdfa && /^[1-4]$/.test(part)) ids.unshift(part === '4' ? '4' : `${part}b`);
  return ids.filter(isStandardId).map(standardOf);
}

/** Operations 8: "standardName ends "compliant" or "with errors"". */
export function verificationItem(verdict: Verdict, warnings: string[]) {
  const { standard, compliant, totalFailures, failures } = verdict;
  const { id, name, part } = standard;
  return {
    standard: id as string,
    standardName: `${name} ${compliant ? 'compliant' : 'with errors'}`,
    validationProfile: id as string,
    validationProfileName: name,
    complianceSummary: complianceSummary(verdict),
    declaredPdfa: typeof part === 'number',
    compliant,
    totalFailures,
    totalWarnings: warnings.length,
    failures,
    warnings: warnings.map(structureWarning),
  };
}

export const complianceSummary = ({ standard, compliant, totalFailures }: Verdict): string =>
  compliant
    ? `The document conforms to ${standard.name} as far as it was examined.`
    : `The document does not conform to ${standard.name}: ${count(totalFailures, 'failure')}.`;

/** "No PDF/A claim: one item `not-pdfa`, compliant and declaredPdfa false, one failure." */
export function notPdfaItem(warnings: string[]): ReturnType<typeof verificationItem> {
  const message = 'The XMP metadata declares no part of PDF/A.';
  return {
    standard: 'not-pdfa',
    standardName: 'Not PDF/A: with errors',
    validationProfile: 'not-pdfa',
    validationProfileName: 'Not PDF/A',
    complianceSummary: 'The document does not declare PDF/A.',
    declaredPdfa: false,
    compliant: false,
    totalFailures: 1,
    totalWarnings: warnings.length,
    failures: [
      {
        ruleId: 'not-pdfa',
        message,
        location: 'document metadata',
        specification: 'ISO 19005',
        clause: '',
        testNumber: '',
      },
    ],
    warnings: warnings.map(structureWarning),
  };
}

const structureWarning = (message: string) => ({
  ruleId: 'structure',
  message,
  location: 'file',
  specification: 'ISO 32000-1:2008',
  clause: '7.5',
  testNumber: '',
});

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
