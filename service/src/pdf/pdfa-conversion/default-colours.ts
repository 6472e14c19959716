// Device colours the output intent does not speak of: a default space among the resources gives them a meaning, and
// nothing has to be drawn anew.
import { deflateSync } from 'node:zlib';
import type { Drawn } from '../conformance/content/drawn.ts';
import type { PdfaPart } from '../conformance/standards.ts';
import { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, name, type Ref, Stream } from '../objects.ts';
import { giveOutputIntent } from './output-intent.ts';
import { srgbProfile } from './srgb-profile.ts';

/** `colours` are those of the output intent; `cmykProfile` is asked only where it is needed. */
export function giveDefaultColours(
  doc: PdfDocument,
  { drawn }: Subject,
  colours: string | undefined,
  cmykProfile: () => Uint8Array,
): void {
  const used = new Set(drawn.devices.map(({ device }) => device));
  if (used.has('CMYK') && colours !== 'CMYK') {
    giveDefault(doc, drawn, 'DefaultCMYK', addProfile(doc, cmykProfile(), 4));
    stopOverprinting(doc);
  }
  if (used.has('RGB') && colours !== 'RGB ')
    giveDefault(doc, drawn, 'DefaultRGB', addProfile(doc, srgbProfile(), 3));
}

/** Colours that came with marks on a document that conforms: those of screens, for there is no press among them. */
export function explainColours(doc: PdfDocument, part: PdfaPart): void {
  const subject = new Subject(doc, new Uint8Array(), { isEncrypted: false });
  const colours = subject.outputColours;
  if (colours === undefined) giveOutputIntent(doc, subject, part);
  else if (colours !== 'RGB ' && subject.drawn.devices.some(({ device }) => device === 'RGB'))
    giveDefault(doc, subject.drawn, 'DefaultRGB', addProfile(doc, srgbProfile(), 3));
}

export const addProfile = (doc: PdfDocument, profile: Uint8Array, components: number): Ref => {
  const ref = doc.addStream(Dict.of({ N: components }), deflateSync(profile));
  doc.edit(ref).set('Filter', name('FlateDecode'));
  return ref;
};

/** Whatever draws has the default among its own resources; what a document defined itself stays. */
function giveDefault(doc: PdfDocument, drawn: Drawn, key: string, profile: Ref): void {
  const space = [name('ICCBased'), profile];
  for (const ref of doc.allRefs()) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object;
    if (!(dict instanceof Dict)) continue;
    // Appearances may forget to say that they are forms.
    if (!drawn.forms.has(dict) && !draws(doc, dict, object instanceof Stream)) continue;
    const resources = new Dict(doc.dict(dict.get('Resources')) ?? []);
    const spaces = new Dict(doc.dict(resources.get('ColorSpace')) ?? []);
    if (spaces.has(key)) continue;
    resources.set('ColorSpace', spaces.set(key, space));
    doc.edit(ref).set('Resources', resources);
  }
}

function draws(doc: PdfDocument, dict: Dict, isStream: boolean): boolean {
  if (isStream) return doc.name(dict.get('Subtype')) === 'Form' || doc.number(dict.get('PatternType')) === 1;
  return doc.name(dict.get('Type')) === 'Page' || doc.name(dict.get('Subtype')) === 'Type3';
}

/** "overprint mode 1 is not used with ICCBased CMYK": it had a meaning only for inks of the press itself. */
function stopOverprinting(doc: PdfDocument): void {
  changeDicts(doc, doc.allRefs(), (dict) => {
    if (doc.number(dict.get('OPM')) !== 1) return false;
    dict.set('OPM', 0);
    return true;
  });
}
