// veraPDF's report, read as a verdict like our own.
import { below, parseXml, textOf, type XmlElement } from '../../markup/xml.ts';
import { type Failure, MAX_FAILURES, type Verdict } from '../../pdf/conformance/check.ts';
import { messageOf } from '../../pdf/conformance/rules/all-rules.ts';
import type { Standard } from '../../pdf/conformance/standards.ts';

/** Undefined where the text is no report of a validation. */
export function verdictOf(xml: string, standard: Standard): Verdict | undefined {
  const [report] = named(parseXml(xml), 'validationReport');
  const isCompliant = report?.attributes.get('isCompliant');
  if (!report || (isCompliant !== 'true' && isCompliant !== 'false')) return undefined;
  const rules = named(report, 'rule').filter((rule) => rule.attributes.get('status') === 'failed');
  const totalFailures = rules.reduce(
    (sum, rule) => sum + (Number(rule.attributes.get('failedChecks')) || 1),
    0,
  );
  const failures = rules.flatMap((rule) => failuresOf(rule, standard)).slice(0, MAX_FAILURES);
  return { standard, compliant: isCompliant === 'true', totalFailures, failures };
}

function failuresOf(rule: XmlElement, standard: Standard): Failure[] {
  const clause = rule.attributes.get('clause') ?? '';
  const testNumber = rule.attributes.get('testNumber') ?? '';
  const message = messageOf(clause, testNumber, standard) ?? textOf(named(rule, 'description')[0]);
  const places = named(rule, 'check').flatMap((check) => named(check, 'context').map(textOf));
  return (places.length > 0 ? places : ['']).map((location) => ({
    ruleId: `${clause}-${testNumber}`,
    message,
    location,
    specification: standard.specification,
    clause,
    testNumber,
  }));
}

/** Elements of this name at any depth. */
const named = (element: XmlElement, name: string): XmlElement[] =>
  [...below(element)].filter((each) => each.name === name);
