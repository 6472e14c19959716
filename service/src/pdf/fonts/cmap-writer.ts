// Writes CMaps: what codes read as (ToUnicode, ISO 32000-1, 9.10.3), and which CIDs they mean (9.7.5.4).

export interface WrittenCode {
  code: number;
  /** Bytes of the code. */
  length: number;
}

/** A section holds at most this many rows. */
const ROWS = 100;

/** A code without text is left out. */
export function writeToUnicode(codes: readonly (WrittenCode & { text: string })[]): Buffer {
  const lengths = [...new Set(codes.map(({ length }) => length))].sort();
  return writeCmap(
    { ordering: 'UCS', name: 'Adobe-Identity-UCS', type: 2 },
    sections(
      'codespacerange',
      lengths.map((length) => `<${'00'.repeat(length)}> <${'FF'.repeat(length)}>`),
    ),
    sections(
      'bfchar',
      codes
        .filter(({ text }) => text !== '')
        .map((each) => `<${codeHex(each)}> <${hex(Buffer.from(each.text, 'utf16le').swap16())}>`),
    ),
  );
}

export function writeCidCmap(
  codes: readonly (WrittenCode & { cid: number })[],
  { name, isVertical }: { name: string; isVertical: boolean },
): Buffer {
  // By the first byte: codes of one byte and of two may stand side by side.
  const spaces = codes.map((each) => {
    const [first, rest] = [codeHex(each).slice(0, 2), each.length - 1];
    return `<${first}${'00'.repeat(rest)}> <${first}${'FF'.repeat(rest)}>`;
  });
  return writeCmap(
    { ordering: 'Identity', name, type: 1, mode: isVertical ? 1 : 0 },
    sections('codespacerange', [...new Set(spaces)].sort()),
    sections(
      'cidchar',
      codes.map((each) => `<${codeHex(each)}> ${each.cid}`),
    ),
  );
}

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
const codeHex = ({ code, length }: WrittenCode): string =>
  code
    .toString(16)
    .padStart(2 * length, '0')
    .toUpperCase();

function sections(kind: string, rows: readonly string[]): string {
  let text = '';
  for (let start = 0; start < rows.length; start += ROWS) {
    const some = rows.slice(start, start + ROWS);
    text += `${some.length} begin${kind}\n${some.join('\n')}\nend${kind}\n`;
  }
  return text;
}

function writeCmap(
  { ordering, name, type, mode }: { ordering: string; name: string; type: number; mode?: number },
  spaces: string,
  rows: string,
): Buffer {
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> def
/CMapName /${name} def
/CMapType ${type} def
${mode === undefined ? '' : `/WMode ${mode} def\n`}${spaces}${rows}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`,
    'latin1',
  );
}
