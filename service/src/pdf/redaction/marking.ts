// Marked content while content is followed: texts that stand for what is drawn go when some of it goes, or when they
// hold a term.
import type { Operation } from '../content/content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Name } from '../objects.ts';
import { propertiesOf, REPLACEMENT_TEXTS, withoutTexts } from '../structure/marked-content.ts';
import { formatName } from '../syntax.ts';
import type { Follower, RunContext } from './run-context.ts';

export class Marking implements Follower {
  private readonly run: RunContext;
  /** For each sequence that is open, the number of its text where it has one. */
  private readonly spans: (number | undefined)[] = [];

  constructor(run: RunContext) {
    this.run = run;
  }

  readonly openSpan = (): number | undefined => this.spans.findLast((each) => each !== undefined);

  follow(operation: Operation): boolean {
    switch (operation.operator) {
      case 'BMC':
        this.spans.push(undefined);
        this.run.marks.begin();
        return true;
      case 'BDC':
        this.beginMarked(operation);
        return true;
      case 'DP':
        this.markPoint(operation);
        return true;
      case 'EMC':
        this.spans.pop();
        this.run.marks.end();
        return true;
      default:
        return false;
    }
  }

  private beginMarked(operation: Operation): void {
    const [tag, operand] = operation.operands;
    const properties = propertiesOf(this.run.doc, operand, this.run.resources.category('Properties'));
    const mcid = properties && this.run.doc.number(properties.get('MCID'));
    const isInline = operand instanceof Dict;
    if (isInline) this.run.work.listTexts(textsIn(this.run.doc, operand));
    const isSecret = isInline && this.isSecret(operand);
    if (!properties || (!isSecret && !REPLACEMENT_TEXTS.some((key) => properties.has(key)))) {
      this.run.resources.use('Properties', operand);
      this.spans.push(undefined);
      this.run.marks.begin(mcid);
      return;
    }
    const actual = this.run.doc.text(properties.get('ActualText'));
    const span = actual === undefined ? undefined : this.run.work.openSpan(actual);
    this.spans.push(span);
    const mustGo =
      this.run.work.plan !== undefined &&
      ((span !== undefined && this.run.work.plan.isSpanGone(span)) || isSecret);
    if (!this.run.work.plan) {
      this.run.marks.begin(mcid);
      return;
    }
    // Written at the end of the sequence, when it is known what is left of it.
    const at = this.run.putOff(operation);
    this.run.marks.begin(mcid, (lost) => {
      if (lost || mustGo) {
        this.run.pieces[at] = Buffer.from(
          ` ${withoutTexts(tag, this.withoutSecrets(properties))}\n`,
          'latin1',
        );
        this.run.hasChanged = true;
        this.run.work.touched.texts += 1;
      } else this.run.resources.use('Properties', operand);
    });
    if (mustGo) this.run.marks.loseContent();
  }

  private isSecret(properties: Dict): boolean {
    const { plan } = this.run.work;
    return plan?.isSecret !== undefined && textsIn(this.run.doc, properties).some(plan.isSecret);
  }

  private withoutSecrets(properties: Dict): Dict {
    const isSecret = this.run.work.plan?.isSecret;
    if (!isSecret) return properties;
    return new Dict([...properties].filter(([, value]) => !isSecret(this.run.doc.text(value) ?? '')));
  }

  private markPoint(operation: Operation): void {
    const [tag, operand] = operation.operands;
    if (!(operand instanceof Dict)) return;
    this.run.work.listTexts(textsIn(this.run.doc, operand));
    if (!this.isSecret(operand)) return;
    this.run.work.touched.texts += 1;
    this.run.replace(operation, tag instanceof Name ? `${formatName(tag.value)} MP` : '');
  }
}

function textsIn(doc: PdfDocument, dict: Dict): string[] {
  return [...dict.values()].flatMap((value) => {
    const text = doc.text(value);
    return text === undefined ? [] : [text];
  });
}
