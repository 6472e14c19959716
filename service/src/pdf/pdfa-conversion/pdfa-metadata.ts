// Metadata of an archived document: the XMP packet written anew, in step with the information dictionary. What the
// packet held is kept; properties of unknown schemas are described in an extension schema.

import { computeOnce } from '../../contract/maps.ts';
import { momentToTell } from '../../contract/reproducible.ts';
import type { Standard } from '../conformance/standards.ts';
import { readExtensions } from '../conformance/xmp/extension-schemas.ts';
import { type RdfNode, readRdfPacket } from '../conformance/xmp/rdf.ts';
import { EXTENSION, PDFA_ID, XMP_SCHEMAS } from '../conformance/xmp/xmp-schemas.ts';
import { type Edition, fitsType, predefinedSchemas, type TypeTable } from '../conformance/xmp/xmp-types.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { editInfo } from '../metadata/metadata.ts';
import { isoDate, momentOf, momentOfPdf, pdfDate } from '../metadata/pdf-dates.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, name, Ref, Stream } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { extensionSchemas, typeOf } from './extension-writing.ts';
import { array, isXmlName, item, simple, writePacket } from './rdf-writer.ts';

const DC = 'http://purl.org/dc/elements/1.1/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const PDFX = 'http://ns.adobe.com/pdfx/1.3/';
const PDFUA_ID = 'http://www.aiim.org/pdfua/ns/id/';

interface Claims {
  standard: Standard;
  /** Also claims PDF/UA-1. */
  pdfUa: boolean;
}

export function writeMetadata(doc: PdfDocument, { standard, pdfUa }: Claims, now = momentToTell()): void {
  const edition: Edition = standard.part === 1 ? 2004 : 2005;
  const isNewest = standard.part === 4;
  const claims = [
    simple(PDFA_ID, 'pdfaid', 'part', String(standard.part)),
    ...(isNewest ? [simple(PDFA_ID, 'pdfaid', 'rev', '2020')] : []),
    ...(standard.level === ''
      ? []
      : [simple(PDFA_ID, 'pdfaid', 'conformance', standard.level.toUpperCase())]),
    ...(pdfUa ? [simple(PDFUA_ID, 'pdfuaid', 'part', '1')] : []),
  ];
  const kept = keptProperties(doc, edition, now);
  const properties = [...claims, ...kept, ...(isNewest ? ownEntries(doc, kept) : [])];
  // "The Info key shall not be present in the trailer": what it said stands in the packet.
  if (isNewest) doc.setTrailer('Info', undefined);
  const known = predefinedSchemas(edition);
  const unknown = properties.filter((node) => !known.get(node.namespace)?.has(node.local));
  putPacket(doc, writePacket([...properties, ...(isNewest ? [] : extensionSchemas(unknown))]), edition);
}

/** Entries of the information dictionary that are the document's own, as Acrobat writes them into packets. */
function ownEntries(doc: PdfDocument, kept: readonly RdfNode[]): RdfNode[] {
  const stated = new Set(kept.map(keyOf));
  return [...editInfo(doc)].flatMap(([key, value]) => {
    const text = clean(doc.text(value));
    const isOwn = !STANDARD_ENTRIES.has(key) && isXmlName(key);
    const made = isOwn && text !== undefined ? simple(PDFX, 'pdfx', key, text) : undefined;
    return made && !stated.has(keyOf(made)) ? [made] : [];
  });
}

const STANDARD_ENTRIES = new Set(
  'Title Author Subject Keywords Creator Producer CreationDate ModDate Trapped'.split(' '),
);

/** What document and packet say of themselves, without claims that were true of what they were. */
export function keptProperties(doc: PdfDocument, edition: Edition, now: Date): RdfNode[] {
  const held = heldProperties(doc, edition);
  const info = infoProperties(doc, held, now);
  const stated = new Set(info.map(keyOf));
  const isClaim = ({ namespace }: RdfNode): boolean => namespace === PDFA_ID || namespace === PDFUA_ID;
  return [...info, ...held.filter((node) => !stated.has(keyOf(node)) && !isClaim(node))];
}

export function putPacket(doc: PdfDocument, packet: Uint8Array, edition: Edition): void {
  const ref = doc.addStream(Dict.of({ Type: name('Metadata'), Subtype: name('XML') }), packet);
  doc.edit(doc.catalogRef).set('Metadata', ref);
  dropOtherPackets(doc, edition);
}

