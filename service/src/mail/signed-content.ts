// Messages that travel inside their own signature (RFC 8551, application/pkcs7-mime): what was signed is read, whether
// the signature holds is not asked.
import { MalformedDer, readDer, TAG } from '../contract/der.ts';
import { decodeTransfer } from './mail-text.ts';
import { encodingOf, type MimePart, readParts } from './mime-parts.ts';

const SIGNED = /^application\/(?:x-)?pkcs7-mime$/;
const MAX_LAYERS = 3;

/** The part, or what it was made of beside it as a file. */
export function withSignedContent(part: MimePart, layer = 0): MimePart {
  const within = (each: MimePart): MimePart => withSignedContent(each, layer);
  if (part.children) return { ...part, children: part.children.map(within) };
  if (part.message) return { ...part, message: within(part.message) };
  if (!SIGNED.test(part.type) || layer >= MAX_LAYERS) return part;
  const content = signedContent(decodeTransfer(part.body, encodingOf(part)));
  const inner = content && readParts(content);
  if (!inner) return part;
  const isOfContent = ({ name }: { name: string }) => name.startsWith('content-');
  return {
    headers: part.headers.filter((header) => !isOfContent(header)),
    type: 'multipart/mixed',
    params: new Map(),
    body: Buffer.alloc(0),
    children: [withSignedContent(inner, layer + 1), { ...part, headers: part.headers.filter(isOfContent) }],
  };
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** RFC 5652: ContentInfo, SignedData, EncapsulatedContentInfo; undefined where it is anything else. */
function signedContent(bytes: Buffer): Buffer | undefined {
  try {
    const info = readDer(bytes);
    if (info.child(0).oid() !== SIGNED_DATA) return undefined;
    const content = info.child(1).child(0).child(2).child(1).child(0);
    const isOctets = content.tag === TAG.octetString || content.tag === TAG.piecedOctets;
    return isOctets ? content.octets() : undefined;
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
}
