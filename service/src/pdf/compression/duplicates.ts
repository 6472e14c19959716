// Objects that say the same become one: fonts, images, profiles and forms that were brought in twice.
import { createHash } from 'node:crypto';
import { append, computeOnce } from '../../contract/maps.ts';
import { contentParts } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Name, type PdfObject, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';

/** What is the same on the inside lets its holders become the same: fonts after their programs. */
const MAX_ROUNDS = 6;

/** Keys that lead from resources to things that are more than what they say: layers, tags, pages. */
const IDENTITIES = new Set([
  'Properties',
  'OC',
  'Parent',
  'P',
  'Pg',
  'StructParent',
  'PieceInfo',
  'Metadata',
]);

export function mergeDuplicates(doc: PdfDocument, refs: readonly Ref[]): void {
  const data = new Map<string, string>();
  let drawn = drawnRefs(doc, refs);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const same = findSame(doc, drawn, data);
    if (same.size === 0) return;
    redirect(doc, refs, same);
    drawn = drawn.filter(({ key }) => !same.has(key));
  }
}

/** Everything that resources lead to. Of pages, fields and the like, two that say the same are still two. */
function drawnRefs(doc: PdfDocument, refs: readonly Ref[]): Ref[] {
  const found = new Map<string, Ref>();
  const pages = new Set(doc.pages().map((ref) => ref.key));
  const waiting: PdfObject[] = [];
  for (const ref of refs) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object;
    if (dict instanceof Dict) waiting.push(dict.get('Resources') ?? null);
    if (object instanceof Stream && doc.name(object.dict.get('Subtype')) === 'Image') waiting.push(ref);
  }
  for (const page of doc.pages()) waiting.push(...contentParts(doc, page));
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Ref) {
      if (found.has(value.key) || pages.has(value.key)) continue;
      found.set(value.key, value);
      waiting.push(doc.get(value));
    } else if (Array.isArray(value)) waiting.push(...value);
    else {
      const dict = value instanceof Stream ? value.dict : value;
      if (dict instanceof Dict) for (const [key, item] of dict) if (!IDENTITIES.has(key)) waiting.push(item);
    }
  }
  return [...found.values()];
}

function findSame(doc: PdfDocument, refs: readonly Ref[], data: Map<string, string>): Map<string, Ref> {
  const groups = new Map<string, Ref[]>();
  for (const ref of refs) {
    const object = doc.get(ref);
    const isContainer = object instanceof Stream || object instanceof Dict || Array.isArray(object);
    if (!isContainer) continue;
    const text = createHash('sha256').update(spelled(object)).digest('base64');
    append(groups, text, ref);
  }
  const same = new Map<string, Ref>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const firsts = new Map<string, Ref>();
    for (const ref of group) {
      const content = doc.get(ref) instanceof Stream ? digestOf(doc, ref, data) : '';
      const first = firsts.get(content);
      if (first) same.set(ref.key, first);
      else firsts.set(content, ref);
    }
  }
  return same;
}

/** Only data of streams whose dictionaries agree, length included, is ever read. */
function digestOf(doc: PdfDocument, ref: Ref, data: Map<string, string>): string {
  return computeOnce(data, ref.key, () =>
    createHash('sha256').update(doc.rawStreamData(ref)).digest('base64'),
  );
}

/** The value as text; the order of a dictionary's entries says nothing. */
function spelled(value: PdfObject): string {
  if (value instanceof Stream) return `stream ${spelled(value.dict)}`;
  if (value instanceof Ref) return `${value.key} R`;
  if (value instanceof Name) return `/${value.value} `;
  if (value instanceof PdfString) return `(${Buffer.from(value.bytes).toString('base64')})`;
  if (Array.isArray(value)) return `[${value.map(spelled).join(' ')}]`;
  if (!(value instanceof Dict)) return String(value);
  const entries = [...value].sort(([a], [b]) => (a < b ? -1 : 1));
  return `<${entries.map(([key, item]) => `/${key} ${spelled(item)}`).join(' ')}>`;
}

function redirect(doc: PdfDocument, refs: readonly Ref[], same: ReadonlyMap<string, Ref>): void {
  for (const ref of refs) {
    const object = doc.get(ref);
    const held = object instanceof Stream ? object.dict : object;
    if (!(held instanceof Dict || Array.isArray(held)) || !redirectWithin(held, same)) continue;
    if (Array.isArray(held)) doc.replace(ref, held);
    else doc.edit(ref);
  }
}

function redirectWithin(value: Dict | PdfValue[], same: ReadonlyMap<string, Ref>): boolean {
  let changed = false;
  const entries = Array.isArray(value) ? value.entries() : value.entries();
  for (const [key, item] of entries) {
    if (item instanceof Ref) {
      const first = same.get(item.key);
      if (!first) continue;
      if (Array.isArray(value)) value[key as number] = first;
      else value.set(key as string, first);
      changed = true;
    } else if (item instanceof Dict || Array.isArray(item)) {
      if (redirectWithin(item, same)) changed = true;
    }
  }
  return changed;
}
