// The tree of tags as PDF 2.0 knows it: types belong to namespaces, and are mapped from one to another.
import type { PdfDocument } from '../../document.ts';
import { Dict, type PdfValue } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import { structureElements } from './structure-elements.ts';
import { GROUPING_TYPES, STANDARD_TYPES } from './tags.ts';

export const PDF2 = 'http://iso.org/pdf2/ssn';
const PDF17 = 'http://iso.org/pdf/ssn';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Types of PDF 2.0 (ISO 32000-2, 14.8.4), headings of any level beside them. */
const TYPES_OF_2: ReadonlySet<string> = new Set(
  `Document DocumentFragment Part Sect Div Aside NonStruct P Title FENote Sub Lbl Span Em Strong Link Annot Form Ruby RB
   RT RP Warichu WT WP L LI LBody Table TR TH TD THead TBody TFoot Caption Figure Formula Artifact`.split(
    /\s+/,
  ),
);
const HEADING = /^H[1-9][0-9]*$/;
const MAX_HOPS = 50;

export interface TypedElement {
  dict: Dict;
  type: string;
  /** The standard type it is or is mapped to: `Hn` for headings, `MathML` for formulas, '' where it is none. */
  standardType: string;
  /** That of the standard type. */
  namespace: string;
  isCircular: boolean;
  /** Its namespace maps it to a type of the same namespace. */
  isMappedWithin: boolean;
  /** A standard type that is mapped to one that is not. */
  isMappedAway: boolean;
  parent: TypedElement | undefined;
  kids: TypedElement[];
  where: string;
}

const known = new WeakMap<Subject, TypedElement[]>();

/** Elements of the structure tree, parents before their kids. */
export function typedElements(subject: Subject): TypedElement[] {
  const held = known.get(subject) ?? readElements(subject.doc);
  known.set(subject, held);
  return held;
}

const readElements = (doc: PdfDocument): TypedElement[] =>
  structureElements(doc, (placed, roles) => ({
    ...placed,
    ...mappedType(doc, roles, placed.type, placed.dict.get('NS')),
  }));

type Mapped = Pick<
  TypedElement,
  'standardType' | 'namespace' | 'isCircular' | 'isMappedWithin' | 'isMappedAway'
>;

function mappedType(
  doc: PdfDocument,
  roles: Dict | undefined,
  type: string,
  space: PdfValue | undefined,
): Mapped {
  const holder = doc.dict(space);
  const namespace = holder ? (doc.text(holder.get('NS')) ?? '') : PDF17;
  const isStandard = standardOf(type, namespace) !== undefined;
  const made = followRoleMap(doc, roles, type, space);
  const role = holder ? undefined : doc.name(roles?.get(type));
  const isMappedAway =
    isStandard &&
    (holder
      ? made.standardType === '' && !made.isCircular
      : role !== undefined && standardOf(role, PDF17) === undefined);
  return { ...made, isMappedAway };
}

function followRoleMap(
  doc: PdfDocument,
  roles: Dict | undefined,
  type: string,
  space: PdfValue | undefined,
): Omit<Mapped, 'isMappedAway'> {
  let [current, holder] = [type, doc.dict(space)];
  const seen = new Set<string>();
  let isMappedWithin = false;
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const namespace = holder ? (doc.text(holder.get('NS')) ?? '') : PDF17;
    const role = doc.resolve(
      holder ? doc.dict(holder.get('RoleMapNS'))?.get(current) : (roles?.get(current) ?? null),
    );
    const target = Array.isArray(role) ? role : [role ?? null];
    const next = doc.name(target[0]);
    if (holder && next !== undefined && doc.dict(target[1]) === holder) isMappedWithin = true;
    const standardType = standardOf(current, namespace);
    if (standardType !== undefined && !(holder && next !== undefined))
      return { standardType, namespace, isCircular: false, isMappedWithin };
    if (next === undefined) return { standardType: '', namespace, isCircular: false, isMappedWithin };
    const key = `${namespace} ${current}`;
    if (seen.has(key))
      return { standardType: standardType ?? '', namespace, isCircular: true, isMappedWithin };
    seen.add(key);
    [current, holder] = [next, doc.dict(target[1])];
  }
  return { standardType: '', namespace: '', isCircular: true, isMappedWithin };
}

function standardOf(type: string, namespace: string): string | undefined {
  if (namespace === MATHML) return 'MathML';
  if (namespace === PDF2) return HEADING.test(type) ? 'Hn' : TYPES_OF_2.has(type) ? type : undefined;
  if (namespace === PDF17) return /^H[1-6]$/.test(type) ? 'Hn' : STANDARD_TYPES.has(type) ? type : undefined;
  return undefined;
}

/** The type an element stands in, past those that only group. */
export function parentType({ parent }: TypedElement): string {
  let each = parent;
  while (each && GROUPING_TYPES.has(each.standardType)) each = each.parent;
  return each ? each.standardType : 'StructTreeRoot';
}

/** Types of what stands in an element, past those that only group. */
export const kidTypes = (kids: readonly TypedElement[]): string[] =>
  kids.flatMap((kid) => (GROUPING_TYPES.has(kid.standardType) ? kidTypes(kid.kids) : [kid.standardType]));

/** Content of pages, or an annotation, not only other elements. */
export function hasContent({ dict }: TypedElement, doc: PdfDocument): boolean {
  const held = doc.resolve(dict.get('K') ?? null);
  return (Array.isArray(held) ? held : [held]).some((each) => {
    const value = doc.resolve(each);
    return typeof value === 'number' || (value instanceof Dict && !value.has('S'));
  });
}

/** An attribute, wherever among the attributes of an element it is written. */
export function attributeOf({ dict }: TypedElement, key: string, doc: PdfDocument): PdfValue | undefined {
  const held = dict.get('A');
  for (const each of doc.array(held) ?? [held ?? null]) {
    const found = doc.dict(each)?.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
