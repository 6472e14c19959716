// Layers (optional content, ISO 32000-1, 8.11.4) of several documents under one configuration.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import type { MergePart } from './merge-part.ts';

interface Layers {
  groups: Ref[];
  config: Dict;
}

const LISTS = ['Order', 'RBGroups', 'AS', 'Locked'];

export function mergeLayers(doc: PdfDocument, parts: readonly MergePart[]): void {
  const all = parts.map((part) => readLayers(doc, part.catalog));
  if (all.slice(1).every((layers) => layers === undefined)) return;
  const base = doc.dict(doc.catalog.get('OCProperties'));
  const config = new Dict(all[0]?.config ?? []);
  const off = doc.name(config.get('BaseState')) === 'OFF';
  for (const layers of all.slice(1)) if (layers) addLayers(doc, config, off, layers);
  const merged = new Dict(base ?? []);
  merged.set('OCGs', distinct(all.flatMap((layers) => layers?.groups ?? [])));
  merged.set('D', config);
  doc.edit(doc.catalogRef).set('OCProperties', doc.add(merged));
}

function readLayers(doc: PdfDocument, catalog: Dict): Layers | undefined {
  const properties = doc.dict(catalog.get('OCProperties'));
  if (!properties) return undefined;
  return { groups: refsOf(doc, properties.get('OCGs')), config: doc.dict(properties.get('D')) ?? new Dict() };
}

function addLayers(
  doc: PdfDocument,
  config: Dict,
  baseIsOff: boolean,
  { groups, config: own }: Layers,
): void {
  for (const list of LISTS) {
    const added = doc.array(own.get(list));
    if (added) config.set(list, [...(doc.array(config.get(list)) ?? []), ...added]);
  }
  // What is on by default in one document may be off by default in the other: say it of each layer.
  const keys = (list: string) => new Set(refsOf(doc, own.get(list)).map((ref) => ref.key));
  const [on, off] = [keys('ON'), keys('OFF')];
  const startsOff = doc.name(own.get('BaseState')) === 'OFF';
  const hidden = (ref: Ref) => (startsOff ? !on.has(ref.key) : off.has(ref.key));
  const list = baseIsOff ? 'ON' : 'OFF';
  const named = groups.filter((ref) => hidden(ref) !== baseIsOff);
  if (named.length > 0) config.set(list, distinct([...refsOf(doc, config.get(list)), ...named]));
}

function refsOf(doc: PdfDocument, value: PdfValue | undefined): Ref[] {
  return (doc.array(value) ?? []).filter((each) => each instanceof Ref);
}

const distinct = (refs: readonly Ref[]): Ref[] => [...new Map(refs.map((ref) => [ref.key, ref])).values()];
