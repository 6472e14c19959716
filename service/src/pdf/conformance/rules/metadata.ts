// Rules of metadata: XMP packets, their schemas, and how they agree with the information dictionary.
import { readInfo } from '../../metadata/metadata.ts';
import type { Standard } from '../standards.ts';
import type { MetadataStream, Subject } from '../validation-context.ts';
import { readExtensions } from '../xmp/extension-schemas.ts';
import type { RdfNode } from '../xmp/rdf.ts';
import { EXTENSION, PDFA_ID } from '../xmp/xmp-schemas.ts';
import { type Edition, fitsType, predefinedSchemas } from '../xmp/xmp-types.ts';
import { EXTENSION_SCHEMA_RULES } from './extension-schemas.ts';
import { isSameDate } from './info-dates.ts';
import type { Rule } from './rule.ts';

const DC = 'http://purl.org/dc/elements/1.1/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
export const PDFUA_ID = 'http://www.aiim.org/pdfua/ns/id/';

const editionOf = ({ part }: Standard): Edition => (part === 1 ? 2004 : 2005);

function packet(at: Rule['at'], message: string, isWrong: (metadata: MetadataStream) => boolean): Rule {
  return {
    at,
    message,
    *find({ metadata }) {
      for (const each of metadata) if (isWrong(each)) yield each.where;
    },
  };
}

export const METADATA_RULES: readonly Rule[] = [
  {
    at: { 1: '6.7.2-1', 2: '6.6.2.1-1', 4: '6.7.2.1-1', ua1: '7.1-8', ua2: '8.11.1-2' },
    message: 'The document has an XMP packet.',
    *find({ doc, documentMetadata }) {
      const dict = documentMetadata?.dict;
      const isMetadata =
        doc.name(dict?.get('Type')) === 'Metadata' && doc.name(dict?.get('Subtype')) === 'XML';
      if (!isMetadata) yield 'catalog';
    },
  },
  packet(
    { 1: '6.7.2-2' },
    'The XMP packet of the document is not compressed.',
    ({ isDocument, dict }) => isDocument && dict.has('Filter'),
  ),
  packet(
    { 1: '6.7.5-1', 2: '6.6.2.1-2', 4: '6.7.2.1-2' },
    'The header of the packet has no attribute bytes.',
    ({ packet: { header } }) => header.bytes !== undefined,
  ),
  packet(
    { 1: '6.7.5-2', 2: '6.6.2.1-3', 4: '6.7.2.1-3' },
    'The header of the packet has no attribute encoding.',
    ({ packet: { header } }) => header.encoding !== undefined,
  ),
  packet(
    { 1: '6.7.9-1', 2: '6.6.2.1-4', 4: '6.7.2.1-4' },
    'The packet is XML that follows the XMP specification.',
    ({ packet: { isSound } }) => !isSound,
  ),
  packet(
    { 2: '6.6.2.1-5', 4: '6.7.2.1-5' },
    'The packet is written in UTF-8.',
    ({ packet: { isUtf8 } }) => !isUtf8,
  ),
  infoDate('CreationDate', 'CreateDate', '6.7.3-1'),
  infoText('Title', DC, 'title', '6.7.3-2'),
  {
    at: { 1: '6.7.3-3' },
    message: 'Author in the information dictionary is the one entry of dc:creator.',
    *find(subject) {
      const author = infoValue(subject, 'Author');
      if (author === undefined) return;
      const creators = property(subject, DC, 'creator')?.items ?? [];
      if (creators.length !== 1 || author === '' || creators[0]?.value !== author)
        yield 'trailer, Info, Author';
    },
  },
  infoText('Subject', DC, 'description', '6.7.3-4'),
  infoText('Keywords', PDF, 'Keywords', '6.7.3-5'),
  infoText('Creator', XMP, 'CreatorTool', '6.7.3-6'),
  infoText('Producer', PDF, 'Producer', '6.7.3-7'),
  infoDate('ModDate', 'ModifyDate', '6.7.3-8'),
  {
    at: { 1: '6.7.9-2', 2: '6.6.2.3.1-1' },
    message: 'Properties are defined in the XMP specification or in an extension schema.',
    *find(subject, standard) {
      for (const { node, type, where } of typedProperties(subject, standard))
        if (type === undefined) yield `${where}, ${node.prefix}:${node.local}`;
    },
  },
  {
    at: { 1: '6.7.9-3', 2: '6.6.2.3.1-2' },
    message: 'Properties have values of the type their schema says.',
    *find(subject, standard) {
      for (const { node, type, fits, where } of typedProperties(subject, standard))
        if (type !== undefined && !fits) yield `${where}, ${node.prefix}:${node.local}`;
    },
  },
  {
    at: { 1: '6.7.11-1', 2: '6.6.4-1', 4: '6.7.3-1' },
    message: 'The XMP packet says which part and level the document conforms to.',
    *find(subject) {
      if (subject.documentMetadata && !isIdentified(subject)) yield 'document metadata';
    },
  },
  {
    at: { 1: '6.7.11-2', 2: '6.6.4-2', 4: '6.7.3-2' },
    message: 'pdfaid:part is the number of the part.',
    *find(subject, { part }) {
      if (isIdentified(subject) && Number(property(subject, PDFA_ID, 'part')?.value) !== part)
        yield 'pdfaid:part';
    },
  },
  {
    at: { 1: '6.7.11-3', 2: '6.6.4-3', 4: '6.7.3-3' },
    message: 'pdfaid:conformance is the level, or one that includes it.',
    *find(subject, { part, level }) {
      if (!isIdentified(subject)) return;
      const claimed = property(subject, PDFA_ID, 'conformance')?.value;
      const includes: Record<string, (string | undefined)[]> = {
        a: ['A'],
        u: ['U', 'A'],
        b: part === 1 ? ['B', 'A'] : ['B', 'U', 'A'],
        e: ['E'],
        f: ['F'],
        '': [undefined],
      };
      if (!includes[level]?.includes(claimed)) yield 'pdfaid:conformance';
    },
  },
  identificationPrefix('part', { 1: '6.7.11-4', 2: '6.6.4-4', 4: '6.7.3-4' }),
  identificationPrefix('conformance', { 1: '6.7.11-5', 2: '6.6.4-5' }),
  identificationPrefix('amd', { 1: '6.7.11-6', 2: '6.6.4-6' }),
  identificationPrefix('corr', { 2: '6.6.4-7' }),
  {
    at: { 4: '6.7.3-5' },
    message: 'pdfaid:rev is a year of four digits.',
    *find(subject) {
      const revision = property(subject, PDFA_ID, 'rev')?.value ?? '';
      if (isIdentified(subject) && !/^\d{4}$/.test(revision)) yield 'pdfaid:rev';
    },
  },
  identificationPrefix('rev', { 4: '6.7.3-6' }),
  ...EXTENSION_SCHEMA_RULES,
];

