// Terms that stand elsewhere than on pages: in appearances, patterns, drawn glyphs and forms that nothing draws, in
// strings, and in streams of text.

import { contentParts } from '../content/page-content.ts';
import { contentOf } from '../filters/content-data.ts';
import { formOf } from '../forms/form-tree.ts';
import { Dict, isName, type Ref } from '../objects.ts';
import { type PaintedBox, withBoxes } from './box-drawing.ts';
import { cleanText } from './clean-text.ts';
import { cleanResidue, secretResidue } from './content-residue.ts';
import { type ContentWork, otherContent, type RemovalPlan } from './content-work.ts';
import { cleanTails, secretTails } from './filter-tails.ts';
import type { Listed } from './glyph-list.ts';
import { boxesOf, findHits, mergeHits } from './hits.ts';
import { blankOut } from './opaque-streams.ts';
import { isPdfWord } from './pdf-words.ts';
import { cleanNames, isSecretName, secretNames } from './secret-names.ts';
import { cleanStrings, secretStrings } from './secret-strings.ts';
import type { Terms } from './terms.ts';
import { cleanStreams, secretStreams } from './text-streams.ts';

export interface CleanedOutside {
  boxes: number;
  strings: number;
}

export function cleanOutsidePages(work: ContentWork, terms: Terms, colour: string): CleanedOutside {
  const { doc } = work;
  const cleaned = { boxes: 0, strings: 0 };
  // Each by itself first, so that what several draw is counted once.
  for (const ownOnly of [true, false]) {
    work.ownOnly = ownOnly;
    for (const ref of otherContent(doc, doc.allRefs())) {
      if (!ownOnly && !drawsForms(work, ref)) continue;
      const { boxes, strings } = cleanStream(work, ref, terms, colour);
      cleaned.boxes += boxes;
      cleaned.strings += strings;
    }
  }
  work.ownOnly = false;
  const refs = doc.allRefs();
  cleaned.strings += cleanTails(doc, refs, terms);
  cleaned.strings += cleanResidue(doc, otherContent(doc, refs), terms);
  cleaned.strings += cleanStreams(doc, refs, drawnStreams(work, refs), terms);
  cleaned.strings += cleanStrings(doc, refs, terms, work.otherNames);
  cleaned.strings += cleanNames(doc, refs, terms, work.otherNames);
  return cleaned;
}

function drawsForms({ doc }: ContentWork, ref: Ref): boolean {
  const resources = doc.dict(doc.dict(ref)?.get('Resources'));
  // Without resources of its own it may draw anything of those around it.
  if (!resources) return true;
  return [...(doc.dict(resources.get('XObject'))?.values() ?? [])].some(
    (drawn) => doc.name(doc.dict(drawn)?.get('Subtype')) === 'Form',
  );
}

/** An object outside the pages that holds a term: its kind, by PDF's own words only, and its number. */
export interface OutsidePlace {
  kind: 'string' | 'name' | 'data' | 'drawing';
  /** Absent: the trailer. */
  object?: number;
  of?: string[];
}

/** Places of terms that are left outside pages. */
export function secretsOutsidePages(work: ContentWork, terms: Terms): OutsidePlace[] {
  const { doc } = work;
  const refs = doc.allRefs();
  const places = [
    ...secretStrings(doc, refs, terms).map((ref) => placeOf(work, 'string', ref)),
    ...secretNames(doc, refs, terms).map((ref) => placeOf(work, 'name', ref)),
    ...secretResidue(doc, otherContent(doc, refs), terms).map((ref) => placeOf(work, 'drawing', ref)),
    ...secretTails(doc, refs, terms).map((ref) => placeOf(work, 'data', ref)),
    ...secretStreams(doc, refs, drawnStreams(work, refs), terms).map((ref) => placeOf(work, 'data', ref)),
  ];
  for (const ref of otherContent(doc, refs)) {
    const listed = work.listStream(ref, around(work));
    const count = findHits(listed, terms).length + secretsBeside(listed, terms);
    for (let each = 0; each < count; each += 1) places.push(placeOf(work, 'drawing', ref));
  }
  return places;
}

function placeOf({ doc }: ContentWork, kind: OutsidePlace['kind'], ref: Ref | undefined): OutsidePlace {
  if (!ref) return { kind };
  const dict = doc.dict(ref);
  const of = ['Type', 'Subtype'].flatMap((key) => doc.name(dict?.get(key)) ?? []).filter(isPdfWord);
  return { kind, object: ref.number, ...(of.length > 0 ? { of } : {}) };
}

const KIND_WORDS = { string: 'a string', name: 'a name', data: 'the data', drawing: 'a drawing' } as const;

/** For callers. */
export function placeWords({ kind, object, of }: OutsidePlace): string {
  const holder = object === undefined ? 'the trailer' : `object ${object}`;
  return `${KIND_WORDS[kind]} of ${holder}${of ? ` (${of.join(', ')})` : ''}`;
}

/** Texts, names and data in content that hold a term, besides what it shows. */
export const secretsBeside = ({ texts, names, data }: Listed, terms: Terms): number =>
  texts.filter((text) => cleanText(text, terms) !== undefined).length +
  [...names].filter((each) => isSecretName(each, terms)).length +
  data.filter((each) => blankOut(each, terms.bytes) !== undefined).length;

/** What a plan forbids, whatever is shown. */
export const forbidden = (
  terms: Terms,
): Pick<Required<RemovalPlan>, 'isSecret' | 'isSecretName' | 'cleanedData'> => ({
  isSecret: (text) => cleanText(text, terms) !== undefined,
  cleanedData: (data) => blankOut(data, terms.bytes),
  isSecretName: (given) => isSecretName(given, terms),
});

/** Appearances without resources draw with those of the form. */
const around = ({ doc }: ContentWork): Dict => doc.dict(formOf(doc)?.get('DR')) ?? new Dict();

function drawnStreams({ doc }: ContentWork, refs: readonly Ref[]): Set<string> {
  const pages = doc.pages().flatMap((page) => contentParts(doc, page));
  return new Set([...pages, ...otherContent(doc, refs)].map((ref) => ref.key));
}

function cleanStream(work: ContentWork, ref: Ref, terms: Terms, colour: string): CleanedOutside {
  const { doc } = work;
  const listed = work.listStream(ref, around(work));
  const hits = mergeHits(findHits(listed, terms));
  if (hits.length + secretsBeside(listed, terms) === 0) return { boxes: 0, strings: 0 };
  const taken = new Set(hits.flatMap(({ glyphs }) => [...glyphs]));
  const spans = new Set(hits.flatMap((hit) => [...hit.spans]));
  work.cutStream(ref, around(work), {
    isGone: (glyph) => taken.has(glyph),
    isSpanGone: (span) => spans.has(span),
    ...forbidden(terms),
    quads: [],
  });
  work.touched.texts += taken.size;
  const quads = hits.flatMap((hit) => boxesOf(hit, listed.glyphs, 0)).map(({ drawn }) => drawn);
  // Patterns and drawn glyphs may have no colour of their own.
  if (!isName(doc.resolve(doc.dict(ref)?.get('Subtype')), 'Form') || quads.length === 0)
    return { boxes: 0, strings: Math.max(1, hits.length) };
  const boxes: PaintedBox[] = quads.map((quad) => ({ quad, colour }));
  doc.replaceStreamData(ref, withBoxes(contentOf(doc, ref), boxes));
  return { boxes: boxes.length, strings: 0 };
}
