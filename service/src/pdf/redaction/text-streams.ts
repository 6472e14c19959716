// Streams other than drawings: text for people and programs (metadata packets, form data, scripts, maps from codes to
// text), and data for machines with words in it.
import type { PdfDocument } from '../document.ts';
import { unescapeXml } from '../metadata/xml-tree.ts';
import { Dict, isName, type Ref, Stream } from '../objects.ts';
import { attachedFiles } from './attached-files.ts';
import { isKnownData } from './binary-words.ts';
import type { ByteSearch } from './byte-search.ts';
import { cleanText } from './clean-text.ts';
import { spelledTexts } from './escaped-text.ts';
import { cleanOpaque, type NewData } from './opaque-streams.ts';
import type { Terms } from './terms.ts';
import { cleanFragment, cleanXml } from './xml-cleaning.ts';

/** Replaces terms in streams; tells how many held one. `content` are streams of drawings. */
export function cleanStreams(
  doc: PdfDocument,
  refs: readonly Ref[],
  content: ReadonlySet<string>,
  terms: Terms,
): number {
  let count = 0;
  for (const ref of streamsToSearch(doc, refs, content)) {
    const cleaned = cleanData(doc, ref, terms, terms.bytes);
    if (!cleaned) continue;
    doc.replaceStreamData(ref, cleaned.bytes, cleaned.filter, cleaned.parms);
    count += 1;
  }
  return count;
}

/** Streams that hold a term. */
export const secretStreams = (
  doc: PdfDocument,
  refs: readonly Ref[],
  content: ReadonlySet<string>,
  terms: Terms,
): Ref[] =>
  streamsToSearch(doc, refs, content).filter((ref) => cleanData(doc, ref, terms, terms.bytes) !== undefined);

function streamsToSearch(doc: PdfDocument, refs: readonly Ref[], content: ReadonlySet<string>): Ref[] {
  // Contents of attached files are a matter of their own.
  const attached = new Set(attachedFiles(doc, refs).map(({ data }) => data.key));
  return refs.filter(
    (ref) => doc.get(ref) instanceof Stream && !content.has(ref.key) && !attached.has(ref.key),
  );
}

/** New data where the old holds a term. */
function cleanData(doc: PdfDocument, ref: Ref, terms: Terms, search: ByteSearch): NewData | undefined {
  const dict = doc.dict(ref) ?? new Dict();
  if (isDrawn(doc, dict)) return cleanOpaque(doc, ref, terms, search);
  const { bytes, decoded } = doc.streamData(ref);
  if (isKnownData(bytes)) return cleanOpaque(doc, ref, terms, search);
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (isCMap(dict, text)) return plain(cleanMap(text, terms));
  if (!decoded || !isReadable(text)) return cleanOpaque(doc, ref, terms, search);
  if (doc.number(dict.get('FunctionType')) === 4) return plain(cleanProgram(text, terms));
  const xml = cleanXml(text, terms);
  if (xml !== 'no-xml') return xml === undefined ? undefined : plain(Buffer.from(xml, 'utf8'));
  if (!holds(text, terms)) return undefined;
  const cleaned = text.trimStart().startsWith('<') ? cleanFragment(text, terms) : cleanText(text, terms);
  return plain(Buffer.from(cleaned === undefined || holds(cleaned, terms) ? '' : cleaned, 'utf8'));
}

const plain = (bytes: Uint8Array | undefined): NewData | undefined =>
  bytes && { bytes, filter: null, parms: null };

/** As it stands, and with the escapes of markup, addresses and scripts undone. */
export const holds = (text: string, terms: Terms): boolean =>
  terms.isIn(text) ||
  terms.isIn(unescapeXml(text)) ||
  spelledTexts(text).some((each) => terms.isIn(each.text));

/** Samples of images and functions. What else a stream is, its data tells: entries may say anything. */
function isDrawn(doc: PdfDocument, dict: Dict): boolean {
  const kind = doc.number(dict.get('FunctionType'));
  if (kind !== undefined) return kind !== 4;
  return ['Image', 'Form'].includes(doc.name(dict.get('Subtype')) ?? '');
}

export function encodingOf([first, second]: Uint8Array): 'utf-16be' | 'utf-16le' | 'utf-8' {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0) ? 'utf-16le' : 'utf-8';
}

/** In data of other kinds words stand by chance. */
export function isReadable(text: string): boolean {
  const sample = text.slice(0, 20_000);
  const odd = sample.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return odd * 20 <= sample.length;
}

const isCMap = (dict: Dict, text: string): boolean =>
  isName(dict.get('Type'), 'CMap') || text.includes('begincmap') || text.includes('beginbfchar');

/** A code may stand for a whole word; such entries tell it to whoever looks, as do names and comments of the map. */
function cleanMap(text: string, terms: Terms): Uint8Array | undefined {
  const cleaned = text
    .replace(/<([0-9a-fA-F\s]{8,})>/g, (whole, digits: string) => {
      const bytes = Buffer.from(digits.replace(/\s/g, ''), 'hex');
      const said = Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le');
      return said.length < 2 || !terms.isIn(said) ? whole : '<FFFD>';
    })
    .replace(/%[^\r\n]*/g, (comment) => (terms.isIn(comment) ? '%' : comment))
    .replace(/\(([^()]*)\)/g, (whole, said: string) => (isOwn(said) || !terms.isIn(said) ? whole : '(X)'))
    .replace(/(\/CMapName\s*\/)(\S+)/g, (whole, before: string, said: string) =>
      isOwn(said) || !terms.isIn(said) ? whole : `${before}X`,
    );
  return cleaned === text ? undefined : Buffer.from(cleaned, 'latin1');
}

/** Words that such maps have in every file. */
const isOwn = (said: string): boolean =>
  /^(?:Adobe|Identity|UCS|Adobe-Identity-UCS|(?:Japan|GB|CNS|Korea)\d)$/.test(said);

/** A function in PostScript: its comments go. */
function cleanProgram(text: string, terms: Terms): Uint8Array | undefined {
  if (!terms.isIn(text)) return undefined;
  const cleaned = text.replace(/%[^\r\n]*/g, ' ');
  return cleaned === text ? undefined : Buffer.from(cleaned, 'latin1');
}
