// ICC profiles that a part of PDF/A does not know: another one that shows the same colours takes their place.
import { ICC_COMPONENTS, readIccProfile } from '../conformance/content/icc-profile.ts';
import { isKnownProfile, profiles } from '../conformance/rules/colour.ts';
import type { Standard } from '../conformance/standards.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import type { Components } from './look-profile.ts';
import { asVersion2 } from './older-profile.ts';
import { greyProfile, srgbProfile } from './srgb-profile.ts';

/** What readers show. */
export interface Looks {
  /** A profile for colours of printing presses that are told by none; asked where the document has such. */
  cmykProfile(): Uint8Array;
  /** A profile that shows what another one shows. */
  shownProfile(profile: Uint8Array, components: Components): Uint8Array;
}

export function tidyProfiles(doc: PdfDocument, subject: Subject, { part }: Standard, looks: Looks): void {
  const done = new Set<string>();
  for (const { bytes, ref, components } of [...profiles(subject)]) {
    const profile = readIccProfile(bytes);
    const isFitting = profile !== undefined && ICC_COMPONENTS[profile.colourSpace] === components;
    if (done.has(ref.key) || (isFitting && isKnownProfile(profile, part)) || !isNumber(components)) continue;
    done.add(ref.key);
    // One that makes no sense is passed over by readers.
    const made = isFitting
      ? (asVersion2(bytes) ?? looks.shownProfile(bytes, components))
      : plainProfile(components, looks);
    doc.replaceStreamData(ref, made);
    doc.edit(ref).delete('Alternate');
  }
}

const isNumber = (components: number): components is Components => [1, 3, 4].includes(components);

const plainProfile = (components: Components, { cmykProfile }: Looks): Uint8Array =>
  components === 4 ? cmykProfile() : components === 3 ? srgbProfile() : greyProfile();
