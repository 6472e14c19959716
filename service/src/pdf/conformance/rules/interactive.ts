// Rules of annotations, form fields and actions.
import { Dict, Stream } from '../../objects.ts';
import type { Part, Standard } from '../standards.ts';
import type { Annotation, Subject } from '../validation-context.ts';
import { actions, fields } from './interactive-objects.ts';
import type { Rule } from './rule.ts';

const INVISIBLE = 1;
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
const TOGGLE_NO_VIEW = 256;

const ANNOTATIONS =
  'Text Link FreeText Line Square Circle Highlight Underline Squiggly StrikeOut Stamp Ink Popup Widget PrinterMark TrapNet'.split(
    ' ',
  );
const LATER_ANNOTATIONS = [...ANNOTATIONS, 'Polygon', 'PolyLine', 'Caret', 'Watermark', 'Redact'];

const ACTIONS = ['GoTo', 'GoToR', 'Thread', 'URI', 'Named', 'SubmitForm'];
const NAMED_ACTIONS = ['NextPage', 'PrevPage', 'FirstPage', 'LastPage'];

export function allowedAnnotations({ part, level }: Standard): readonly string[] {
  if (part === 1) return ANNOTATIONS;
  if (part === 4) {
    const more = level === 'e' ? ['3D', 'RichMedia'] : level === 'f' ? ['FileAttachment'] : [];
    return [...LATER_ANNOTATIONS, 'Projection', ...more];
  }
  return [...LATER_ANNOTATIONS, 'FileAttachment'];
}

export function allowedActions({ part, level }: Standard): readonly string[] {
  if (part === 1) return ACTIONS;
  if (part !== 4) return [...ACTIONS, 'GoToE'];
  const more = level === 'e' ? ['SetOCGState', 'GoTo3DView'] : [];
  return [...ACTIONS, 'GoToE', 'JavaScript', 'RichMediaExecute', 'GoToDp', ...more];
}

type Check = (annotation: Annotation, subject: Subject, part: Part) => boolean;

function annotation(at: Rule['at'], message: string, isWrong: Check): Rule {
  return {
    at,
    message,
    *find(subject, { part }) {
      for (const each of subject.annotations) if (isWrong(each, subject, part)) yield each.where;
    },
  };
}

