// Rules of tags, for level a and PDF/UA: marking, structure types (the role map followed to standard ones), languages.
import { type Dict, PdfString } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';
import { structureElements } from './structure-elements.ts';

export const STANDARD_TYPES: ReadonlySet<string> = new Set(
  `Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody
   Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP
   Figure Formula Form`.split(/\s+/),
);

/** PDF/A takes an empty language for one that is not known, PDF/UA for none. */
const LANGUAGE = /^(?:[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*)?$/;
const OLDER_LANGUAGE = /^(?:[a-zA-Z]{1,8}(?:-[a-zA-Z]{1,8})*)?$/;

export interface Element {
  dict: Dict;
  type: string;
  /** The standard type it is or is mapped to. */
  standardType: string;
  parent: Element | undefined;
  kids: Element[];
  where: string;
}

/** What stands in these stands in whatever they stand in. */
export const GROUPING_TYPES: ReadonlySet<string> = new Set(['NonStruct', 'Div', 'Part']);

/** The type an element stands in, past those that only group. */
export function parentTypeOf({ parent }: Element): string {
  let each = parent;
  while (each && GROUPING_TYPES.has(each.standardType)) each = each.parent;
  return each?.standardType ?? '';
}

/** What stands in an element, past what only groups. */
export const kidsOf = ({ kids }: Pick<Element, 'kids'>): Element[] =>
  kids.flatMap((kid) => (GROUPING_TYPES.has(kid.standardType) ? kidsOf(kid) : [kid]));

export const TAG_RULES: readonly Rule[] = [
  {
    at: { 1: '6.8.2.2-1', 2: '6.7.2.2-1' },
    levels: ['a'],
    message: 'The document says that it is tagged (MarkInfo, Marked).',
    *find({ doc }) {
      if (doc.boolean(doc.dict(doc.catalog.get('MarkInfo'))?.get('Marked')) !== true)
        yield 'catalog, MarkInfo';
    },
  },
  {
    at: { 1: '6.8.3.3-1', 2: '6.7.3.3-1' },
    levels: ['a'],
    message: 'The document has a structure tree.',
    *find({ doc }) {
      if (!doc.dict(doc.catalog.get('StructTreeRoot'))) yield 'catalog';
    },
  },
  {
    at: { 1: '6.8.3.4-1', 2: '6.7.3.4-1' },
    levels: ['a'],
    message: 'Structure types that are not standard are mapped to standard ones.',
    find: (subject, { part }) => findUnmapped(subject, part === 1),
  },
  {
    at: { 1: '6.8.3.4-2', 2: '6.7.3.4-2' },
    levels: ['a'],
    message: 'The mapping of structure types does not run in circles.',
    find: circular,
  },
  {
    at: { 2: '6.7.3.4-3' },
    levels: ['a'],
    message: 'Standard structure types are not mapped to others.',
    find: findRemapped,
  },
  {
    at: { 1: '6.8.4-1' },
    levels: ['a'],
    message: 'Languages are language tags.',
    find: (subject) => wrongLanguages(subject, OLDER_LANGUAGE),
  },
  {
    at: { 2: '6.7.4-1' },
    levels: ['a'],
    message: 'Languages are language tags.',
    find: (subject) => wrongLanguages(subject, LANGUAGE),
  },
];

/** Elements of the structure tree, parents before their kids. */
export const elements = ({ doc }: Subject): Element[] =>
  structureElements(doc, (placed, roles) => ({
    ...placed,
    standardType: mappedType(doc, roles, placed.type),
  }));

function mappedType(
  doc: Subject['doc'],
  roles: Dict | undefined,
  type: string,
  isStandard = (each: string): boolean => STANDARD_TYPES.has(each),
): string {
  let current = type;
  for (let hops = 0; hops < 50 && !isStandard(current); hops += 1) {
    const next = doc.name(roles?.get(current));
    if (next === undefined) break;
    current = next;
  }
  return current;
}

/** Types that came after PDF 1.4, on which part 1 builds. */
export const LATER_TYPES: ReadonlySet<string> = new Set([
  'THead',
  'TBody',
  'TFoot',
  'Annot',
  'Ruby',
  'RB',
  'RT',
  'RP',
  'Warichu',
  'WT',
  'WP',
]);

export function* findUnmapped(subject: Subject, isOlder = false): Iterable<string> {
  const circles = new Set(circularTypes(subject));
  const isStandard = (type: string): boolean =>
    STANDARD_TYPES.has(type) && !(isOlder && LATER_TYPES.has(type));
  const { doc } = subject;
  const roles = doc.dict(doc.dict(doc.catalog.get('StructTreeRoot'))?.get('RoleMap'));
  for (const { type, where } of elements(subject))
    if (!isStandard(mappedType(doc, roles, type, isStandard)) && !circles.has(type)) yield where;
}

export function* circular(subject: Subject): Iterable<string> {
  const circles = new Set(circularTypes(subject));
  for (const { type, where } of elements(subject)) if (circles.has(type)) yield where;
}

/** Types whose mapping never ends. */
function* circularTypes({ doc }: Subject): Iterable<string> {
  const roles = doc.dict(doc.dict(doc.catalog.get('StructTreeRoot'))?.get('RoleMap'));
  for (const type of roles?.keys() ?? []) {
    if (STANDARD_TYPES.has(type)) continue;
    const seen = new Set<string>();
    for (
      let current: string | undefined = type;
      current !== undefined;
      current = doc.name(roles?.get(current))
    ) {
      if (seen.has(current)) {
        yield type;
        break;
      }
      if (STANDARD_TYPES.has(current) && current !== type) break;
      seen.add(current);
    }
  }
}

/** Standard types that are mapped to themselves. */
export function* selfMapped({ doc }: Subject): Iterable<string> {
  const roles = doc.dict(doc.dict(doc.catalog.get('StructTreeRoot'))?.get('RoleMap'));
  for (const type of roles?.keys() ?? [])
    if (STANDARD_TYPES.has(type) && doc.name(roles?.get(type)) === type) yield `role map, ${type}`;
}

export function* findRemapped(subject: Subject): Iterable<string> {
  const { doc } = subject;
  const roles = doc.dict(doc.dict(doc.catalog.get('StructTreeRoot'))?.get('RoleMap'));
  for (const { type, where } of elements(subject))
    if (STANDARD_TYPES.has(type) && roles?.has(type) && doc.name(roles.get(type)) !== type) yield where;
}

export function* wrongLanguages(subject: Subject, form: RegExp): Iterable<string> {
  const { doc, dicts, drawn } = subject;
  const isWrong = (dict: Dict): boolean => {
    const held = doc.resolve(dict.get('Lang'));
    const language = held instanceof PdfString ? (doc.text(held) ?? '') : undefined;
    return language !== undefined && !form.test(language);
  };
  for (const { dict, where } of dicts) if (dict.has('Lang') && isWrong(dict)) yield where;
  for (const { properties, where } of drawn.markedTexts) if (isWrong(properties)) yield where;
}
