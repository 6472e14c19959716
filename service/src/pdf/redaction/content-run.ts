// Content, followed operation by operation. Without a plan its characters are listed; with one, what the plan names is
// taken out and all else is copied as it stands. Both count characters alike, so a plan made from the list fits.

import { lookup } from '../../contract/lookup.ts';
import { product } from '../geometry/matrix.ts';
import { type Dict, Name, Ref } from '../objects.ts';
import type { ResourceCategory } from '../syntax/content-names.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatValue } from '../syntax/object-syntax.ts';
import { commentsIn, withoutComments } from './content-comments.ts';
import type { ContentWork } from './content-work.ts';
import { Drawing } from './drawing.ts';
import { Marking } from './marking.ts';
import { Painting } from './painting.ts';
import { type Follower, RunContext, type State } from './run-context.ts';
import { TextFollowing } from './text-following.ts';

/** Operators that name a resource, besides those that draw it or mark content. */
const NAMING: Readonly<Record<string, ResourceCategory>> = lookup({
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
});
const MAX_SAVED = 100_000;

export interface Ran {
  /** Absent: nothing was taken out. */
  changed: { content: Buffer; resources: Dict } | undefined;
  /** Ids of marked content that lost something. */
  lost: ReadonlySet<number>;
}

export class ContentRun {
  private readonly context: RunContext;
  private readonly followers: readonly Follower[];
  private readonly saved: State[] = [];

  constructor(work: ContentWork, bytes: Uint8Array, resources: Dict, state: State, depth: number) {
    const isSecret = work.plan?.isSecret;
    const cleaned = isSecret ? withoutComments(bytes, isSecret) : bytes;
    if (!work.plan) work.listTexts(commentsIn(bytes));
    const context = new RunContext(work, cleaned, resources, state, depth);
    context.hasChanged = cleaned !== bytes;
    const marking = new Marking(context);
    this.context = context;
    this.followers = [
      new Painting(context),
      new TextFollowing(context, marking.openSpan),
      new Drawing(context),
      marking,
    ];
  }

  run(): Ran {
    const { context } = this;
    const reader = new ContentReader(context.bytes);
    for (let operation = reader.next(); operation; operation = reader.next()) {
      context.work.spend();
      this.follow(operation);
    }
    context.marks.endAll();
    context.copyTo(context.bytes.length);
    if (!context.work.plan) context.work.listNames(context.names);
    const changed = context.hasChanged
      ? { content: Buffer.concat(context.pieces), resources: context.resources.used() }
      : undefined;
    return { changed, lost: context.marks.lost };
  }

  private follow(operation: Operation): void {
    const { context } = this;
    if (!this.renamed(operation)) context.resources.note(operation.operator, operation.operands);
    if (this.followers.some((follower) => follower.follow(operation))) return;
    if (operation.operator === 'q') {
      if (this.saved.length < MAX_SAVED) this.saved.push(context.state);
    } else if (operation.operator === 'Q') context.state = this.saved.pop() ?? context.state;
    else if (operation.operator === 'cm') {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operation.operands.map((each) =>
        typeof each === 'number' ? each : 0,
      );
      context.state = { ...context.state, ctm: product([a, b, c, d, e, f], context.state.ctm) };
    }
  }

  /** A resource whose name holds a term gets another name. */
  private renamed(operation: Operation): boolean {
    const { resources, doc, work, names } = this.context;
    const category = Object.hasOwn(NAMING, operation.operator) ? NAMING[operation.operator] : undefined;
    const operand = operation.operands[operation.operator === 'Tf' ? 0 : operation.operands.length - 1];
    if (!category || !(operand instanceof Name)) return false;
    names.add(operand.value);
    if (!work.plan?.isSecretName?.(operand.value)) return false;
    const value = resources.get(category, operand);
    if (value === undefined) return false;
    const made = value instanceof Ref ? value : doc.add(value);
    const key = resources.exchange(category, new Name('X'), made);
    const others = operation.operands.map((each) => formatValue(each === operand ? new Name(key) : each));
    this.context.replace(operation, [...others, operation.operator].join(' '));
    return true;
  }
}
