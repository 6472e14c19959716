// veraPDF's report, read as a verdict like our own.
import { type Failure, MAX_FAILURES, type Verdict } from '../../pdf/conformance/check.ts';
import { messageOf } from '../../pdf/conformance/rules/all-rules.ts';
import type { Standard } from '../../pdf/conformance/standards.ts';
import { elementsOf, parseXml, textIn, unescapeXml, type XmlElement } from '../../pdf/metadata/xml-tree.ts';

/** Undefined where the text is no report of a validation. */
export function verdictOf(xml: string, standard: Standard): Verdict | undefined {
  const nodes = parseXml(xml.replace(/^\s*<\?xml[^>]*\?>/, ''));
  const report = nodes && elementsOf(nodes).flatMap((top) => named(top, 'validationReport'))[0];
  const isCompliant = report && attribute(report, 'isCompliant');
  if (!report || (isCompliant !== 'true' && isCompliant !== 'false')) return undefined;
  const rules = named(report, 'rule').filter((rule) => attribute(rule, 'status') === 'failed');
  const totalFailures = rules.reduce((sum, rule) => sum + (Number(attribute(rule, 'failedChecks')) || 1), 0);
  const failures = rules.flatMap((rule) => failuresOf(rule, standard)).slice(0, MAX_FAILURES);
  return { standard, compliant: isCompliant === 'true', totalFailures, failures };
}

function failuresOf(rule: XmlElement, standard: Standard): Failure[] {
  const clause = attribute(rule, 'clause') ?? '';
  const testNumber = attribute(rule, 'testNumber') ?? '';
  const described = named(rule, 'description')[0];
  const message =
    messageOf(clause, testNumber, standard) ??
    (described ? textIn(described).replace(/\s+/g, ' ').trim() : '');
  const places = named(rule, 'check').flatMap((check) =>
    named(check, 'context').map((place) => textIn(place).trim()),
  );
  return (places.length > 0 ? places : ['']).map((location) => ({
    ruleId: `${clause}-${testNumber}`,
    message,
    location,
    specification: standard.specification,
    clause,
    testNumber,
  }));
}

const attribute = (element: XmlElement, name: string): string | undefined => {
  const found = element.attributes.find((each) => each.name === name);
  return found && unescapeXml(found.raw);
};

/** Elements of this name at any depth. */
function named(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element.children).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...named(child, name),
  ]);
}
