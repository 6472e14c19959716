// Rules of PDF/UA that a program can tell: identification, marking, structure, languages, annotations.
import { contentOf } from '../../filters/content-data.ts';
import { type Dict, Ref, Stream } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import { fields, outlineItems } from './interactive-objects.ts';
import { PDFUA_ID, property } from './metadata.ts';
import type { Rule } from './rule.ts';
import {
  circular,
  type Element,
  elements,
  findRemapped,
  findUnmapped,
  selfMapped,
  wrongLanguages,
} from './tags.ts';

const DC = 'http://purl.org/dc/elements/1.1/';
const LANGUAGE = /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/;
const HIDDEN = 2;

export const ACCESSIBILITY_RULES: readonly Rule[] = [
  {
    at: { ua1: '5-1', ua2: '5-1' },
    message: 'The XMP packet says that the document conforms to PDF/UA.',
    *find(subject) {
      if (!property(subject, PDFUA_ID, 'part')) yield 'document metadata';
    },
  },
  {
    at: { ua1: '5-2', ua2: '5-2' },
    message: 'pdfuaid:part is the number of the part.',
    *find(subject, { part }) {
      const stated = property(subject, PDFUA_ID, 'part');
      if (stated && stated.value !== (part === 'ua1' ? '1' : '2')) yield 'pdfuaid:part';
    },
  },
  {
    at: { ua1: '5-3', ua2: '5-3' },
    message: 'pdfuaid:part stands under the prefix pdfuaid.',
    *find(subject) {
      const stated = property(subject, PDFUA_ID, 'part');
      if (stated && stated.prefix !== 'pdfuaid') yield 'pdfuaid:part';
    },
  },
  {
    at: { ua1: '6.2-1', ua2: '6.2-1' },
    message: 'The document says that it is tagged (MarkInfo, Marked).',
    *find({ doc }) {
      if (doc.boolean(doc.dict(doc.catalog.get('MarkInfo'))?.get('Marked')) !== true)
        yield 'catalog, MarkInfo';
    },
  },
  {
    at: { ua1: '7.1-1' },
    message: 'Artifacts are not inside tagged content.',
    *find({ drawn }) {
      for (const { where, isArtifact } of drawn.wronglyNested) if (isArtifact) yield where;
    },
  },
  {
    at: { ua1: '7.1-2' },
    message: 'Artifacts are not inside tagged content, nor tagged content inside artifacts.',
    *find({ drawn }) {
      for (const { where } of drawn.wronglyNested) yield where;
    },
  },
  {
    at: { ua1: '7.1-3', ua2: '8.2.2-1' },
    message: 'All content is tagged or marked as an artifact.',
    *find({ drawn }) {
      for (const { where } of drawn.untagged) yield where;
    },
  },
  {
    at: { ua1: '7.1-4' },
    message: 'Suspects is not true.',
    *find({ doc }) {
      if (doc.boolean(doc.dict(doc.catalog.get('MarkInfo'))?.get('Suspects')) === true)
        yield 'catalog, MarkInfo';
    },
  },
  {
    at: { ua1: '7.1-5' },
    message: 'Structure types that are not standard are mapped to standard ones.',
    find: (subject) => findUnmapped(subject),
  },
  {
    at: { ua1: '7.1-6' },
    message: 'The mapping of structure types does not run in circles.',
    *find(subject) {
      yield* circular(subject);
      yield* selfMapped(subject);
    },
  },
  { at: { ua1: '7.1-7' }, message: 'Standard structure types are not mapped to others.', find: findRemapped },
  {
    at: { ua1: '7.1-9', ua2: '8.11.1-1' },
    message: 'The XMP packet has a title (dc:title).',
    *find(subject) {
      const title = property(subject, DC, 'title');
      if (!title?.items.some(({ lang }) => lang !== undefined)) yield 'document metadata';
    },
  },
  {
    at: { ua1: '7.1-10', ua2: '8.11.2-1' },
    message: 'The title is shown (ViewerPreferences, DisplayDocTitle).',
    *find({ doc }) {
      const preferences = doc.dict(doc.catalog.get('ViewerPreferences'));
      if (doc.boolean(preferences?.get('DisplayDocTitle')) !== true) yield 'catalog, ViewerPreferences';
    },
  },
  {
    at: { ua1: '7.1-11', ua2: '8.2.1-1' },
    message: 'The document has a structure tree.',
    *find({ doc }) {
      if (!doc.dict(doc.catalog.get('StructTreeRoot'))) yield 'catalog';
    },
  },
  element('7.1-12', 'Structure elements name their parent.', ({ dict }) => !dict.has('P')),
  {
    at: { ua1: '7.2-2' },
    message: 'The language of bookmarks is told (Lang of the catalog).',
    *find(subject) {
      if (hasLanguage(subject)) return;
      for (const { where } of outlineItems(subject)) yield where;
    },
  },
  languageRule('7.2-21', 'ActualText'),
  languageRule('7.2-22', 'Alt'),
  languageRule('7.2-23', 'E'),
  {
    at: { ua1: '7.2-24' },
    message: 'The language of descriptions (Contents) is told.',
    *find(subject) {
      if (hasLanguage(subject)) return;
      for (const { dict, where } of subject.annotations)
        if (!isHidden(dict, subject.doc) && dict.has('Contents') && !dict.has('Lang')) yield where;
    },
  },
  {
    at: { ua1: '7.2-25' },
    message: 'The language of field descriptions (TU) is told.',
    *find(subject) {
      if (hasLanguage(subject)) return;
      for (const { dict, where } of fields(subject)) if (dict.has('TU') && !dict.has('Lang')) yield where;
    },
  },
  {
    at: { ua1: '7.2-29', ua2: '8.4.4-2' },
    message: 'Languages are language tags.',
    find: (subject) => wrongLanguages(subject, LANGUAGE),
  },
  {
    at: { ua1: '5-4' },
    message: 'pdfuaid:amd stands under the prefix pdfuaid.',
    find: (subject) => foreignPrefix(subject, 'amd'),
  },
  {
    at: { ua1: '5-5' },
    message: 'pdfuaid:corr stands under the prefix pdfuaid.',
    find: (subject) => foreignPrefix(subject, 'corr'),
  },
  {
    at: { ua1: '7.2-34' },
    message: 'The language of text is told.',
    *find(subject) {
      if (hasLanguage(subject) || subject.fonts.length === 0) return;
      const all = elements(subject);
      const silent = all.find((each) => each.kids.length === 0 && !hasLanguageAbove(each));
      if (all.length === 0 || silent || subject.drawn.untagged.length > 0) yield silent?.where ?? 'catalog';
    },
  },
  innerLanguageRule('7.2-30', 'ActualText'),
  innerLanguageRule('7.2-31', 'Alt'),
  innerLanguageRule('7.2-32', 'E'),
  {
    at: { ua1: '7.2-33' },
    message: 'The language of texts in the XMP packet is told: x-default alone does not tell it.',
    *find(subject) {
      if (hasLanguage(subject)) return;
      for (const { packet, where } of subject.metadata)
        for (const { kind, items, local } of packet.properties)
          if (kind === 'Alt' && items.length > 0 && items.every(({ lang }) => lang === 'x-default'))
            yield `${where}, ${local}`;
    },
  },
  element(
    '7.9-1',
    'Notes have an ID.',
    ({ dict, standardType }, { doc }) => standardType === 'Note' && (doc.text(dict.get('ID')) ?? '') === '',
  ),
  {
    at: { ua1: '7.9-2' },
    message: 'No two notes have the same ID.',
    *find(subject) {
      const seen = new Set<string>();
      for (const { dict, standardType, where } of elements(subject)) {
        const id = standardType === 'Note' ? subject.doc.text(dict.get('ID')) : undefined;
        if (id && seen.has(id)) yield where;
        if (id) seen.add(id);
      }
    },
  },
  {
    at: { ua1: '7.15-1' },
    message: 'The form is not a dynamic XFA form.',
    *find({ doc }) {
      if (/<dynamicRender>\s*required\s*</.test(xfaOf(doc))) yield 'AcroForm';
    },
  },
  {
    at: { ua1: '7.16-1' },
    message: 'Encryption lets assistive programs read the text.',
    *find({ doc }) {
      const encryption = doc.dict(doc.trailer.get('Encrypt'));
      if (encryption && ((doc.number(encryption.get('P')) ?? 0) & 512) === 0) yield 'trailer';
    },
  },
  {
    at: { ua1: '7.20-2' },
    message: 'Forms with tagged content are drawn only once.',
    *find({ drawn }) {
      for (const { where } of drawn.repeatedForms) yield where;
    },
  },
];