export const INTERACTIVE_RULES: readonly Rule[] = [
  {
    at: { 1: '6.5.2-1', 2: '6.3.1-1', 4: '6.3.1-1' },
    message: 'Annotations are of a type the part allows.',
    *find({ annotations }, standard) {
      const allowed = new Set(allowedAnnotations(standard));
      for (const { subtype, where } of annotations) if (!allowed.has(subtype)) yield where;
    },
  },
  annotation({ 1: '6.5.3-1' }, 'CA of annotations is 1.', ({ dict }, { doc }) => {
    const opacity = doc.number(dict.get('CA'));
    return opacity !== undefined && opacity !== 1;
  }),
  annotation(
    { 1: '6.5.3-2' },
    'Annotations are printed, and not hidden, invisible or out of view.',
    ({ dict }, { doc }) => {
      const flags = doc.number(dict.get('F'));
      return flags === undefined || (flags & (INVISIBLE | HIDDEN | NO_VIEW | PRINT)) !== PRINT;
    },
  ),
  annotation(
    { 2: '6.3.2-1', 4: '6.3.2-1' },
    'Annotations have flags (F).',
    ({ dict, subtype }) => subtype !== 'Popup' && !dict.has('F'),
  ),
  annotation(
    { 2: '6.3.2-2', 4: '6.3.2-2' },
    'Annotations are printed, and not hidden, invisible or out of view.',
    ({ dict }, { doc }) => {
      const flags = doc.number(dict.get('F'));
      if (flags === undefined) return false;
      return (flags & (INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW | PRINT)) !== PRINT;
    },
  ),
  annotation(
    { 1: '6.5.3-3' },
    'Annotations have a colour (C, IC) only where the output intent is RGB.',
    ({ dict }, subject) => (dict.has('C') || dict.has('IC')) && subject.outputColours !== 'RGB ',
  ),
  annotation(
    { 2: '6.3.3-1', 4: '6.3.3-1' },
    'Annotations have an appearance.',
    ({ dict, subtype }, { doc }, part) => {
      if (['Popup', 'Link', ...(part === 4 ? ['Projection'] : [])].includes(subtype)) return false;
      const box = (doc.array(dict.get('Rect')) ?? []).map((each) => doc.number(each) ?? 0);
      const isEmpty = box[0] === box[2] && box[1] === box[3];
      return !isEmpty && !doc.dict(dict.get('AP'));
    },
  ),
  annotation(
    { 1: '6.5.3-4', 2: '6.3.3-2', 4: '6.3.3-2' },
    'Appearances have the entry N alone.',
    ({ dict }, { doc }) => {
      const appearance = doc.dict(dict.get('AP'));
      return appearance !== undefined && [...appearance.keys()].some((key) => key !== 'N');
    },
  ),
  annotation(
    { 1: '6.5.3-5', 2: '6.3.3-3', 4: '6.3.3-3' },
    'The appearance of a button has one stream for each state.',
    (each, subject) => {
      const { doc } = subject;
      const appearance = doc.dict(each.dict.get('AP'));
      if (!appearance || !isButton(each, subject)) return false;
      const normal = doc.resolve(appearance.get('N'));
      return !(normal instanceof Dict) || normal.size === 0;
    },
  ),
  annotation(
    { 1: '6.5.3-6', 2: '6.3.3-4', 4: '6.3.3-4' },
    'The appearance of anything but a button is one stream.',
    (each, subject) => {
      const { doc } = subject;
      const appearance = doc.dict(each.dict.get('AP'));
      return (
        Boolean(appearance) &&
        !isButton(each, subject) &&
        !(doc.resolve(appearance?.get('N')) instanceof Stream)
      );
    },
  ),
  annotation(
    { 1: '6.6.1-3' },
    'Fields start no action (A).',
    ({ dict, subtype }) => subtype === 'Widget' && dict.has('A'),
  ),
  annotation(
    { 1: '6.6.2-1' },
    'Fields have no additional actions (AA).',
    ({ dict, subtype }) => subtype === 'Widget' && dict.has('AA'),
  ),
  annotation(
    { 2: '6.4.1-1' },
    'Fields start no action (A, AA).',
    ({ dict, subtype }) => subtype === 'Widget' && (dict.has('A') || dict.has('AA')),
  ),
  annotation(
    { 4: '6.4.1-1' },
    'Fields start no action (A).',
    ({ dict, subtype }) => subtype === 'Widget' && dict.has('A'),
  ),
  {
    at: { 1: '6.6.2-2', 2: '6.4.1-2' },
    message: 'Form fields have no additional actions (AA).',
    *find(subject) {
      for (const { dict, where } of fields(subject)) if (dict.has('AA')) yield where;
    },
  },
  {
    at: { 1: '6.9-1', 2: '6.4.1-3', 4: '6.4.1-2' },
    message: 'Appearances of fields are there and need not be made (NeedAppearances is false).',
    *find({ doc }) {
      if (doc.boolean(doc.dict(doc.catalog.get('AcroForm'))?.get('NeedAppearances')) === true)
        yield 'AcroForm';
    },
  },
  annotation(
    { 1: '6.9-2' },
    'Fields have an appearance.',
    ({ dict, subtype }, { doc }) => subtype === 'Widget' && !doc.dict(dict.get('AP')),
  ),
  {
    at: { 2: '6.4.2-1', 4: '6.4.2-1' },
    message: 'The form has no XFA.',
    *find({ doc }) {
      if (doc.dict(doc.catalog.get('AcroForm'))?.has('XFA')) yield 'AcroForm';
    },
  },
  {
    at: { 2: '6.4.2-2', 4: '6.4.2-2' },
    message: 'NeedsRendering is not true.',
    *find({ doc }) {
      if (doc.boolean(doc.catalog.get('NeedsRendering')) === true) yield 'catalog';
    },
  },
  {
    at: { 1: '6.6.1-1', 2: '6.5.1-1', 4: '6.6.1-1' },
    message: 'Actions are of a type the part allows.',
    *find(subject, standard) {
      const allowed = new Set(allowedActions(standard));
      for (const { action, where } of actions(subject))
        if (!allowed.has(subject.doc.name(action.get('S')) ?? '')) yield where;
    },
  },
  {
    at: { 1: '6.6.1-2', 2: '6.5.1-2', 4: '6.6.1-2' },
    message: 'Named actions are NextPage, PrevPage, FirstPage or LastPage.',
    *find(subject) {
      const { doc } = subject;
      for (const { action, where } of actions(subject)) {
        if (doc.name(action.get('S')) !== 'Named') continue;
        if (!NAMED_ACTIONS.includes(doc.name(action.get('N')) ?? '')) yield where;
      }
    },
  },
  {
    at: { 1: '6.6.2-3', 2: '6.5.2-1' },
    message: 'The document has no additional actions (AA).',
    *find({ doc }) {
      if (doc.catalog.has('AA')) yield 'catalog';
    },
  },
  {
    at: { 2: '6.5.2-2' },
    message: 'Pages have no additional actions (AA).',
    *find({ pages }) {
      for (const { dict, where } of pages) if (dict.has('AA')) yield where;
    },
  },
  {
    at: { 4: '6.6.3-1' },
    message: 'Additional actions are those of focus and pointer (E, X, D, U, Fo, Bl).',
    *find(subject) {
      const { doc, pages, annotations } = subject;
      const holders = [{ dict: doc.catalog, where: 'catalog' }, ...pages, ...annotations];
      for (const { dict, where } of holders) {
        if (doc.name(dict.get('Subtype')) === 'Widget') continue;
        const events = doc.dict(dict.get('AA'));
        if (events && [...events.keys()].some((key) => !['E', 'X', 'D', 'U', 'Fo', 'Bl'].includes(key)))
          yield where;
      }
    },
  },
];

/** A field's type may stand with its parents. */
function isButton({ dict, subtype }: Annotation, { doc }: Subject): boolean {
  if (subtype !== 'Widget') return false;
  let node: Dict | undefined = dict;
  for (let depth = 0; node && depth < 50; depth += 1) {
    const type = doc.name(node.get('FT'));
    if (type !== undefined) return type === 'Btn';
    node = doc.dict(node.get('Parent'));
  }
  return false;
}
