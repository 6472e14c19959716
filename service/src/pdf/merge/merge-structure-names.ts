// Names within structure trees that may clash: roles (RoleMap), classes (ClassMap) and element ids.
import type { PdfDocument } from '../document.ts';
import { freeNames } from '../free-names.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, Name, name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { sameValue } from '../same-value.ts';
import { buildNameTree, readNameTree } from '../structure/name-tree.ts';

type NewNames = Map<string, string>;
interface Renamed {
  roles: NewNames;
  classes: NewNames;
  ids: NewNames;
}

const MAX_ELEMENTS = 2_000_000;

/** Adds a tree's role map, class map, ids and namespaces to the merged root; what clashes is renamed in its elements. */
export function mergeStructureNames(doc: PdfDocument, merged: Dict, root: Dict): void {
  const renamed: Renamed = {
    roles: mergeMap(doc, merged, root, 'RoleMap'),
    classes: mergeMap(doc, merged, root, 'ClassMap'),
    ids: mergeIds(doc, merged, root),
  };
  for (const list of ['Namespaces', 'AF', 'PronunciationLexicon']) {
    const added = doc.array(root.get(list));
    if (added) merged.set(list, [...(doc.array(merged.get(list)) ?? []), ...added]);
  }
  if (renamed.roles.size + renamed.classes.size + renamed.ids.size > 0)
    renameInElements(doc, root.get('K'), renamed);
}

function mergeMap(doc: PdfDocument, merged: Dict, root: Dict, key: 'RoleMap' | 'ClassMap'): NewNames {
  const renamed: NewNames = new Map();
  const own = doc.dict(root.get(key));
  if (!own) return renamed;
  const target = new Dict(doc.dict(merged.get(key)) ?? []);
  merged.set(key, target);
  const free = freeNames();
  for (const word of new Set([...target.keys(), ...own.keys()])) free(word);
  for (const [word, value] of own) {
    if (!target.has(word)) target.set(word, value);
    else if (!sameValue(doc, target.get(word), value)) renamed.set(word, free(word));
  }
  for (const [word, unique] of renamed) {
    const value = own.get(word) ?? null;
    // A role may stand for another role of the same map.
    const role = value instanceof Name ? renamed.get(value.value) : undefined;
    target.set(unique, role === undefined ? value : name(role));
  }
  return renamed;
}

function mergeIds(doc: PdfDocument, merged: Dict, root: Dict): NewNames {
  const renamed: NewNames = new Map();
  const own = readNameTree(doc, root.get('IDTree'));
  if (own.length === 0) return renamed;
  const entries = readNameTree(doc, merged.get('IDTree'));
  const free = freeNames();
  for (const { key } of entries) free(key);
  for (const { key, value } of own) {
    const unique = free(key);
    if (unique !== key) renamed.set(key, unique);
    entries.push({ key: unique, value });
  }
  merged.set('IDTree', buildNameTree(doc, entries));
  return renamed;
}

function renameInElements(doc: PdfDocument, top: PdfValue | undefined, renamed: Renamed): void {
  const seen = new Set<string>();
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (depth > MAX_TREE_DEPTH * 5 || seen.size > MAX_ELEMENTS) return;
    const kids = doc.array(value);
    if (kids) {
      for (const kid of kids) visit(kid, depth + 1);
      return;
    }
    const dict = doc.dict(value);
    if (!(value instanceof Ref) || !dict || seen.has(value.key) || !dict.has('S')) return;
    seen.add(value.key);
    if (renameElement(doc, dict, renamed)) doc.edit(value);
    visit(dict.get('K'), depth + 1);
  };
  visit(top, 0);
}

function renameElement(doc: PdfDocument, element: Dict, { roles, classes, ids }: Renamed): boolean {
  const before = [element.get('S'), element.get('C'), element.get('ID'), element.get('A')];
  const role = roles.get(doc.name(element.get('S')) ?? '');
  if (role !== undefined) element.set('S', name(role));
  const held = element.get('C');
  if (held !== undefined && classes.size > 0)
    element.set(
      'C',
      renameEach(doc, held, (word) => newClass(word, classes)),
    );
  const id = newId(doc, element.get('ID'), ids);
  if (id) element.set('ID', id);
  if (ids.size > 0 && element.has('A')) element.set('A', renameHeaders(doc, element.get('A') ?? null, ids));
  return [element.get('S'), element.get('C'), element.get('ID'), element.get('A')].some(
    (value, index) => value !== before[index],
  );
}

function newClass(word: PdfValue, classes: NewNames): PdfValue {
  const renamed = word instanceof Name ? classes.get(word.value) : undefined;
  return renamed === undefined ? word : name(renamed);
}

function renameEach(doc: PdfDocument, value: PdfValue, rename: (word: PdfValue) => PdfValue): PdfValue {
  const list = doc.array(value);
  return list ? list.map(rename) : rename(value);
}

/** Table cells name their header cells by id. */
function renameHeaders(doc: PdfDocument, attributes: PdfValue, ids: NewNames): PdfValue {
  return renameEach(doc, attributes, (each) => {
    const dict = doc.dict(each);
    const headers = doc.array(dict?.get('Headers'));
    if (!dict || !headers || !isName(doc.resolve(dict.get('O')), 'Table')) return each;
    const copy = new Dict(dict);
    copy.set(
      'Headers',
      headers.map((id) => newId(doc, id, ids) ?? id),
    );
    return copy;
  });
}

function newId(doc: PdfDocument, value: PdfValue | undefined, ids: NewNames): PdfString | undefined {
  const held = doc.resolve(value);
  if (!(held instanceof PdfString)) return undefined;
  const id = ids.get(Buffer.from(held.bytes).toString('latin1'));
  return id === undefined ? undefined : new PdfString(Buffer.from(id, 'latin1'));
}