/** The packets of an XFA form, one after another. */
function xfaOf(doc: Subject['doc']): string {
  const held = doc.dict(doc.catalog.get('AcroForm'))?.get('XFA');
  const packets = (doc.array(held) ?? [held ?? null]).filter((each): each is Ref => each instanceof Ref);
  return packets
    .filter((ref) => doc.get(ref) instanceof Stream)
    .map((ref) => Buffer.from(contentOf(doc, ref)).toString('utf8'))
    .join('');
}

function* foreignPrefix(subject: Subject, local: string): Iterable<string> {
  const stated = property(subject, PDFUA_ID, local);
  if (stated && stated.prefix !== 'pdfuaid') yield `pdfuaid:${local}`;
}

function hasLanguage({ doc }: Subject): boolean {
  return doc.text(doc.catalog.get('Lang')) !== undefined;
}

export function element(
  at: string,
  message: string,
  isWrong: (element: Element, subject: Subject) => boolean,
): Rule {
  return {
    at: { ua1: at },
    message,
    *find(subject) {
      for (const each of elements(subject)) if (isWrong(each, subject)) yield each.where;
    },
  };
}

function languageRule(at: string, key: string): Rule {
  return element(
    at,
    `The language of ${key} is told.`,
    (each, subject) => each.dict.has(key) && !hasLanguage(subject) && !hasLanguageAbove(each),
  );
}

function innerLanguageRule(at: string, key: string): Rule {
  return {
    at: { ua1: at },
    message: `The language of ${key} in marked content is told.`,
    *find(subject) {
      if (hasLanguage(subject)) return;
      for (const { tag, properties, where } of subject.drawn.markedTexts)
        if (tag === 'Span' && properties.has(key) && !properties.has('Lang')) yield where;
    },
  };
}

function hasLanguageAbove(from: Element): boolean {
  for (let each: Element | undefined = from; each; each = each.parent) if (each.dict.has('Lang')) return true;
  return false;
}

export const isHidden = (dict: Dict, doc: Subject['doc']): boolean =>
  ((doc.number(dict.get('F')) ?? 0) & HIDDEN) !== 0;
