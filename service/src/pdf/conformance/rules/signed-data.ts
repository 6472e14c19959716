// As much of CMS SignedData (RFC 5652, 5.1) as PDF/A asks about: how many certificates and signers there are.
import { context, MalformedDer, readDer, TAG } from '../../../contract/der.ts';

export interface SignedData {
  certificates: number;
  signers: number;
}

/** Undefined where the bytes are no SignedData. */
export function readSignedData(bytes: Uint8Array): SignedData | undefined {
  try {
    const signed = readDer(bytes).expect(TAG.sequence).child(1, context(0)).child(0, TAG.sequence);
    const certificates = signed.find(context(0))?.children ?? [];
    const signers = signed.children.at(-1);
    if (signed.children.length < 4 || signers?.tag !== TAG.set) return undefined;
    return {
      certificates: certificates.filter(({ tag }) => tag === TAG.sequence).length,
      signers: signers.children.length,
    };
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
}
