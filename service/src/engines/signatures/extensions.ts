// Extensions of certificates, each with whether it must be understood (RFC 5280, 4.2).
import { type DerNode, MalformedDer, readDer, TAG } from '../../contract/der.ts';

export interface Extension {
  critical: boolean;
  /** Undefined where it is no ASN.1. */
  value: DerNode | undefined;
}

export interface Extensions {
  byId: ReadonlyMap<string, Extension>;
  /** Whether one stands twice, which nobody may write. */
  repeated: boolean;
}

/** `field`: the tag around the list of extensions. */
export const readExtensions = (field: DerNode | undefined): Extensions => readExtensionList(field?.child(0));

export function readExtensionList(list: DerNode | undefined): Extensions {
  const byId = new Map<string, Extension>();
  let repeated = false;
  for (const extension of list?.children ?? []) {
    const [id, second] = extension.children;
    const held = extension.children.at(-1);
    if (!id || held?.tag !== TAG.octetString) continue;
    const critical = second?.tag === TAG.boolean && second.content[0] !== 0;
    if (byId.has(id.oid())) repeated = true;
    else byId.set(id.oid(), { critical, value: readValue(held) });
  }
  return { byId, repeated };
}

/** Whether something must be understood that is not. */
export const hasStrangeDemand = ({ byId }: Extensions, understood: ReadonlySet<string>): boolean =>
  [...byId].some(([id, { critical }]) => critical && !understood.has(id));

function readValue(held: DerNode): DerNode | undefined {
  try {
    return readDer(held.content);
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
}
