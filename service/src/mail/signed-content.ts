// Messages that travel inside their own signature (RFC 8551, application/pkcs7-mime): what was signed is read, whether
// the signature holds is not asked.
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

interface Element {
  tag: number;
  from: number;
  to: number;
  next: number;
}

const MAX_DEPTH = 30;
const CONSTRUCTED = 0x20;
const OCTETS = 0x04;
/** 1.2.840.113549.1.7.2 */
const SIGNED_DATA = '2a864886f70d010702';

/** RFC 5652: ContentInfo, SignedData, EncapsulatedContentInfo; undefined where it is anything else. */
function signedContent(bytes: Buffer): Buffer | undefined {
  try {
    const [kind, holder] = elementsIn(bytes, elementAt(bytes, 0));
    if (!kind || !holder || bytes.toString('hex', kind.from, kind.to) !== SIGNED_DATA) return undefined;
    const [signed] = elementsIn(bytes, holder);
    const [, , encapsulated] = signed ? elementsIn(bytes, signed) : [];
    const [, around] = encapsulated ? elementsIn(bytes, encapsulated) : [];
    const [content] = around ? elementsIn(bytes, around) : [];
    return content && octetsOf(bytes, content);
  } catch {
    return undefined;
  }
}

/** BER: lengths may be left open. */
function elementAt(bytes: Buffer, at: number, depth = 0): Element {
  if (depth > MAX_DEPTH) throw new Error('too deep');
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  if (first === 0x80) {
    let end = at + 2;
    while (bytes.readUInt16BE(end) !== 0) end = elementAt(bytes, end, depth + 1).next;
    return { tag, from: at + 2, to: end, next: end + 2 };
  }
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  const size = sizeBytes === 0 ? first : bytes.readUIntBE(at + 2, sizeBytes);
  const from = at + 2 + sizeBytes;
  if (from + size > bytes.length) throw new Error('cut off');
  return { tag, from, to: from + size, next: from + size };
}

function elementsIn(bytes: Buffer, { tag, from, to }: Element): Element[] {
  const found: Element[] = [];
  if ((tag & CONSTRUCTED) === 0) return found;
  for (let at = from; at < to; ) {
    const element = elementAt(bytes, at);
    found.push(element);
    at = element.next;
  }
  return found;
}

function octetsOf(bytes: Buffer, element: Element, depth = 0): Buffer | undefined {
  if ((element.tag & ~CONSTRUCTED) !== OCTETS || depth > MAX_DEPTH) return undefined;
  if (element.tag === OCTETS) return bytes.subarray(element.from, element.to);
  return Buffer.concat(
    elementsIn(bytes, element).map((each) => octetsOf(bytes, each, depth + 1) ?? Buffer.alloc(0)),
  );
}
