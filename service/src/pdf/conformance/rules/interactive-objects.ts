// What a document can do: its fields, actions, bookmarks and scripts.
import { Dict, type PdfValue } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';

const MAX_FIELDS = 200_000;

export function fields({ doc }: Subject): { dict: Dict; where: string }[] {
  const found: { dict: Dict; where: string }[] = [];
  const seen = new Set<Dict>();
  const waiting = [...(doc.array(doc.dict(doc.catalog.get('AcroForm'))?.get('Fields')) ?? [])].reverse();
  for (let value = waiting.pop(); value !== undefined && found.length < MAX_FIELDS; value = waiting.pop()) {
    const dict = doc.dict(value);
    if (!dict || seen.has(dict)) continue;
    seen.add(dict);
    // Kids without a name of their own are the field's widgets.
    if (dict.has('T') || dict.has('FT')) {
      const name = doc.text(dict.get('T')) ?? '';
      found.push({ dict, where: `form field ${name.slice(0, 60)}` });
    }
    waiting.push(...[...(doc.array(dict.get('Kids')) ?? [])].reverse());
  }
  return found;
}

/** Actions wherever the document starts one: outlines, annotations, pages, opening, fields. */
export function actions(subject: Subject): { action: Dict; where: string }[] {
  const { doc, annotations, pages } = subject;
  const found: { action: Dict; where: string }[] = [];
  const seen = new Set<Dict>();
  const add = (value: PdfValue | undefined, where: string): void => {
    const waiting = [value];
    for (let next = waiting.pop(); waiting.length >= 0 && next !== undefined; next = waiting.pop()) {
      const action = doc.dict(next);
      if (!action || seen.has(action) || found.length > MAX_FIELDS) continue;
      seen.add(action);
      found.push({ action, where });
      const following = action.get('Next');
      waiting.push(...(doc.array(following) ?? (following === undefined ? [] : [following])));
    }
  };
  const holder = (dict: Dict, where: string): void => {
    add(dict.get('A'), where);
    for (const [event, action] of doc.dict(dict.get('AA')) ?? []) add(action, `${where}, event ${event}`);
  };
  const opening = doc.resolve(doc.catalog.get('OpenAction'));
  if (opening instanceof Dict) add(doc.catalog.get('OpenAction'), 'OpenAction');
  holder(doc.catalog, 'catalog');
  for (const { dict, where } of pages) holder(dict, where);
  for (const { dict, where } of annotations) holder(dict, where);
  for (const { dict, where } of fields(subject)) holder(dict, where);
  for (const { dict, where } of outlineItems(subject)) add(dict.get('A'), where);
  for (const value of scripts(subject)) add(value, 'document scripts');
  return found;
}

export function outlineItems({ doc }: Subject): { dict: Dict; where: string }[] {
  const found: { dict: Dict; where: string }[] = [];
  const seen = new Set<Dict>();
  const waiting: (PdfValue | undefined)[] = [doc.dict(doc.catalog.get('Outlines'))?.get('First')];
  while (waiting.length > 0 && found.length < MAX_FIELDS) {
    const dict = doc.dict(waiting.pop());
    if (!dict || seen.has(dict)) continue;
    seen.add(dict);
    found.push({ dict, where: `bookmark ${(doc.text(dict.get('Title')) ?? '').slice(0, 60)}` });
    waiting.push(dict.get('Next'), dict.get('First'));
  }
  return found;
}

function scripts({ doc }: Subject): PdfValue[] {
  const found: PdfValue[] = [];
  const seen = new Set<Dict>();
  const waiting: (PdfValue | undefined)[] = [doc.dict(doc.catalog.get('Names'))?.get('JavaScript')];
  while (waiting.length > 0 && seen.size < 10_000) {
    const node = doc.dict(waiting.pop());
    if (!node || seen.has(node)) continue;
    seen.add(node);
    waiting.push(...(doc.array(node.get('Kids')) ?? []));
    found.push(...(doc.array(node.get('Names')) ?? []).filter((_, index) => index % 2 === 1));
  }
  return found;
}
