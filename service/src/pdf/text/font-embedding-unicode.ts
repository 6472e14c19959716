// ToUnicode: what the codes of an embedded font read as, so that drawn text can be found and copied.

/** A block of bfchar holds at most this many rows. */
const ROWS = 100;

const HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
`;
const TAIL = 'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n';

/** The CMap of these codes, in ascending order; a code without text is left out. */
export function toUnicodeMap(texts: readonly [number, string][]): Uint8Array {
  const rows = texts
    .filter(([, text]) => text !== '')
    .map(([code, text]) => `<${hex(Buffer.from([code >> 8, code & 0xff]))}> <${hex(utf16(text))}>\n`);
  let body = '';
  for (let start = 0; start < rows.length; start += ROWS) {
    const block = rows.slice(start, start + ROWS);
    body += `${block.length} beginbfchar\n${block.join('')}endbfchar\n`;
  }
  return Buffer.from(HEAD + body + TAIL, 'latin1');
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
