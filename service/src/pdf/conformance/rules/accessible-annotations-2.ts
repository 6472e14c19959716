// Rules of PDF/UA-2 on annotations and fields.

import type { PdfDocument } from '../../document.ts';
import type { Annotation, Subject } from '../validation-context.ts';
import { fields } from './interactive-objects.ts';
import { type TypedElement, typedElements } from './namespaced-structure.ts';
import type { Rule } from './rule.ts';
import { StructureParents } from './structure-parents.ts';

const INVISIBLE = 1;
const NO_VIEW = 32;
const TOGGLE_NO_VIEW = 256;

/** Annotations by which people comment (ISO 32000-2, 12.5.6.2). */
const MARKUP: ReadonlySet<string> = new Set(
  `Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink
   FileAttachment Redact Projection`.split(/\s+/),
);

interface Placed extends Annotation {
  /** The element it stands in. */
  parent: TypedElement | undefined;
  doc: PdfDocument;
}

export const ACCESSIBLE_ANNOTATION_2_RULES: readonly Rule[] = [
  annotationRule(
    '8.2.5.20-1',
    'Links stand in a Link or Reference element.',
    ({ subtype, parent }) =>
      subtype === 'Link' && !['Link', 'Reference'].includes(parent?.standardType ?? ''),
  ),
  {
    at: { ua2: '8.2.5.20-2' },
    message: 'Links to different targets stand in different elements.',
    *find(subject) {
      const targets = new Map<TypedElement, string>();
      for (const { subtype, parent, dict, doc, where } of placements(subject)) {
        if (subtype !== 'Link' || !parent) continue;
        const target = targetOf(dict, doc);
        const first = targets.get(parent) ?? target;
        targets.set(parent, first);
        if (first !== target) yield where;
      }
    },
  },
  annotationRule(
    '8.9.2.2-1',
    'Invisible annotations are artifacts.',
    (each) => (flagsOf(each) & INVISIBLE) !== 0 && isReal(each),
  ),
  annotationRule('8.9.2.2-2', 'Annotations that are never viewed are artifacts.', (each) => {
    const flags = flagsOf(each);
    return (flags & NO_VIEW) !== 0 && (flags & TOGGLE_NO_VIEW) === 0 && isReal(each);
  }),
  annotationRule(
    '8.9.2.3-1',
    'Comments stand in an Annot element.',
    ({ subtype, parent }) => MARKUP.has(subtype) && parent?.standardType !== 'Annot',
  ),
  annotationRule(
    '8.9.2.3-2',
    'Rich text and Contents of a comment say the same.',
    ({ dict, subtype, doc }) => {
      const [rich, plain] = [doc.text(dict.get('RC')), doc.text(dict.get('Contents'))];
      return (
        MARKUP.has(subtype) && rich !== undefined && plain !== undefined && plainText(rich) !== words(plain)
      );
    },
  ),
  annotationRule(
    '8.9.2.4.7-1',
    'Stamps have a name or Contents.',
    ({ dict, subtype }) => subtype === 'Stamp' && !dict.has('Name') && !dict.has('Contents'),
  ),
  contentsRule('8.9.2.4.8-1', 'Ink'),
  annotationRule(
    '8.9.2.4.9-1',
    'Popups stand in no structure element.',
    ({ subtype, parent }) => subtype === 'Popup' && parent !== undefined,
  ),
  annotationRule(
    '8.9.2.4.10-1',
    'Attached files say what they are for (AFRelationship).',
    ({ dict, subtype, doc }) => {
      const file = doc.dict(dict.get('FS'));
      return subtype === 'FileAttachment' && file !== undefined && !file.has('AFRelationship');
    },
  ),
  annotationRule('8.9.2.4.11-1', 'There are no Sound annotations.', ({ subtype }) => subtype === 'Sound'),
  annotationRule('8.9.2.4.11-2', 'There are no Movie annotations.', ({ subtype }) => subtype === 'Movie'),
  contentsRule('8.9.2.4.12-1', 'Screen'),
  annotationRule('8.9.2.4.13-1', 'Fields without width and height are artifacts.', (each) => {
    const [left, bottom, right, top] = (each.doc.array(each.dict.get('Rect')) ?? []).map((edge) =>
      each.doc.number(edge),
    );
    return each.subtype === 'Widget' && left === right && bottom === top && isReal(each);
  }),
  annotationRule(
    '8.9.2.4.14-1',
    "Printer's marks are artifacts.",
    (each) => each.subtype === 'PrinterMark' && isReal(each),
  ),
  annotationRule('8.9.2.4.15-1', 'There are no TrapNet annotations.', ({ subtype }) => subtype === 'TrapNet'),
  annotationRule(
    '8.9.2.4.16-1',
    'Watermarks that are no artifacts stand in an Annot element.',
    (each) => each.subtype === 'Watermark' && isReal(each) && each.parent?.standardType !== 'Annot',
  ),
  contentsRule('8.9.2.4.19-1', '3D'),
  contentsRule('8.9.2.4.19-2', 'RichMedia'),
  {
    at: { ua2: '8.9.3.3-1' },
    message: 'On pages with annotations the tab order is told (Tabs is A, W or S).',
    *find({ doc, pages }) {
      for (const { dict, where } of pages) {
        const hasAnnotations = (doc.array(dict.get('Annots'))?.length ?? 0) > 0;
        if (hasAnnotations && !['A', 'W', 'S'].includes(doc.name(dict.get('Tabs')) ?? '')) yield where;
      }
    },
  },
  annotationRule(
    '8.9.4.2-1',
    'Contents of an annotation and Alt of its element are the same.',
    ({ dict, parent, doc }) => {
      const [contents, alt] = [doc.text(dict.get('Contents')), doc.text(parent?.dict.get('Alt'))];
      return contents !== undefined && alt !== undefined && contents !== alt;
    },
  ),
  annotationRule(
    '8.10.1-1',
    'Fields stand in a Form element or are artifacts.',
    (each) => each.subtype === 'Widget' && isReal(each) && each.parent?.standardType !== 'Form',
  ),
  {
    at: { ua2: '8.10.1-2' },
    message: 'A Form element holds one field at most.',
    *find(subject) {
      const seen = new Set<TypedElement>();
      for (const { subtype, parent, where } of placements(subject)) {
        if (subtype !== 'Widget' || parent?.standardType !== 'Form') continue;
        if (seen.has(parent)) yield where;
        seen.add(parent);
      }
    },
  },
  {
    at: { ua2: '8.10.1-3' },
    message: 'The form is no XFA form.',
    *find({ doc }) {
      if (doc.dict(doc.catalog.get('AcroForm'))?.has('XFA')) yield 'AcroForm';
    },
  },
  annotationRule(
    '8.10.2.3-1',
    'Fields without a label have Contents.',
    ({ dict, subtype, parent }) =>
      subtype === 'Widget' &&
      !dict.has('Contents') &&
      !parent?.kids.some(({ standardType }) => standardType === 'Lbl'),
  ),
  annotationRule(
    '8.10.2.3-2',
    'Fields with actions have Contents.',
    ({ dict, subtype }) => subtype === 'Widget' && dict.has('AA') && !dict.has('Contents'),
  ),
  {
    at: { ua2: '8.10.3.3-1' },
    message: 'Rich text and value of a text field say the same.',
    *find(subject) {
      const { doc } = subject;
      for (const { dict, where } of fields(subject)) {
        const rich = doc.text(dict.get('RV'));
        const isText = doc.name(dict.get('FT')) === 'Tx';
        if (isText && rich !== undefined && plainText(rich) !== words(doc.text(dict.get('V')) ?? ''))
          yield where;
      }
    },
  },
  {
    at: { ua2: '8.10.3.5-1' },
    message: 'Images in the appearance of a signature are described (Alt).',
    *find({ drawn }) {
      for (const { where } of drawn.namelessSignatureImages) yield where;
    },
  },
];