function isIdentified({ documentMetadata }: Subject): boolean {
  return documentMetadata?.packet.properties.some(({ namespace }) => namespace === PDFA_ID) ?? false;
}

export function property(
  { documentMetadata }: Subject,
  namespace: string,
  local: string,
): RdfNode | undefined {
  return documentMetadata?.packet.properties.find(
    (node) => node.namespace === namespace && node.local === local,
  );
}

function infoValue({ doc }: Subject, key: string): string | undefined {
  return doc.text(readInfo(doc).get(key))?.replace(/\0+$/, '');
}

function infoText(key: string, namespace: string, local: string, at: string): Rule {
  return {
    at: { 1: at },
    message: `${key} in the information dictionary says the same as the XMP packet.`,
    *find(subject) {
      const stated = infoValue(subject, key);
      if (stated === undefined) return;
      const node = property(subject, namespace, local);
      const isPlain = namespace === PDF || namespace === XMP;
      const value = isPlain ? node?.value : node?.kind === 'Alt' ? defaultText(node) : undefined;
      if (value !== stated) yield `trailer, Info, ${key}`;
    },
  };
}

const defaultText = (node: RdfNode): string | undefined =>
  (node.items.find(({ lang }) => lang === 'x-default') ?? node.items[0])?.value;

function infoDate(key: string, local: string, at: string): Rule {
  return {
    at: { 1: at },
    message: `${key} in the information dictionary is the date of the XMP packet.`,
    *find(subject) {
      const stated = infoValue(subject, key);
      const other = property(subject, XMP, local);
      // What has not the form of a date is told by its type.
      if (stated === undefined || !other || !fitsType(other, 'Date', new Map())) return;
      if (!isSameDate(stated, other.value)) yield `trailer, Info, ${key}`;
    },
  };
}

interface TypedProperty {
  node: RdfNode;
  type: string | undefined;
  fits: boolean;
  where: string;
}

function* typedProperties(subject: Subject, standard: Standard): Iterable<TypedProperty> {
  const known = predefinedSchemas(editionOf(standard));
  const main = subject.documentMetadata && readExtensions(subject.documentMetadata.packet);
  for (const { packet: held, where } of subject.metadata) {
    const own = readExtensions(held);
    const types = new Map([...(standard.part === 1 ? [] : (main?.types ?? [])), ...own.types]);
    for (const node of held.properties) {
      if (node.namespace === EXTENSION) continue;
      const inherited =
        standard.part === 1 ? undefined : main?.properties.get(node.namespace)?.get(node.local);
      const type =
        known.get(node.namespace)?.get(node.local) ??
        own.properties.get(node.namespace)?.get(node.local) ??
        inherited;
      yield { node, type, fits: type !== undefined && fitsType(node, type, types), where };
    }
  }
}

function identificationPrefix(local: string, at: Rule['at']): Rule {
  return {
    at,
    message: `pdfaid:${local} stands under the prefix pdfaid.`,
    *find(subject) {
      const node = property(subject, PDFA_ID, local);
      if (node && node.prefix !== 'pdfaid') yield `pdfaid:${local}`;
    },
  };
}
