// Rules of PDF/UA-2 that PDF/UA-1 does not have: namespaces of tags, notes, lists, texts, destinations.
import type { Dict, PdfValue } from '../../objects.ts';
import { destinationKey, readNamedDestinations } from '../../structure/destinations.ts';
import type { Subject } from '../validation-context.ts';
import { actions, outlineItems } from './interactive-objects.ts';
import { PDFUA_ID, property } from './metadata.ts';
import {
  attributeOf,
  hasContent,
  kidTypes,
  PDF2,
  type TypedElement,
  typedElements,
} from './namespaced-structure.ts';
import type { Rule } from './rule.ts';
import { CONTAINMENT_RULES } from './structure-containment.ts';
import { selfMapped } from './tags.ts';

const PRIVATE_USE = /[\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/u;

export const ACCESSIBILITY_2_RULES: readonly Rule[] = [
  {
    at: { ua2: '5-4' },
    message: 'pdfuaid:rev stands under the prefix pdfuaid.',
    *find(subject) {
      const stated = property(subject, PDFUA_ID, 'rev');
      if (stated && stated.prefix !== 'pdfuaid') yield 'pdfuaid:rev';
    },
  },
  {
    at: { ua2: '5-5' },
    message: 'pdfuaid:rev is the year of the standard, in four digits.',
    *find(subject) {
      if (!/^\d{4}$/.test(property(subject, PDFUA_ID, 'rev')?.value ?? '')) yield 'pdfuaid:rev';
    },
  },
  typedElementRule('8.2.1-2', 'Structure elements name their parent.', ({ dict }) => !dict.has('P')),
  typedElementRule(
    '8.2.4-1',
    'Structure types belong to a namespace of PDF or to MathML, or are mapped to one.',
    ({ standardType, isCircular, isMappedAway }) => standardType === '' && !isCircular && !isMappedAway,
  ),
  {
    at: { ua2: '8.2.4-2' },
    message: 'The mapping of structure types does not run in circles.',
    *find(subject) {
      for (const { isCircular, where } of typedElements(subject)) if (isCircular) yield where;
      yield* selfMapped(subject);
    },
  },
  typedElementRule(
    '8.2.4-3',
    'A namespace does not map its types to types of its own.',
    ({ isMappedWithin }) => isMappedWithin,
  ),
  typedElementRule(
    '8.2.4-4',
    'Standard structure types are not mapped to types that are not standard.',
    ({ isMappedAway }) => isMappedAway,
  ),
  {
    at: { ua2: '8.2.5.2-1' },
    message: 'The structure tree has one Document and nothing beside it.',
    *find(subject) {
      const top = kidTypes(typedElements(subject).filter(({ parent }) => !parent));
      if (hasTree(subject) && (top.length !== 1 || top[0] !== 'Document')) yield 'StructTreeRoot';
    },
  },
  {
    at: { ua2: '8.2.5.2-2' },
    message: 'The Document at the top of the structure tree is of the namespace of PDF 2.0.',
    *find(subject) {
      const [first] = typedElements(subject);
      if (first?.standardType === 'Document' && first.namespace !== PDF2) yield first.where;
    },
  },
  typedElementRule(
    '8.2.5.8-1',
    'Entries of a table of contents tell what they refer to (Ref).',
    (each) => each.standardType === 'TOCI' && !refers(each),
  ),
  typedElementRule('8.2.5.12-1', 'There are no headings H.', ({ standardType }) => standardType === 'H'),
  typedElementRule('8.2.5.14-1', 'There are no notes Note.', ({ standardType }) => standardType === 'Note'),
  {
    at: { ua2: '8.2.5.14-2' },
    message: 'Whatever refers to a note is named by the note (Ref).',
    find: (subject) => oneWayNotes(subject, 'from'),
  },
  {
    at: { ua2: '8.2.5.14-3' },
    message: 'Whatever a note names refers to the note (Ref).',
    find: (subject) => oneWayNotes(subject, 'to'),
  },
  typedElementRule('8.2.5.14-4', 'NoteType of notes is Footnote, Endnote or None.', (each, { doc }) => {
    const type = doc.name(attributeOf(each, 'NoteType', doc)) ?? 'None';
    return each.standardType === 'FENote' && !['Footnote', 'Endnote', 'None'].includes(type);
  }),
  typedElementRule('8.2.5.23-1', 'Ruby holds RB and RT, or RB, RP, RT and RP.', ({ standardType, kids }) => {
    return standardType === 'Ruby' && !['RB RT', 'RB RP RT RP'].includes(kidTypes(kids).join(' '));
  }),
  typedElementRule('8.2.5.24-1', 'Warichu holds WP, WT and WP.', ({ standardType, kids }) => {
    return standardType === 'Warichu' && kidTypes(kids).join(' ') !== 'WP WT WP';
  }),
  typedElementRule(
    '8.2.5.25-1',
    'Lists with labels say how they are numbered (ListNumbering).',
    (each, { doc }) => {
      const numbering = doc.name(attributeOf(each, 'ListNumbering', doc)) ?? 'None';
      const items = each.kids.filter(({ standardType }) => standardType === 'LI');
      return (
        each.standardType === 'L' &&
        numbering === 'None' &&
        items.some(({ kids }) => kidTypes(kids).includes('Lbl'))
      );
    },
  ),
  typedElementRule(
    '8.2.5.25-2',
    'Content of list items stands in Lbl or LBody.',
    (each, { doc }) => each.standardType === 'LI' && hasContent(each, doc),
  ),
  typedElementRule('8.2.5.27-1', 'A caption is the first or last element.', ({ kids }) =>
    kidTypes(kids).slice(1, -1).includes('Caption'),
  ),
  typedElementRule(
    '8.2.5.28.2-1',
    'Figures have a description (Alt or ActualText).',
    ({ standardType, dict }) => standardType === 'Figure' && !dict.has('Alt') && !dict.has('ActualText'),
  ),
  typedElementRule(
    '8.2.5.29-1',
    'MathML stands in a Formula.',
    ({ standardType, parent }) =>
      standardType === 'MathML' && !['Formula', 'MathML'].includes(parent?.standardType ?? ''),
  ),
  privateUse('8.4.3-2', 'ActualText'),
  privateUse('8.4.3-3', 'Alt'),
  {
    at: { ua2: '8.4.4-1' },
    message: 'The document tells its language (Lang of the catalog).',
    *find({ doc }) {
      if (!doc.text(doc.catalog.get('Lang'))) yield 'catalog';
    },
  },
  {
    at: { ua2: '8.6-1' },
    message: 'Texts for people have no characters of private use.',
    *find({ doc, dicts }) {
      for (const { dict, where } of dicts)
        for (const key of READ_BY_PEOPLE)
          if (dict.has(key) && PRIVATE_USE.test(doc.text(dict.get(key)) ?? '')) yield `${where}, ${key}`;
    },
  },
  {
    at: { ua2: '8.7-1' },
    message: 'Where layers have several configurations, each has a name.',
    *find({ doc }) {
      const all = configurations(doc);
      if (all.length < 2) return;
      for (const config of all) if (!doc.text(config.get('Name'))) yield 'catalog, OCProperties';
    },
  },
  {
    at: { ua2: '8.7-2' },
    message: 'Configurations of layers do not switch by themselves (AS).',
    *find({ doc }) {
      for (const config of configurations(doc)) if (config.has('AS')) yield 'catalog, OCProperties';
    },
  },
  {
    at: { ua2: '8.8-1' },
    message: 'Destinations within the document are structure destinations.',
    *find(subject) {
      const { doc } = subject;
      for (const { dict, where } of [...outlineItems(subject), ...subject.annotations])
        if (dict.has('Dest') && !isStructural(subject, dict.get('Dest'))) yield where;
      const opening = doc.catalog.get('OpenAction');
      if (opening !== undefined && !doc.dict(opening) && !isStructural(subject, opening))
        yield 'catalog, OpenAction';
    },
  },
  {
    at: { ua2: '8.8-2' },
    message: 'GoTo actions have a structure destination (SD).',
    *find(subject) {
      for (const { action, where } of actions(subject))
        if (subject.doc.name(action.get('S')) === 'GoTo' && !isStructural(subject, action.get('SD')))
          yield where;
    },
  },
  {
    at: { ua2: '8.14.1-1' },
    message: 'Embedded files are described (Desc).',
    *find({ doc, dicts }) {
      for (const { dict, where } of dicts) if (dict.has('EF') && !doc.text(dict.get('Desc'))) yield where;
    },
  },
  ...CONTAINMENT_RULES,
];

/** Keys whose texts are read out or shown, those of tags apart. */
const READ_BY_PEOPLE = ['Title', 'Contents', 'TU', 'Desc', 'E'];

function typedElementRule(
  at: string,
  message: string,
  isWrong: (each: TypedElement, subject: Subject) => boolean,
): Rule {
  return {
    at: { ua2: at },
    message,
    *find(subject) {
      for (const each of typedElements(subject)) if (isWrong(each, subject)) yield each.where;
    },
  };
}

const hasTree = ({ doc }: Subject): boolean => doc.dict(doc.catalog.get('StructTreeRoot')) !== undefined;

const refers = ({ dict, kids }: TypedElement): boolean => dict.has('Ref') || kids.some(refers);

/** Notes and their citations name each other; a name that is not answered. */
function* oneWayNotes(subject: Subject, direction: 'from' | 'to'): Iterable<string> {
  const { doc } = subject;
  const refsOf = (dict: Dict): Dict[] =>
    (doc.array(dict.get('Ref')) ?? []).flatMap((each) => doc.dict(each) ?? []);
  const all = typedElements(subject);
  const notes = new Map(
    all.filter(({ standardType }) => standardType === 'FENote').map((note) => [note.dict, note]),
  );
  if (notes.size === 0) return;
  for (const { dict, where } of all)
    for (const target of refsOf(dict)) {
      if (direction === 'from' && notes.has(target) && !refsOf(target).includes(dict)) yield where;
      if (direction === 'to' && notes.has(dict) && !refsOf(target).includes(dict)) yield where;
    }
}

function privateUse(at: string, key: string): Rule {
  return {
    at: { ua2: at },
    message: `${key} has no characters of private use.`,
    *find(subject) {
      const { doc, drawn } = subject;
      const isWrong = (dict: Dict): boolean => PRIVATE_USE.test(doc.text(dict.get(key)) ?? '');
      for (const { dict, where } of typedElements(subject)) if (dict.has(key) && isWrong(dict)) yield where;
      for (const { properties, where } of drawn.markedTexts) if (isWrong(properties)) yield where;
    },
  };
}

function configurations(doc: Subject['doc']): Dict[] {
  const properties = doc.dict(doc.catalog.get('OCProperties'));
  const all = [properties?.get('D'), ...(doc.array(properties?.get('Configs')) ?? [])];
  return all.flatMap((each) => doc.dict(each) ?? []);
}

/** The first entry of a structure destination is an element; names are looked up. */
function isStructural({ doc }: Subject, value: PdfValue | undefined): boolean {
  const key = destinationKey(doc, value);
  const names = key === undefined ? undefined : readNamedDestinations(doc);
  const found = key === undefined ? value : (names?.strings.get(key) ?? names?.names.get(key));
  const named = doc.dict(found);
  const list = doc.array(named ? (named.get('SD') ?? named.get('D')) : found);
  const target = doc.dict(list?.[0]);
  return target?.has('S') === true && !target.has('MediaBox') && doc.name(target.get('Type')) !== 'Page';
}