function placements(subject: Subject): Placed[] {
  const { doc } = subject;
  const byDict = new Map(typedElements(subject).map((element) => [element.dict, element]));
  const parents = new StructureParents(doc);
  return subject.annotations.map((each) => {
    const key = doc.number(each.dict.get('StructParent'));
    const parent = key === undefined ? undefined : doc.dict(parents.at(key));
    return { ...each, doc, parent: parent && byDict.get(parent) };
  });
}

function annotationRule(at: string, message: string, isWrong: (each: Placed) => boolean): Rule {
  return {
    at: { ua2: at },
    message,
    *find(subject) {
      for (const each of placements(subject)) if (isWrong(each)) yield each.where;
    },
  };
}

function contentsRule(at: string, kind: string): Rule {
  const isWrong = ({ dict, subtype }: Placed): boolean => subtype === kind && !dict.has('Contents');
  return annotationRule(at, `${kind} annotations have Contents.`, isWrong);
}

const flagsOf = ({ dict, doc }: Placed): number => doc.number(dict.get('F')) ?? 0;

/** It stands among the tags, and not as an artifact. */
const isReal = ({ parent }: Placed): boolean => parent !== undefined && parent.standardType !== 'Artifact';

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

const plainText = (rich: string): string => words(rich.replace(/<[^>]*>/g, ' '));

/** Where a link leads, as text to be compared. */
function targetOf(dict: Annotation['dict'], doc: PdfDocument): string {
  const action = doc.dict(dict.get('A'));
  const held = dict.get('Dest') ?? action?.get('SD') ?? action?.get('D') ?? action?.get('URI') ?? null;
  const place = doc.array(held);
  return doc.text(held) ?? JSON.stringify(place ?? doc.name(held) ?? null);
}