export const keyOf = ({ namespace, local }: RdfNode): string => `${namespace} ${local}`;

/** Properties of the packet that are well formed: known ones of the right type, others that can be described. */
function heldProperties(doc: PdfDocument, edition: Edition): RdfNode[] {
  const ref = doc.catalog.get('Metadata');
  if (!(ref instanceof Ref) || !(doc.get(ref) instanceof Stream)) return [];
  const packet = readRdfPacket(contentOf(doc, ref));
  const { types } = readExtensions(packet);
  return packet.isSound ? packet.properties.flatMap((node) => usable(node, edition, types)) : [];
}

function usable(node: RdfNode, edition: Edition, types: TypeTable): RdfNode[] {
  if (node.namespace === EXTENSION || !isXmlName(node.local)) return [];
  const schema = XMP_SCHEMAS.find(({ namespace }) => namespace === node.namespace);
  const type = predefinedSchemas(edition).get(node.namespace)?.get(node.local);
  // A schema everyone knows cannot be described anew.
  if (type !== undefined)
    return fitsType(node, type, types) ? [{ ...node, prefix: schema?.prefix ?? node.prefix }] : [];
  return typeOf(node) === undefined ? [] : [node];
}

/** What the information dictionary says, and the packet where it says nothing. Both say the same afterwards. */
function infoProperties(doc: PdfDocument, held: readonly RdfNode[], now: Date): RdfNode[] {
  const info = editInfo(doc);
  const found: RdfNode[] = [];
  const text = (key: string): string | undefined => {
    const value = clean(doc.text(info.get(key)));
    if (info.has(key) && value === undefined) info.delete(key);
    return value;
  };
  const add = (key: string, make: (value: string) => RdfNode): void => {
    const value = text(key);
    if (value === undefined) return;
    info.set(key, textString(value));
    found.push(make(value));
  };
  add('Title', (value) => array(DC, 'dc', 'title', 'Alt', [item(value, 'x-default')]));
  add('Author', (value) => array(DC, 'dc', 'creator', 'Seq', [item(value)]));
  add('Subject', (value) => array(DC, 'dc', 'description', 'Alt', [item(value, 'x-default')]));
  add('Keywords', (value) => simple(PDF, 'pdf', 'Keywords', value));
  add('Creator', (value) => simple(XMP, 'xmp', 'CreatorTool', value));
  add('Producer', (value) => simple(PDF, 'pdf', 'Producer', value));
  const date = (key: string, local: string, fallback?: Date): void => {
    const moment = momentOfPdf(text(key) ?? '') ?? (fallback && momentOf(fallback));
    if (!moment) {
      info.delete(key);
      return;
    }
    info.set(key, textString(pdfDate(moment)));
    found.push(simple(XMP, 'xmp', local, isoDate(moment)));
  };
  date('CreationDate', 'CreateDate', held.some(({ local }) => local === 'CreateDate') ? undefined : now);
  date('ModDate', 'ModifyDate', now);
  return found;
}

/** What XML cannot hold is left out. */
function clean(text: string | undefined): string | undefined {
  const cleaned = text
    ?.toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n');
  return cleaned === '' ? undefined : cleaned;
}

/** Packets of pages and images that are not as they should be go. */
function dropOtherPackets(doc: PdfDocument, edition: Edition): void {
  const main = doc.catalog.get('Metadata');
  const isSound = (ref: Ref): boolean => {
    const stream = doc.get(ref);
    if (!(stream instanceof Stream)) return false;
    const packet = readRdfPacket(contentOf(doc, ref));
    const known = predefinedSchemas(edition);
    return (
      packet.isSound &&
      packet.isUtf8 &&
      packet.header.bytes === undefined &&
      packet.header.encoding === undefined &&
      packet.properties.every((node) => {
        const type = known.get(node.namespace)?.get(node.local);
        return type !== undefined && fitsType(node, type, new Map());
      })
    );
  };
  const verdicts = new Map<string, boolean>();
  changeDicts(doc, doc.allRefs(), (dict) => {
    const ref = dict.get('Metadata');
    if (!(ref instanceof Ref) || (main instanceof Ref && ref.key === main.key)) return false;
    const known = computeOnce(verdicts, ref.key, () => isSound(ref));
    return !known && dict.delete('Metadata');
  });
}
