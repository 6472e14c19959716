// Rules of the document as a whole: attachments, layers, permissions, signatures, presentations.
import { embeddedFile } from '../../attachments/file-specs.ts';
import { contentOf } from '../../filters/content-data.ts';
import { type Dict, type PdfValue, Ref, Stream } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import type { Rule } from './rule.ts';

const MEDIA_TYPE = /^[-\w+.]+\/[-\w+.]+$/;

export const DOCUMENT_RULES: readonly Rule[] = [
  {
    at: { 1: '6.1.11-1' },
    message: 'File specifications embed no file (EF).',
    *find(subject) {
      for (const { where } of specifications(subject)) yield where;
    },
  },
  {
    at: { 1: '6.1.11-2' },
    message: 'The document has no tree of embedded files.',
    *find({ doc }) {
      if (doc.dict(doc.catalog.get('Names'))?.has('EmbeddedFiles')) yield 'catalog, Names';
    },
  },
  {
    at: { 3: '6.8-1', 4: '6.9-1' },
    message: 'Embedded files have a media type (Subtype).',
    *find(subject) {
      const { doc } = subject;
      for (const { dict, where } of specifications(subject)) {
        const file = doc.dict(embeddedStream(subject, dict));
        if (file && !MEDIA_TYPE.test(doc.name(file.get('Subtype')) ?? '')) yield where;
      }
    },
  },
  {
    at: { 2: '6.8-2', 4: '6.9-2', ua1: '7.11-1' },
    message: 'File specifications of embedded files have F and UF.',
    *find(subject) {
      for (const { dict, where } of specifications(subject))
        if (!subject.doc.text(dict.get('F')) || !subject.doc.text(dict.get('UF'))) yield where;
    },
  },
  {
    at: { 3: '6.8-3', 4: '6.9-4' },
    message: 'File specifications of embedded files have an AFRelationship.',
    *find(subject) {
      for (const { dict, where } of specifications(subject)) if (!dict.has('AFRelationship')) yield where;
    },
  },
  {
    at: { 3: '6.8-4' },
    message: 'Embedded files are associated with the document or a part of it (AF).',
    *find(subject) {
      const associated = associatedFiles(subject);
      for (const { dict, where } of specifications(subject)) if (!associated.has(dict)) yield where;
    },
  },
  {
    at: { 2: '6.8-5' },
    message: 'Embedded files conform to PDF/A-1 or PDF/A-2.',
    find: (subject, { part }) => (part === 2 ? strangers(subject, /^[12]/) : []),
  },
  {
    at: { 4: '6.9-3' },
    levels: [''],
    message: 'Embedded files conform to PDF/A-1, PDF/A-2 or PDF/A-4.',
    find: (subject) => strangers(subject, /^[124]/),
  },
  {
    at: { 4: '6.9-5' },
    levels: ['f'],
    message: 'The document has embedded files.',
    *find({ doc }) {
      if (!doc.dict(doc.catalog.get('Names'))?.has('EmbeddedFiles')) yield 'catalog, Names';
    },
  },
  {
    at: { 1: '6.1.13-1' },
    message: 'There are no layers (OCProperties).',
    *find({ doc }) {
      if (doc.catalog.has('OCProperties')) yield 'catalog';
    },
  },
  layers(
    { 2: '6.9-1', 4: '6.10-1', ua1: '7.10-1' },
    'Configurations of layers have a name.',
    (config, { doc }) => (doc.text(config.get('Name')) ?? '') === '',
  ),
  {
    at: { 2: '6.9-2', 4: '6.10-2' },
    message: 'Configurations of layers have different names.',
    *find(subject) {
      const seen = new Set<string>();
      for (const { config, where } of configurations(subject)) {
        const name = subject.doc.text(config.get('Name'));
        if (name !== undefined && seen.has(name)) yield where;
        seen.add(name ?? '');
      }
    },
  },
  layers({ 2: '6.9-3', 4: '6.10-3' }, 'Order lists every layer of the document.', (config, subject) => {
    const { doc } = subject;
    if (!doc.array(config.get('Order'))) return false;
    const listed = layersIn(subject, config.get('Order'));
    const all = doc.array(doc.dict(doc.catalog.get('OCProperties'))?.get('OCGs')) ?? [];
    return all.some((layer) => layer instanceof Ref && !listed.has(layer.key));
  }),
  layers({ 2: '6.9-4', ua1: '7.10-2' }, 'Layers are not switched by usage (AS).', (config) =>
    config.has('AS'),
  ),
  {
    at: { 2: '6.1.12-1', 4: '6.1.11-1' },
    message: 'Permissions hold nothing but UR3 and DocMDP.',
    *find({ doc }) {
      const permissions = doc.dict(doc.catalog.get('Perms'));
      if (permissions && [...permissions.keys()].some((key) => key !== 'UR3' && key !== 'DocMDP'))
        yield 'catalog, Perms';
    },
  },
  {
    at: { 2: '6.1.12-2' },
    message: 'Signature references under DocMDP have no digest of their own.',
    *find({ doc }) {
      const signature = doc.dict(doc.dict(doc.catalog.get('Perms'))?.get('DocMDP'));
      for (const value of doc.array(signature?.get('Reference')) ?? []) {
        const reference = doc.dict(value);
        if (['DigestLocation', 'DigestMethod', 'DigestValue'].some((key) => reference?.has(key)))
          yield 'signature reference';
      }
    },
  },
  {
    at: { 4: '6.1.6.1-3' },
    levels: ['e'],
    message: 'Three-dimensional data is U3D or PRC.',
    *find({ doc, objects }) {
      for (const { object, where } of objects) {
        if (!(object instanceof Stream) || doc.name(object.dict.get('Type')) !== '3D') continue;
        if (!['U3D', 'PRC'].includes(doc.name(object.dict.get('Subtype')) ?? '')) yield where;
      }
    },
  },
  {
    at: { 2: '6.10-1', 4: '6.11-1' },
    message: 'There are no alternate presentations.',
    *find({ doc }) {
      if (doc.dict(doc.catalog.get('Names'))?.has('AlternatePresentations')) yield 'catalog, Names';
    },
  },
  {
    at: { 2: '6.10-2', 4: '6.11-2' },
    message: 'Pages have no PresSteps.',
    *find({ pages }) {
      for (const { dict, where } of pages) if (dict.has('PresSteps')) yield where;
    },
  },
  {
    at: { 2: '6.11-1', 4: '6.12-1' },
    message: 'The document has no Requirements.',
    *find({ doc }) {
      if (doc.catalog.has('Requirements')) yield 'catalog';
    },
  },
  {
    at: { 2: '6.1.8-1', 4: '6.1.7-1' },
    message: 'Names of fonts, colours and structure types are written in UTF-8.',
    *find({ doc, fonts, drawn, dicts }) {
      for (const { baseFont, where } of fonts) if (!isUtf8(baseFont ?? '')) yield where;
      for (const { family, space, where } of drawn.spaces.values()) {
        if (family === 'ICCBased') continue;
        const names = doc.array(space[1]) ?? [space[1] ?? null];
        if (names.some((each) => !isUtf8(doc.name(each) ?? ''))) yield where;
      }
      for (const { dict, where } of dicts)
        if (doc.name(dict.get('Type')) === 'StructElem' && !isUtf8(doc.name(dict.get('S')) ?? ''))
          yield where;
    },
  },
];

