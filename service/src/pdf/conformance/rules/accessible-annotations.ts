// Rules of PDF/UA on annotations: where they stand among the tags, and whether they are described.

import { boxOf } from '../../geometry/boxes.ts';
import { Dict } from '../../objects.ts';
import type { Annotation, Subject } from '../validation-context.ts';
import { element, isHidden } from './accessibility.ts';
import type { Rule } from './rule.ts';
import { StructureParents } from './structure-parents.ts';
import { type Element, elements } from './tags.ts';

/** Kinds that have a rule of their own, or need none. */
const NOT_ANNOT = ['Widget', 'PrinterMark', 'Link'];

export const ACCESSIBLE_ANNOTATION_RULES: readonly Rule[] = [
  annotation(
    '7.18.1-1',
    'Annotations stand in an Annot structure element.',
    ({ subtype }, _subject, parent) => !NOT_ANNOT.includes(subtype) && parent?.standardType !== 'Annot',
  ),
  annotation(
    '7.18.1-2',
    'Annotations have a description (Contents, or Alt of their structure element).',
    ({ dict, subtype }, { doc }, parent) =>
      subtype !== 'Widget' && !doc.text(dict.get('Contents')) && !doc.text(parent?.dict.get('Alt')),
  ),
  annotation(
    '7.18.1-3',
    'Fields have a description (TU, or Alt of their structure element).',
    ({ dict, subtype }, { doc }, parent) =>
      subtype === 'Widget' &&
      !doc.text(dict.get('TU')) &&
      !doc.text(doc.dict(dict.get('Parent'))?.get('TU')) &&
      !doc.text(parent?.dict.get('Alt')),
  ),
  annotation('7.18.2-1', 'There are no TrapNet annotations.', ({ subtype }) => subtype === 'TrapNet'),
  {
    at: { ua1: '7.18.3-1' },
    message: 'On pages with annotations the tab order follows the structure (Tabs is S).',
    *find({ doc, pages }) {
      for (const { dict, where } of pages) {
        const hasAnnotations = (doc.array(dict.get('Annots'))?.length ?? 0) > 0;
        if (hasAnnotations && doc.name(dict.get('Tabs')) !== 'S') yield where;
      }
    },
  },
  annotation(
    '7.18.5-2',
    'Links have a description (Contents).',
    ({ dict, subtype }, { doc }) => subtype === 'Link' && !doc.text(dict.get('Contents')),
  ),
  annotation(
    '7.18.4-1',
    'Fields stand in a Form structure element.',
    ({ subtype }, _subject, parent) => subtype === 'Widget' && parent?.standardType !== 'Form',
  ),
  element(
    '7.18.4-2',
    'A Form structure element holds one field and nothing else, unless it has a Role.',
    (each, { doc }) => each.standardType === 'Form' && !hasRole(each, doc) && !holdsOneObject(each, doc),
  ),
  annotation(
    '7.18.5-1',
    'Links stand in a Link structure element.',
    ({ subtype }, _subject, parent) => subtype === 'Link' && parent?.standardType !== 'Link',
  ),
  {
    at: { ua1: '7.18.6.2-1' },
    message: 'Media clips tell their type (CT).',
    *find(subject) {
      for (const { dict, where } of mediaClips(subject)) if (!dict.has('CT')) yield where;
    },
  },
  {
    at: { ua1: '7.18.6.2-2' },
    message: 'Media clips have a description (Alt).',
    *find(subject) {
      const { doc } = subject;
      for (const { dict, where } of mediaClips(subject)) {
        const described = (doc.array(dict.get('Alt')) ?? []).filter((_, index) => index % 2 === 1);
        if (described.length === 0 || described.some((each) => !doc.text(each))) yield where;
      }
    },
  },
  annotation(
    '7.18.8-1',
    "Printer's marks stand in no structure element.",
    ({ subtype }, _subject, parent) => subtype === 'PrinterMark' && parent !== undefined,
  ),
];

function annotation(
  at: string,
  message: string,
  isWrong: (each: Annotation, subject: Subject, parent: Element | undefined) => boolean,
): Rule {
  return {
    at: { ua1: at },
    message,
    *find(subject) {
      const byDict = new Map(elements(subject).map((element) => [element.dict, element]));
      const parents = new StructureParents(subject.doc);
      for (const each of subject.annotations) {
        if (isHidden(each.dict, subject.doc) || isOutside(each, subject)) continue;
        const key = subject.doc.number(each.dict.get('StructParent'));
        const parent = key === undefined ? undefined : subject.doc.dict(parents.at(key));
        if (isWrong(each, subject, parent && byDict.get(parent))) yield each.where;
      }
    },
  };
}

const mediaClips = ({ doc, dicts }: Subject): { dict: Dict; where: string }[] =>
  dicts.filter(({ dict }) => doc.name(dict.get('S')) === 'MCD');

function isOutside({ dict, page }: Annotation, { doc }: Subject): boolean {
  const edges = (doc.array(dict.get('Rect')) ?? []).map((edge) => doc.number(edge) ?? Number.NaN);
  const [x = Number.NaN, y = Number.NaN, toX = Number.NaN, toY = Number.NaN] = edges;
  // A field that nobody sees is a rectangle without extent.
  const rect = Number.isNaN(x + y + toX + toY)
    ? undefined
    : { left: Math.min(x, toX), right: Math.max(x, toX), bottom: Math.min(y, toY), top: Math.max(y, toY) };
  const shown = boxOf(doc, doc.inherited(page, 'CropBox') ?? doc.inherited(page, 'MediaBox') ?? null);
  if (!rect || !shown) return false;
  return (
    rect.right <= shown.left ||
    rect.left >= shown.right ||
    rect.top <= shown.bottom ||
    rect.bottom >= shown.top
  );
}

function hasRole({ dict }: Element, doc: Subject['doc']): boolean {
  const held = dict.get('A');
  return (doc.array(held) ?? [held ?? null]).some((each) => doc.dict(each)?.has('Role') === true);
}

function holdsOneObject({ dict, kids }: Element, doc: Subject['doc']): boolean {
  const held = dict.get('K');
  const content = (doc.array(held) ?? [held ?? null]).map((each) => doc.resolve(each));
  const objects = content.filter((each) => each instanceof Dict && doc.name(each.get('Type')) === 'OBJR');
  return objects.length === 1 && content.length === 1 && kids.length === 0;
}
