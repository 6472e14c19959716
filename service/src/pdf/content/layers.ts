// Optional content (ISO 32000-1, 8.11): which of it a reader shows when it opens the document.
import { lookup } from '../../contract/lookup.ts';
import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

/** How deeply conditions may be nested; hostile files make cycles. */
const MAX_DEPTH = 30;
/** Where a layer says what it would like to be, and under which key. */
const STATE_KEYS: Readonly<Record<string, string>> = lookup({
  View: 'ViewState',
  Print: 'PrintState',
  Export: 'ExportState',
});

export class Layers {
  private readonly doc: PdfDocument;
  private readonly config: Dict;
  private readonly isOnAtFirst: boolean;
  private readonly on: ReadonlySet<string>;
  private readonly off: ReadonlySet<string>;
  private readonly intents: readonly string[];
  private readonly known = new Map<string, boolean>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.config = doc.dict(doc.dict(doc.catalog.get('OCProperties'))?.get('D')) ?? new Dict();
    this.isOnAtFirst = doc.name(this.config.get('BaseState')) !== 'OFF';
    this.on = this.keysIn(this.config.get('ON'));
    this.off = this.keysIn(this.config.get('OFF'));
    this.intents = this.intentsOf(this.config);
  }

  /** The layers of the document that are not shown. */
  hidden(): Ref[] {
    const all = this.doc.array(this.doc.dict(this.doc.catalog.get('OCProperties'))?.get('OCGs')) ?? [];
    return all.filter((each): each is Ref => each instanceof Ref && !this.isShown(each));
  }

  /** Whether content that belongs to this layer, or stands under this condition, is shown. */
  isShown(value: PdfValue | undefined): boolean {
    const dict = this.doc.dict(value);
    if (!dict) return true;
    if (this.doc.name(dict.get('Type')) === 'OCMD') return this.isMet(dict);
    return value instanceof Ref ? this.isOn(value, dict) : true;
  }

  private isOn(ref: Ref, layer: Dict): boolean {
    return computeOnce(this.known, ref.key, () => this.state(ref, layer));
  }

  private state(ref: Ref, layer: Dict): boolean {
    // "groups that do not have the intent shall have no effect on visibility"
    const wanted = this.intentsOf(layer);
    if (!this.intents.includes('All') && !wanted.some((intent) => this.intents.includes(intent))) return true;
    let state = this.isOnAtFirst;
    if (this.on.has(ref.key)) state = true;
    if (this.off.has(ref.key)) state = false;
    return this.automatic(ref, layer) ?? state;
  }

  /** What the layer itself asks for while pages are looked at, where the document lets it. */
  private automatic(ref: Ref, layer: Dict): boolean | undefined {
    const usage = this.doc.dict(layer.get('Usage'));
    let state: boolean | undefined;
    for (const value of this.doc.array(this.config.get('AS')) ?? []) {
      const rule = this.doc.dict(value);
      if (!usage || this.doc.name(rule?.get('Event')) !== 'View') continue;
      if (!this.keysIn(rule?.get('OCGs')).has(ref.key)) continue;
      for (const category of this.doc.array(rule?.get('Category')) ?? []) {
        const word = this.doc.name(category) ?? '';
        const wish = this.doc.name(this.doc.dict(usage.get(word))?.get(STATE_KEYS[word] ?? ''));
        if (wish !== undefined) state = wish !== 'OFF' && state !== false;
      }
    }
    return state;
  }

  /** A condition over several layers. */
  private isMet(condition: Dict): boolean {
    const expression = this.doc.array(condition.get('VE'));
    if (expression) return this.holds(expression, 0) ?? true;
    const held = condition.get('OCGs');
    const listed = this.doc.array(held) ?? (held === undefined ? [] : [held]);
    const states = listed.flatMap((each) => this.stateOf(each) ?? []);
    if (states.length === 0) return true;
    const policy = this.doc.name(condition.get('P'));
    if (policy === 'AllOn') return states.every((state) => state);
    if (policy === 'AllOff') return states.every((state) => !state);
    if (policy === 'AnyOff') return states.some((state) => !state);
    return states.some((state) => state);
  }

  /** Undefined for what is no layer. */
  private stateOf(value: PdfValue): boolean | undefined {
    const dict = this.doc.dict(value);
    return dict && value instanceof Ref ? this.isOn(value, dict) : undefined;
  }

  private holds([word, ...parts]: readonly PdfValue[], depth: number): boolean | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const states = parts.flatMap((part) => {
      const inner = this.doc.array(part);
      return (inner ? this.holds(inner, depth + 1) : this.stateOf(part)) ?? [];
    });
    if (states.length === 0) return undefined;
    const operator = this.doc.name(word);
    if (operator === 'Not') return !states[0];
    return operator === 'Or' ? states.some((state) => state) : states.every((state) => state);
  }

  private intentsOf(dict: Dict): string[] {
    const held = dict.get('Intent');
    const words = (this.doc.array(held) ?? [held]).flatMap((each) => this.doc.name(each) ?? []);
    return words.length > 0 ? words : ['View'];
  }

  private keysIn(value: PdfValue | undefined): Set<string> {
    return new Set((this.doc.array(value) ?? []).flatMap((each) => (each instanceof Ref ? each.key : [])));
  }
}
