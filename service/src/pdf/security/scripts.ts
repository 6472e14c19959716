// JavaScript wherever a document may hold it: under names, in actions, in XFA.
import type { PdfDocument } from '../document.ts';
import { everyField, readFormTree } from '../forms/form-tree.ts';
import { xfaScripts } from '../forms/xfa.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { type Dict, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { readNameTree } from '../structure/name-tree.ts';
import { everyNode, readOutline } from '../structure/outlines.ts';
import { nameText, textOf } from '../text-strings.ts';

export interface Script {
  /** The key of a document script; else the place its action stands at: `OpenAction`, `Page 2 O`, `Field total C`. */
  place: string;
  code: string;
}

/** A chain of actions holds this many at most; hostile files make cycles. */
const MAX_CHAIN = 200;
const MAX_SCRIPTS = 20_000;
const MAX_CODE_BYTES = 16 * 1024 * 1024;

export function readScripts(doc: PdfDocument): Script[] {
  const reader = new ScriptReader(doc);
  const names = doc.dict(doc.catalog.get('Names'));
  for (const { key, value } of readNameTree(doc, names?.get('JavaScript')))
    reader.action(textOf(new PdfString(Buffer.from(key, 'latin1'))), value);
  reader.action('OpenAction', doc.catalog.get('OpenAction'));
  reader.events('Document', doc.catalog);
  for (const node of everyNode(readOutline(doc))) reader.action(`Bookmark ${node.title}`, node.action);
  const fields = [...everyField(readFormTree(doc))];
  const fieldOf = new Map(fields.flatMap(({ name, widgets }) => widgets.map((widget) => [widget.key, name])));
  doc.pages().forEach((ref, index) => {
    const page = doc.dict(ref);
    if (!page) return;
    reader.events(`Page ${index + 1}`, page);
    for (const value of doc.array(page.get('Annots')) ?? []) {
      const field = value instanceof Ref ? fieldOf.get(value.key) : undefined;
      const annotation = doc.dict(value);
      if (!annotation) continue;
      const subtype = nameText(doc.name(annotation.get('Subtype')) ?? 'Annotation');
      const place = field === undefined ? `Page ${index + 1} ${subtype}` : `Field ${field}`;
      reader.action(`${place} A`, annotation.get('A'));
      reader.events(place, annotation);
    }
  });
  for (const { ref, name, widgets } of fields) {
    const field = doc.dict(ref);
    if (!field || widgets.some((widget) => widget.key === ref.key && reader.isRead(field))) continue;
    reader.action(`Field ${name} A`, field.get('A'));
    reader.events(`Field ${name}`, field);
  }
  for (const [index, code] of xfaScripts(doc).entries()) reader.add(`XFA ${index + 1}`, code);
  return reader.scripts;
}

class ScriptReader {
  readonly scripts: Script[] = [];
  private readonly doc: PdfDocument;
  /** Holders of actions that were looked at: a widget that is its own field is found twice. */
  private readonly read = new Set<Dict>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  isRead(holder: Dict): boolean {
    return this.read.has(holder);
  }

  add(place: string, code: string): void {
    if (this.scripts.length < MAX_SCRIPTS) this.scripts.push({ place, code });
  }

  /** The scripts of the actions that events of a page, an annotation, a field or the document start. */
  events(place: string, holder: Dict): void {
    this.read.add(holder);
    for (const [event, action] of this.doc.dict(holder.get('AA')) ?? [])
      this.action(`${place} ${nameText(event)}`, action);
  }

  /** The scripts of an action and of those that follow it. */
  action(place: string, action: PdfValue | undefined): void {
    const seen = new Set<Dict>();
    const visit = (value: PdfValue | undefined, depth: number): void => {
      const dict = this.doc.dict(value);
      if (!dict || seen.has(dict) || seen.size >= MAX_CHAIN || depth > MAX_TREE_DEPTH) return;
      seen.add(dict);
      const code = this.code(dict.get('JS'));
      if (code !== undefined) this.add(place, code);
      const next = dict.get('Next');
      for (const each of this.doc.array(next) ?? [next]) visit(each, depth + 1);
    };
    visit(action, 0);
  }

  /** "a text string or text stream" */
  private code(value: PdfValue | undefined): string | undefined {
    const held = this.doc.resolve(value);
    if (held instanceof PdfString) return textOf(held);
    if (!(held instanceof Stream) || !(value instanceof Ref)) return undefined;
    return textOf(new PdfString(this.doc.streamData(value).bytes.subarray(0, MAX_CODE_BYTES)));
  }
}