function isUtf8(name: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1'));
    return true;
  } catch {
    return false;
  }
}

function specifications({ doc, dicts }: Subject): { dict: Dict; where: string }[] {
  return dicts.filter(({ dict }) => dict.has('EF') && doc.dict(dict.get('EF')) !== undefined);
}

function embeddedStream({ doc }: Subject, specification: Dict): PdfValue | undefined {
  return embeddedFile(doc, specification, '')?.data;
}

function associatedFiles({ doc, dicts }: Subject): Set<Dict> {
  const found = new Set<Dict>();
  for (const { dict } of dicts) {
    const held = dict.get('AF');
    for (const value of doc.array(held) ?? [held]) {
      const specification = doc.dict(value);
      if (specification) found.add(specification);
    }
  }
  return found;
}

/** Embedded files that are not what the part lets in. */
function* strangers(subject: Subject, allowed: RegExp): Iterable<string> {
  for (const { dict, where } of specifications(subject)) {
    const data = embeddedStream(subject, dict);
    if (data instanceof Ref && !subject.conforms(contentOf(subject.doc, data), allowed)) yield where;
  }
}

function configurations({ doc }: Subject): { config: Dict; where: string }[] {
  const properties = doc.dict(doc.catalog.get('OCProperties'));
  if (!properties) return [];
  const listed = [properties.get('D'), ...(doc.array(properties.get('Configs')) ?? [])];
  return listed.flatMap((value, index) => {
    const config = doc.dict(value);
    return config ? [{ config, where: `configuration of layers ${index + 1}` }] : [];
  });
}

function layers(at: Rule['at'], message: string, isWrong: (config: Dict, subject: Subject) => boolean): Rule {
  return {
    at,
    message,
    *find(subject) {
      for (const { config, where } of configurations(subject)) if (isWrong(config, subject)) yield where;
    },
  };
}

function layersIn({ doc }: Subject, order: PdfValue | undefined): Set<string> {
  const found = new Set<string>();
  const waiting: (PdfValue | undefined)[] = [order];
  for (let count = 0; waiting.length > 0 && count < 100_000; count += 1) {
    const value = waiting.pop();
    const array = doc.array(value);
    if (array) waiting.push(...array);
    else if (value instanceof Ref) found.add(value.key);
  }
  return found;
}
