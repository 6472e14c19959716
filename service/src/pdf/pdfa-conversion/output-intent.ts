// The output intent: what device colours mean in an archived document.
import { deflateSync } from 'node:zlib';
import type { PdfaPart } from '../conformance/standards.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { srgbProfile } from './srgb-profile.ts';

const NEWEST_PROFILE: Readonly<Record<number, number>> = { 1: 3, 2: 5, 3: 5, 4: 5 };

/** A sound intent of PDF/A stays; others of its kind give way to sRGB. Intents for printing stay beside it. */
export function giveOutputIntent(doc: PdfDocument, subject: Subject, part: PdfaPart): void {
  const held = subject.outputIntents;
  const isSound = ({ profile }: (typeof held)[number]): boolean =>
    profile !== undefined &&
    ['mntr', 'prtr'].includes(profile.deviceClass) &&
    profile.version < (NEWEST_PROFILE[part] ?? 0);
  const own = held.find((intent) => intent.kind === 'GTS_PDFA1' && isSound(intent));
  // Two profiles would contradict each other: the others go.
  const others = held.filter(({ kind, profileRef }) => kind !== 'GTS_PDFA1' && profileRef === undefined);
  const intent = own?.dict ?? srgbIntent(doc);
  const kept: PdfValue[] = [intent, ...others.map(({ dict }) => dict)];
  for (const each of kept) if (each instanceof Dict) each.delete('DestOutputProfileRef');
  doc.edit(doc.catalogRef).set('OutputIntents', kept);
}

function srgbIntent(doc: PdfDocument): Dict {
  const text = textString('sRGB IEC61966-2.1');
  return Dict.of({
    Type: name('OutputIntent'),
    S: name('GTS_PDFA1'),
    OutputConditionIdentifier: text,
    RegistryName: textString('http://www.color.org'),
    Info: text,
    DestOutputProfile: profileStream(doc),
  });
}

function profileStream(doc: PdfDocument): Ref {
  const packed = deflateSync(srgbProfile());
  const ref = doc.addStream(Dict.of({ N: 3 }), packed);
  doc.edit(ref).set('Filter', name('FlateDecode'));
  return ref;
}
