// What a document holds besides its text, counted, as plain data: for judging whether a rewrite kept it.

import type { PdfDocument } from '../../src/pdf/document.ts';
import { MAX_TREE_DEPTH } from '../../src/pdf/object-graph.ts';
import { Dict, isName, Name, type PdfObject, PdfString, type PdfValue, Ref } from '../../src/pdf/objects.ts';
import { labelText, readPageLabels } from '../../src/pdf/pages/page-labels.ts';
import {
  destinationOf,
  type NamedDestinations,
  pageIndexes,
  pageIndexOf,
  readNamedDestinations,
} from '../../src/pdf/structure/destinations.ts';
import { readNameTree } from '../../src/pdf/structure/name-tree.ts';
import { type OutlineNode, readOutline } from '../../src/pdf/structure/outlines.ts';
import { textOf } from '../../src/pdf/text-strings.ts';

export interface Survey {
  pages: number;
  /** Links to pages of the document: from page, to page, counted from 0. `to` is null where a link leads to no page. */
  links: { from: number; to: number | null }[];
  /** Links to web addresses, other files and the like. */
  otherLinks: number;
  /** Outline entries in reading order. */
  outline: { title: string; depth: number; to: number | null }[];
  namedDestinations: number;
  /** Form fields by full name; those without a name of their own are widgets of a field. */
  fields: { name: string; value: string | null; widgets: number }[];
  /** Annotations by subtype. */
  annotations: Record<string, number>;
  attachments: string[];
  /** One per page; null where the document has no labels. */
  pageLabels: string[] | null;
  tagged: boolean;
  structureElements: number;
  layers: string[];
}

const MAX_ITEMS = 1_000_000;

export function surveyOf(doc: PdfDocument): Survey {
  const named = readNamedDestinations(doc);
  const indexes = pageIndexes(doc);
  const labels = readPageLabels(doc);
  return {
    pages: doc.pageCount,
    ...surveyAnnotations(doc, named, indexes),
    outline: surveyOutline(doc, named, indexes),
    namedDestinations: named.names.size + named.strings.size,
    fields: surveyFields(doc),
    attachments: readNameTree(doc, doc.dict(doc.catalog.get('Names'))?.get('EmbeddedFiles')).map(({ key }) =>
      textOf(new PdfString(Buffer.from(key, 'latin1'))),
    ),
    pageLabels: labels ? labels.map(labelText) : null,
    tagged: doc.boolean(doc.dict(doc.catalog.get('MarkInfo'))?.get('Marked')) === true,
    structureElements: countElements(doc),
    layers: (doc.array(doc.dict(doc.catalog.get('OCProperties'))?.get('OCGs')) ?? []).map(
      (group) => doc.text(doc.dict(group)?.get('Name')) ?? '',
    ),
  };
}

function surveyAnnotations(
  doc: PdfDocument,
  named: NamedDestinations,
  indexes: ReadonlyMap<string, number>,
): Pick<Survey, 'links' | 'otherLinks' | 'annotations'> {
  const links: Survey['links'] = [];
  const annotations: Record<string, number> = {};
  let otherLinks = 0;
  doc.pages().forEach((ref, from) => {
    for (const each of doc.array(doc.dict(ref)?.get('Annots')) ?? []) {
      const annotation = doc.dict(each);
      if (!annotation) continue;
      const subtype = doc.name(annotation.get('Subtype')) ?? 'unknown';
      annotations[subtype] = (annotations[subtype] ?? 0) + 1;
      if (subtype !== 'Link') continue;
      const action = doc.dict(annotation.get('A'));
      if (action && !annotation.has('Dest') && !isName(doc.resolve(action.get('S')), 'GoTo')) otherLinks += 1;
      else links.push({ from, to: targetOf(doc, named, indexes, annotation) });
    }
  });
  return { links, otherLinks, annotations };
}

function targetOf(
  doc: PdfDocument,
  named: NamedDestinations,
  indexes: ReadonlyMap<string, number>,
  holder: Dict,
): number | null {
  const destination = destinationOf(doc, named, holder);
  return destination ? (pageIndexOf(destination, indexes) ?? null) : null;
}

function surveyOutline(
  doc: PdfDocument,
  named: NamedDestinations,
  indexes: ReadonlyMap<string, number>,
): Survey['outline'] {
  const entries: Survey['outline'] = [];
  const visit = (nodes: readonly OutlineNode[], depth: number): void => {
    for (const { title, dest, action, children } of nodes) {
      const holder = Dict.of({ Dest: dest, A: action });
      entries.push({ title, depth, to: targetOf(doc, named, indexes, holder) });
      visit(children, depth + 1);
    }
  };
  visit(readOutline(doc), 0);
  return entries;
}

function surveyFields(doc: PdfDocument): Survey['fields'] {
  const fields: Survey['fields'] = [];
  const seen = new Set<string>();
  const visit = (value: PdfValue, prefix: string, above: PdfObject, depth: number): number => {
    if (value instanceof Ref) {
      if (seen.has(value.key) || seen.size > MAX_ITEMS) return 0;
      seen.add(value.key);
    }
    const dict = doc.dict(value);
    if (!dict || depth > MAX_TREE_DEPTH) return 0;
    const partial = doc.text(dict.get('T'));
    const name = partial === undefined ? prefix : prefix === '' ? partial : `${prefix}.${partial}`;
    const held = doc.resolve(dict.get('V')) ?? above;
    const own: Survey['fields'][number] = { name, value: valueText(held), widgets: 0 };
    if (partial !== undefined) fields.push(own);
    const kids = doc.array(dict.get('Kids')) ?? [];
    let widgets = isName(doc.resolve(dict.get('Subtype')), 'Widget') ? 1 : 0;
    for (const kid of kids) widgets += visit(kid, name, held, depth + 1);
    own.widgets = widgets;
    return partial === undefined ? widgets : 0;
  };
  for (const root of doc.array(doc.dict(doc.catalog.get('AcroForm'))?.get('Fields')) ?? [])
    visit(root, '', null, 0);
  return fields;
}

function valueText(value: PdfObject): string | null {
  if (value instanceof PdfString) return textOf(value);
  if (value instanceof Name) return value.value;
  if (Array.isArray(value))
    return value.map((each) => (each instanceof PdfString ? textOf(each) : '')).join('\n');
  return null;
}

function countElements(doc: PdfDocument): number {
  const seen = new Set<string>();
  let count = 0;
  const pending: PdfValue[] = [doc.dict(doc.catalog.get('StructTreeRoot'))?.get('K') ?? null];
  while (pending.length > 0 && count < MAX_ITEMS) {
    const value = pending.pop() ?? null;
    if (value instanceof Ref) {
      if (seen.has(value.key)) continue;
      seen.add(value.key);
    }
    const resolved = doc.resolve(value);
    if (Array.isArray(resolved)) pending.push(...resolved);
    if (!(resolved instanceof Dict) || !resolved.has('S')) continue;
    count += 1;
    pending.push(resolved.get('K') ?? null);
  }
  return count;
}
