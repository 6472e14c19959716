// Whether a text is well-formed XML 1.0. The reader of metadata is lenient so that nothing is lost; a packet of
// PDF/A is not allowed to need that. Nesting is the reader's matter.

const BLANK = /^[ \t\r\n]*$/;
const NAME = /[A-Z_a-z\u00c0-\uffff][-.\w\u00b7-\uffff]*(?::[A-Z_a-z\u00c0-\uffff][-.\w\u00b7-\uffff]*)?/y;
const ATTRIBUTE = /[ \t\r\n]*=[ \t\r\n]*(?:"([^<"]*)"|'([^<']*)')/y;
const SPACE = /[ \t\r\n]*/y;
const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.\d+["'](?:\s+encoding\s*=\s*["'][-.\w]+["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/;

export const isBlank = (text: string): boolean => BLANK.test(text);

/** The text with what Adobe's toolkit takes for blanks as such: control characters, which padding may hold. */
export const blankControls = (text: string): string => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ');

export function isWellFormed(source: string): boolean {
  if (/[\ufffe\uffff]/.test(source)) return false;
  let at = DECLARATION.exec(source)?.[0].length ?? 0;
  let depth = 0;
  while (at < source.length) {
    const tag = source.indexOf('<', at);
    const between = source.slice(at, tag === -1 ? undefined : tag);
    if (depth === 0 ? !isBlank(between) : !isCharacterData(between)) return false;
    if (tag === -1) break;
    const end = markupEnd(source, tag, depth) ?? tagEnd(source, tag);
    if (end === undefined || end === -1) return false;
    if (source[tag + 1] === '/') depth--;
    else if (isStartTag(source, tag) && source[end - 2] !== '/') depth++;
    at = end;
  }
  return depth === 0;
}

const isStartTag = (source: string, at: number): boolean => !'!?/'.includes(source[at + 1] ?? '!');

/** After a comment, an instruction or a CDATA section; -1 where it is none; undefined where a tag stands. */
function markupEnd(source: string, at: number, depth: number): number | undefined {
  const past = (end: string, from: number): number => {
    const found = source.indexOf(end, from);
    return found === -1 ? -1 : found + end.length;
  };
  if (source.startsWith('<!--', at)) {
    const end = past('--', at + 4);
    return source[end] === '>' ? end + 1 : -1;
  }
  if (source.startsWith('<![CDATA[', at)) return depth > 0 ? past(']]>', at + 9) : -1;
  if (source.startsWith('<!', at)) return -1;
  if (!source.startsWith('<?', at)) return undefined;
  const target = nameAt(source, at + 2);
  if (target === undefined || target.toLowerCase() === 'xml') return -1;
  const afterTarget = at + 2 + target.length;
  if (!source.startsWith('?>', afterTarget) && !isBlank(source.charAt(afterTarget))) return -1;
  return past('?>', afterTarget);
}

function tagEnd(source: string, at: number): number | undefined {
  const isClosing = source[at + 1] === '/';
  const name = nameAt(source, at + (isClosing ? 2 : 1));
  if (name === undefined) return undefined;
  const seen = new Set<string>();
  for (let end = at + (isClosing ? 2 : 1) + name.length; ; ) {
    SPACE.lastIndex = end;
    const space = SPACE.exec(source)?.[0].length ?? 0;
    const next = end + space;
    if (source[next] === '>') return next + 1;
    if (isClosing) return undefined;
    if (source.startsWith('/>', next)) return next + 2;
    const attribute = space > 0 ? nameAt(source, next) : undefined;
    if (attribute === undefined || seen.has(attribute)) return undefined;
    seen.add(attribute);
    ATTRIBUTE.lastIndex = next + attribute.length;
    const value = ATTRIBUTE.exec(source);
    if (!value || !hasSoundReferences(value[1] ?? value[2] ?? '')) return undefined;
    end = ATTRIBUTE.lastIndex;
  }
}

function nameAt(source: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(source)?.[0];
}

const isCharacterData = (text: string): boolean => !text.includes(']]>') && hasSoundReferences(text);

/** Each ampersand begins one of XML's own entities or the number of a character. */
function hasSoundReferences(text: string): boolean {
  for (const [, after = ''] of text.matchAll(/&([^;&]{0,12};?)/g)) {
    const [whole, decimal, hex] = /^(?:amp|lt|gt|quot|apos|#(\d+)|#x([\da-fA-F]+));$/.exec(after) ?? [];
    if (whole === undefined) return false;
    const code = decimal === undefined ? Number.parseInt(hex ?? '41', 16) : Number(decimal);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}
