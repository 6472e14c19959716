// Marked content while content is followed: texts that stand for what is drawn go when some of it goes, or when they
// hold a term; so do tags and property lists.

import { Dict, Name, name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { REPLACEMENT_TEXTS, withoutTexts } from '../structure/marked-content.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';
import { textOf } from '../text-strings.ts';
import { isLanguage } from './pdf-words.ts';
import type { RunContext } from './run-context.ts';

export class Marking {
  private readonly run: RunContext;
  /** For each sequence that is open, the number of its text where it has one. */
  private readonly spans: (number | undefined)[] = [];

  constructor(run: RunContext) {
    this.run = run;
  }

  readonly openSpan = (): number | undefined => this.spans.findLast((each) => each !== undefined);

  end(): void {
    this.spans.pop();
    this.run.marks.end();
  }

  markPlain(operation: Operation): void {
    this.rewritePlain(operation);
    this.spans.push(undefined);
    this.run.marks.begin();
  }

  private rewritePlain(operation: Operation): void {
    this.list(operation);
    if (this.isSecret(operation)) this.rewrite(operation);
  }

  beginMarked(properties: Dict | undefined, operation: Operation): void {
    const [tag, operand] = operation.operands;
    const mcid = properties && this.run.doc.number(properties.get('MCID'));
    this.list(operation);
    const isSecret = this.isSecret(operation);
    if (!properties || (!isSecret && !REPLACEMENT_TEXTS.some((key) => properties.has(key)))) {
      if (isSecret) this.rewrite(operation);
      else this.run.resources.use('Properties', operand);
      this.spans.push(undefined);
      this.run.marks.begin(mcid);
      return;
    }
    const actual = this.run.doc.text(properties.get('ActualText'));
    const span = actual === undefined ? undefined : this.run.work.openSpan(actual);
    this.spans.push(span);
    const { plan } = this.run.work;
    if (!plan) {
      this.run.marks.begin(mcid);
      return;
    }
    const hasSecretText =
      plan.isSecret !== undefined &&
      REPLACEMENT_TEXTS.some((key) => plan.isSecret?.(this.run.doc.text(properties.get(key)) ?? ''));
    const mustGo = (span !== undefined && plan.isSpanGone(span)) || hasSecretText;
    // Written at the end of the sequence, when it is known what is left of it.
    const place = this.run.output.putOff(operation);
    this.run.marks.begin(mcid, (lost) => {
      if (lost || mustGo) {
        const left = withoutTexts(this.cleanValue(tag ?? null), this.cleanValue(properties) as Dict);
        this.run.exchangePut(place, left);
        this.run.work.touched.texts += 1;
      } else if (isSecret) this.run.exchangePut(place, this.rewriteOperation(operation));
      else this.run.resources.use('Properties', operand);
    });
    if (mustGo) this.run.marks.loseContent();
  }

  markPoint(operation: Operation): void {
    if (operation.operator === 'MP') {
      this.rewritePlain(operation);
      return;
    }
    this.run.resources.use('Properties', operation.operands[1]);
    this.list(operation);
    if (!this.isSecret(operation)) return;
    this.run.work.touched.texts += 1;
    this.rewrite(operation);
  }

  private rewrite(operation: Operation): void {
    this.run.replace(operation, this.rewriteOperation(operation));
  }

  /** With other names, and without secret texts; a named list has another name. */
  private rewriteOperation({ operator, operands }: Operation): string {
    const [tag, operand] = operands;
    const other = formatValue(this.cleanValue(tag ?? null));
    if (operand === undefined) return `${other} ${operator}`;
    if (!(operand instanceof Name)) return `${other} ${formatValue(this.cleanValue(operand))} ${operator}`;
    const held = this.run.resources.get('Properties', operand);
    if (!this.isSecretName(operand.value) || held === undefined) {
      this.run.resources.use('Properties', operand);
      return `${other} ${formatName(operand.value)} ${operator}`;
    }
    const made = held instanceof Ref ? held : this.run.doc.add(held);
    this.run.resources.unuse('Properties', operand);
    return `${other} ${this.run.exchangeResource('Properties', operand, made)} ${operator}`;
  }

  /** Notes what a tag and its list say, for whoever looks. */
  private list({ operands, surplus = [] }: Operation): void {
    if (this.run.work.plan) return;
    const { texts, names } = saidBy([...surplus, ...operands]);
    this.run.work.listTexts(texts);
    for (const each of names) this.run.names.add(each);
  }

  private isSecret({ operands, surplus = [] }: Operation): boolean {
    const { plan } = this.run.work;
    if (!plan?.isSecret) return false;
    const { texts, names } = saidBy([...surplus, ...operands]);
    return texts.some(plan.isSecret) || [...names].some((each) => this.isSecretName(each));
  }

  private isSecretName(given: string): boolean {
    return this.run.work.plan?.isSecretName?.(given) ?? false;
  }

  private cleanValue(value: PdfValue): PdfValue {
    if (value instanceof Name)
      return this.isSecretName(value.value) ? name(this.run.work.otherNames.of(value.value)) : value;
    if (value instanceof PdfString)
      return this.run.work.plan?.isSecret?.(textOf(value)) ? new PdfString(new Uint8Array()) : value;
    if (Array.isArray(value)) return value.map((item) => this.cleanValue(item));
    if (!(value instanceof Dict)) return value;
    return new Dict(
      [...value].map(([key, item]) => [
        this.isSecretName(key) ? this.run.work.otherNames.of(key) : key,
        this.cleanValue(item),
      ]),
    );
  }
}

/** Strings and names of a property list, however deep. */
export function saidBy(values: readonly PdfValue[]): { texts: string[]; names: Set<string> } {
  const texts: string[] = [];
  const names = new Set<string>();
  const visit = (value: PdfValue, key: string | undefined): void => {
    if (value instanceof Name) names.add(value.value);
    else if (value instanceof PdfString) {
      const text = textOf(value);
      if (!(key === 'Lang' && isLanguage(text))) texts.push(text);
    } else if (Array.isArray(value)) for (const item of value) visit(item, key);
    else if (value instanceof Dict)
      for (const [each, item] of value) {
        names.add(each);
        visit(item, each);
      }
  };
  for (const value of values) visit(value, undefined);
  return { texts, names };
}
