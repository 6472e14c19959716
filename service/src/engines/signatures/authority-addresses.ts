// Whom a certificate names: who tells whether it was withdrawn, and where its issuer's certificate is (RFC 5280, 4.2).

import { context, type DerNode } from '../../contract/der.ts';
import type { Certificate } from './certificate.ts';
import { OID } from './oids.ts';

/** No honest certificate names more. */
const MAX_ADDRESSES = 10;
const URI = context(6, false);

const addressesIn = (names: readonly DerNode[]): string[] =>
  names.filter(({ tag }) => tag === URI).map(({ content }) => content.toString('latin1'));

/** Full names of a distribution point, of any kind: `[0]` around them. */
export const placeNames = (point: DerNode | undefined): readonly DerNode[] =>
  point?.find(context(0))?.children ?? [];

const listNames = ({ extensions }: Certificate): DerNode[] =>
  (extensions.byId.get(OID.crlDistributionPoints)?.value?.children ?? []).flatMap((point) =>
    placeNames(point.find(context(0))),
  );

/** Where lists of withdrawn certificates are. */
export const listPlaces = (certificate: Certificate): string[] =>
  readable(() => addressesIn(listNames(certificate)));

/** Whether a certificate names one of these places. */
export const namesPlace = (certificate: Certificate, names: readonly DerNode[]): boolean =>
  listNames(certificate).some(({ raw }) => names.some((name) => name.raw.equals(raw)));

/** Responders, or where the certificate of the issuer is. */
export function accessPlaces({ extensions }: Certificate, method: string): string[] {
  const access = extensions.byId.get(OID.authorityInfoAccess)?.value;
  return readable(() =>
    access?.children
      .filter((each) => each.child(0).oid() === method)
      .flatMap((each) => addressesIn([each.child(1)])),
  );
}

/** Only what can be asked over the web. */
export const webPlaces = (places: readonly string[]): string[] =>
  places.filter((place) => /^https?:\/\/\S+$/.test(place));

function readable(read: () => string[] | undefined): string[] {
  try {
    return (read() ?? []).slice(0, MAX_ADDRESSES);
  } catch {
    return [];
  }
}
