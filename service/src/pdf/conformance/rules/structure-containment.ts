// What may stand in what among the tags of PDF 2.0 (ISO/TS 32005, table 5): for PDF/UA-2.
import { lookup } from '../../../contract/lookup.ts';
import type { PdfDocument } from '../../document.ts';
import {
  hasContent,
  kidTypes,
  parentType,
  type TypedElement,
  typedElements,
} from './namespaced-structure.ts';
import type { Rule } from './rule.ts';

const INLINE =
  'Annot Artifact BibEntry Code Em FENote Figure Form Formula Lbl Link NonStruct Note Private Quote Reference Ruby Span Strong Sub Warichu';
const GROUPED =
  'Annot Artifact BlockQuote Caption Code Div DocumentFragment FENote Figure Form Formula H Hn Index L Lbl Link NonStruct Note P Part Private Sect TOC Table';
const DOCUMENT =
  'Annot Art Artifact Aside BlockQuote Code Div Document DocumentFragment FENote Figure Form Formula H Hn Index L Link NonStruct Note P Part Private Sect TOC Table Title';
const QUOTED =
  'Annot Art Artifact BlockQuote Caption Code Div Document DocumentFragment FENote Figure Form Formula H Hn Index L Lbl Link NonStruct Note P Part Private Reference Sect TOC Table';
const NOTED =
  'Annot Art Artifact Aside BlockQuote Caption Code Div DocumentFragment Em FENote Figure Form Formula L Lbl Link NonStruct Note P Part Private Quote Reference Ruby Sect Span Strong Sub Table Warichu';
const ROWS = 'Artifact NonStruct Private TR';
const CELL =
  'Annot Art Artifact BibEntry Code Div Em FENote Figure Form Formula H Hn Index L Lbl Link NonStruct Note P Private Quote Reference Ruby Sect Span Strong Table Warichu';
const GLOSS = 'Annot Artifact Em Form Link NonStruct Private Quote Reference Span Strong Sub';
const without = (list: string, ...gone: string[]): string =>
  list
    .split(' ')
    .filter((each) => !gone.includes(each))
    .join(' ');

/** By the element: what it may hold. Elements that are not listed may hold anything. */
const ALLOWED = lookup<string>({
  StructTreeRoot: 'Document',
  Document: DOCUMENT,
  DocumentFragment: DOCUMENT,
  Art: `${GROUPED} Aside Title`,
  Sect: `${GROUPED} Art Aside Title`,
  Aside: QUOTED,
  BlockQuote: QUOTED,
  Annot: `${without(NOTED, 'Private')} BibEntry H Hn Annot Title`,
  BibEntry:
    'Annot Artifact Div Em FENote Figure Lbl Link NonStruct Note P Part Private Reference Span Strong',
  Caption: `${without(NOTED, 'Caption')} BibEntry H Hn Index`,
  Code: 'Annot Artifact BibEntry Div DocumentFragment Em FENote Link NonStruct Note Part Private Reference Span Strong Sub',
  Em: INLINE,
  Quote: INLINE,
  Span: INLINE,
  Strong: INLINE,
  FENote: NOTED,
  Note: `${NOTED} BibEntry Index`,
  Figure: `${without(NOTED, 'DocumentFragment')} BibEntry H Hn Index`,
  LBody: `${without(NOTED, 'DocumentFragment', 'Lbl')} BibEntry H Hn Index`,
  Link: `${without(NOTED, 'Link')} BibEntry H Hn Title`,
  Formula: `${without(NOTED, 'Art', 'DocumentFragment', 'Sect')} BibEntry H Hn Index`,
  Title: `${without(NOTED, 'Art', 'BlockQuote', 'DocumentFragment', 'Sect', 'Sub')} BibEntry`,
  Form: 'Artifact BibEntry Caption Code Div FENote Figure Formula L Lbl NonStruct Note Part Private Reference Table',
  H: `${INLINE} Art Sect`,
  Hn: `${INLINE} Art Sect`,
  Index:
    'Annot Artifact Caption Div FENote Figure Formula H Hn L NonStruct Note P Part Private Reference Sect Table',
  L: 'Artifact Caption L LI NonStruct Private',
  LI: 'Artifact Div LBody Lbl NonStruct Private',
  Lbl: without(INLINE, 'Lbl'),
  P: `${INLINE} L Table`,
  Sub: `${without(INLINE, 'Sub')} L`,
  Reference: 'Annot Artifact BibEntry Em FENote Figure Lbl Link NonStruct Note Private Span Strong',
  Ruby: 'NonStruct Private RB RP RT',
  Warichu: 'NonStruct Private WP WT',
  RB: GLOSS,
  RP: GLOSS,
  RT: GLOSS,
  WP: GLOSS,
  WT: GLOSS,
  Table: 'Artifact Caption NonStruct Private TBody TFoot THead TR',
  THead: ROWS,
  TBody: ROWS,
  TFoot: ROWS,
  TR: 'Artifact NonStruct Private TD TH',
  TD: CELL,
  TH: CELL,
  TOC: 'Artifact Caption NonStruct Private TOC TOCI',
  TOCI: 'Artifact Div Lbl NonStruct P Private Reference TOC',
});

/** By the element: what it holds at most once. */
const ONCE = lookup<string>({
  Art: 'H',
  Artifact: 'Caption H',
  Aside: 'Caption H',
  BlockQuote: 'Caption H',
  Caption: 'H',
  Document: 'H',
  DocumentFragment: 'H',
  Figure: 'Caption H',
  Form: 'Caption',
  Formula: 'Caption H',
  H: 'Art Sect',
  Hn: 'Art Sect',
  L: 'Caption',
  LBody: 'Caption H',
  Sect: 'H',
  TD: 'H',
  TH: 'H',
  TOC: 'Caption',
  Table: 'Caption TFoot THead',
  Title: 'Caption',
});

/** Elements that hold other elements alone. */
const WITHOUT_CONTENT =
  'Art Document DocumentFragment Index L Sect TBody TFoot THead TOC TOCI TR Table'.split(' ');

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const ALL_KINDS = words([...new Set(Object.values(ALLOWED).join(' ').split(' '))].join(' '));

export const CONTAINMENT_RULES: readonly Rule[] = [
  ...new Set([...Object.keys(ALLOWED), ...Object.keys(ONCE)]),
].map((type): Rule => {
  const allowed = ALLOWED[type] === undefined ? ALL_KINDS : words(ALLOWED[type]);
  const once = words(ONCE[type] ?? '');
  const holdsNoContent = WITHOUT_CONTENT.includes(type);
  return {
    at: { ua2: `Table 5. ${type}-1` },
    message: `${type} holds what ISO/TS 32005 allows in it${once.size > 0 ? `, ${[...once].join(' and ')} once` : ''}.`,
    *find(subject) {
      for (const each of typedElements(subject)) {
        if (isMisplaced(each, type, allowed)) yield each.where;
        if (each.standardType === type && isWrong(each, subject.doc, once, holdsNoContent)) yield each.where;
      }
    },
  };
});

const isMisplaced = (each: TypedElement, type: string, allowed: ReadonlySet<string>): boolean =>
  ALL_KINDS.has(each.standardType) && !allowed.has(each.standardType) && parentType(each) === type;

function isWrong(
  each: TypedElement,
  doc: PdfDocument,
  once: ReadonlySet<string>,
  holdsNoContent: boolean,
): boolean {
  const kids = kidTypes(each.kids);
  return (
    [...once].some((kind) => kids.filter((kid) => kid === kind).length > 1) ||
    (holdsNoContent && hasContent(each, doc))
  );
}
