// Names of people and offices in certificates, as text (RFC 4514: the last part first).

import { type DerNode, TAG } from '../../contract/der.ts';
import { lookup } from '../../contract/lookup.ts';

const LABELS: Record<string, string> = lookup({
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'T',
  '2.5.4.42': 'GIVENNAME',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
});
const COMMON_NAME = '2.5.4.3';

export function nameText(name: DerNode): string {
  return name.children
    .toReversed()
    .map((part) =>
      part.children
        .map((pair) => {
          const type = pair.child(0).oid();
          return `${LABELS[type] ?? type}=${escaped(stringText(pair.child(1)))}`;
        })
        .join('+'),
    )
    .join(', ');
}

export function commonName(name: DerNode): string | undefined {
  const pairs = name.children.flatMap((part) => part.children);
  const found = pairs.findLast((pair) => pair.child(0).oid() === COMMON_NAME);
  return found && stringText(found.child(1));
}

export function stringText(value: DerNode): string {
  const bytes = value.octets();
  if (value.tag === TAG.bmpString)
    return bytes.length % 2 ? '' : Buffer.from(bytes).swap16().toString('utf16le');
  return bytes.toString(value.tag === TAG.utf8 ? 'utf8' : 'latin1');
}

const escaped = (text: string): string =>
  text.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, ' ');
