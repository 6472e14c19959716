// Makes a document what a part of PDF/A asks for, without drawing anything anew: text, tags, fields and bookmarks stay.

import { mediaTypeOfName } from '../attachments/media-types.ts';
import { elements, LATER_TYPES, STANDARD_TYPES } from '../conformance/rules/tags.ts';
import type { PdfaPart, Standard } from '../conformance/standards.ts';
import { Subject } from '../conformance/validation-context.ts';
import { inheritedEntry } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, name, Ref } from '../objects.ts';
import { flattenSignatures } from '../security/flatten-signatures.ts';
import { giveDefaultColours } from './default-colours.ts';
import { type FindFont, substituteFonts } from './font-substitution.ts';
import { describeAttachments, dropForbidden, keepsAttachments } from './forbidden-things.ts';
import { dropOpaqueGroups } from './opaque-groups.ts';
import { giveOutputIntent } from './output-intent.ts';
import { tidyAnnotations } from './pdfa-annotations.ts';
import { tidyFonts } from './pdfa-fonts.ts';
import { type Looks, tidyProfiles } from './pdfa-icc-profiles.ts';
import { writeMetadata } from './pdfa-metadata.ts';
import { tidyStreams } from './pdfa-streams.ts';
import { makeSpeakable } from './spoken-document.ts';
import { completeToUnicode } from './unicode-values.ts';

/** What must be gone before pages are looked at: things that are not drawn, and annotations nobody sees. */
export function prepareForPdfa(
  doc: PdfDocument,
  standard: Standard,
  find: FindFont,
  onPage: () => void,
): void {
  // What was signed is changed: a signature would say something untrue.
  flattenSignatures(doc, { signedOnly: true });
  dropForbidden(doc, standard);
  tidyAnnotations(doc, standard);
  if (standard.part === 1) dropOpaqueGroups(doc);
  doc.setTrailer('ID', undefined);
  giveFontsPlaces(doc);
  substituteFonts(doc, new Subject(doc, new Uint8Array(), { isEncrypted: false, onPage }), find);
}

/** Fonts written inside resources become objects of their own. */
export function giveFontsPlaces(doc: PdfDocument): void {
  changeDicts(doc, doc.allRefs(), (dict) => {
    const fonts = dict.get('Font');
    if (!(fonts instanceof Dict)) return placeFonts(doc, dict);
    return placeFonts(doc, fonts);
  });
}

function placeFonts(doc: PdfDocument, fonts: Dict): boolean {
  let changed = false;
  for (const [key, font] of fonts) {
    if (!(font instanceof Dict) || doc.name(font.get('Type')) !== 'Font') continue;
    fonts.set(key, doc.add(font));
    changed = true;
  }
  return changed;
}

export interface FinishOptions extends Looks {
  /** Also claims PDF/UA-1. */
  pdfUa: boolean;
  /** For a document without one, where a title must be. */
  title: string;
  /** Hears of each page that was looked at. */
  onPage(): void;
}

/** The rest: streams, fonts, colours, metadata. */
export function finishPdfa(doc: PdfDocument, standard: Standard, options: FinishOptions): void {
  const part = standard.part as PdfaPart;
  tidyStreams(doc);
  const { onPage } = options;
  const subject = new Subject(doc, new Uint8Array(), { isEncrypted: false, onPage });
  giveResources(doc, subject);
  tidyFonts(doc, subject, standard);
  completeToUnicode(doc, subject, standard);
  tidyProfiles(doc, subject, standard, options);
  giveOutputIntent(doc, subject, part);
  giveDefaultColours(doc, subject, outputColours(doc), options.cmykProfile);
  if (part === 1 && !subject.hasRealTransparency) dropGroups(doc, subject);
  else tidyGroupSpaces(doc, subject);
  if (keepsAttachments(standard)) describeAttachments(doc, mediaTypeOfName);
  if (standard.level === 'a') tidyTags(doc, subject, part);
  if (options.pdfUa) makeSpeakable(doc, options.title);
  writeMetadata(doc, { standard, pdfUa: options.pdfUa });
}

/** Whatever draws has its resources itself. */
export function giveResources(doc: PdfDocument, subject: Subject): void {
  for (const { value, resources } of subject.drawn.borrowers.values())
    if (value instanceof Ref) doc.edit(value).set('Resources', resources);
  for (const page of doc.pages()) {
    const dict = doc.edit(page);
    if (!doc.dict(dict.get('Resources')))
      dict.set('Resources', inheritedEntry(doc, dict, 'Resources') ?? new Dict());
  }
}

/** Groups of opaque things change nothing. */
function dropGroups(doc: PdfDocument, subject: Subject): void {
  for (const page of doc.pages()) doc.edit(page).delete('Group');
  for (const { value } of subject.drawn.forms.values())
    if (value instanceof Ref) doc.edit(value).delete('Group');
}

const outputColours = (doc: PdfDocument): string | undefined =>
  new Subject(doc, new Uint8Array(), { isEncrypted: false }).outputColours;

/** A group that blends in a device space blends in that of the output intent. */
function tidyGroupSpaces(doc: PdfDocument, subject: Subject): void {
  const wanted = outputColours(doc) === 'CMYK' ? 'CMYK' : 'RGB';
  const holders = [...doc.pages(), ...[...subject.drawn.forms.values()].map(({ value }) => value)];
  for (const holder of holders) {
    if (!(holder instanceof Ref)) continue;
    const group = doc.dict(doc.dict(holder)?.get('Group'));
    const space = doc.name(group?.get('CS'));
    const differs = wanted === 'RGB' ? space === 'DeviceCMYK' : space === 'DeviceRGB';
    if (group && differs) doc.edit(holder).set('Group', new Dict(group).set('CS', name(`Device${wanted}`)));
  }
}

/** The document says that it is tagged, and every type of its tags leads to a standard one. */
function tidyTags(doc: PdfDocument, subject: Subject, part: PdfaPart): void {
  const catalog = doc.edit(doc.catalogRef);
  catalog.set('MarkInfo', new Dict(doc.dict(catalog.get('MarkInfo')) ?? []).set('Marked', true));
  const isStandard = (type: string): boolean =>
    STANDARD_TYPES.has(type) && !(part === 1 && LATER_TYPES.has(type));
  const held = catalog.get('StructTreeRoot');
  if (!(held instanceof Ref)) return;
  const root = doc.edit(held);
  const roles = new Dict(doc.dict(root.get('RoleMap')) ?? []);
  const leadsOn = (type: string): boolean => {
    let current: string | undefined = type;
    for (let hops = 0; current !== undefined && hops < 50; hops += 1) {
      if (isStandard(current)) return true;
      current = doc.name(roles.get(current));
    }
    return false;
  };
  for (const type of [...roles.keys()]) if (isStandard(type)) roles.delete(type);
  for (const { type } of elements(subject)) if (!leadsOn(type)) roles.set(type, name('NonStruct'));
  if (roles.size > 0) root.set('RoleMap', roles);
}
