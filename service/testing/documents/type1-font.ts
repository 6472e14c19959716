// Type 1 fonts made by the book (Adobe Type 1 Font Format).

/** How a Type 1 font is encrypted (Adobe Type 1 Font Format, chapter 7), with four bytes of no meaning before it. */
export function encryptType1(plain: Buffer, key: number): Buffer {
  let state = key;
  return Buffer.concat([Buffer.alloc(4), plain]).map((byte) => {
    const cipher = byte ^ (state >> 8);
    state = ((cipher + state) * 52845 + 22719) & 0xffff;
    return cipher;
  }) as Buffer;
}

const OPERATORS: Record<string, number[]> = {
  hstem: [1],
  vstem: [3],
  vmoveto: [4],
  rlineto: [5],
  hlineto: [6],
  vlineto: [7],
  rrcurveto: [8],
  closepath: [9],
  callsubr: [10],
  return: [11],
  hsbw: [13],
  endchar: [14],
  rmoveto: [21],
  hmoveto: [22],
  vhcurveto: [30],
  hvcurveto: [31],
  dotsection: [12, 0],
  vstem3: [12, 1],
  hstem3: [12, 2],
  seac: [12, 6],
  sbw: [12, 7],
  div: [12, 12],
  callothersubr: [12, 16],
  pop: [12, 17],
  setcurrentpoint: [12, 33],
};

const assembled = (program: string): Buffer =>
  Buffer.from(
    program.split(/\s+/).flatMap((word) => {
      const operator = OPERATORS[word];
      if (operator) return operator;
      const value = Buffer.alloc(4);
      value.writeInt32BE(Number(word));
      return Math.abs(Number(word)) <= 107 ? [Number(word) + 139] : [255, ...value];
    }),
  );

export interface MadeType1 {
  /** Charstrings by name, in words. */
  glyphs: Record<string, string>;
  /** Behind the five that every font has. */
  subrs?: string[];
  matrix?: string;
  encoding?: string;
  secret?: string;
}

const COMMON_SUBRS = [
  '3 0 callothersubr pop pop setcurrentpoint return',
  '0 1 callothersubr return',
  '0 2 callothersubr return',
  'return',
  '1 3 callothersubr pop callsubr return',
];

export function type1Font({ glyphs, subrs = [], matrix, encoding, secret = '' }: MadeType1): Buffer {
  const clear = `%!PS-AdobeFont-1.0: Made
11 dict begin /FontType 1 def /PaintType 0 def /FontName /Made def
/FontMatrix [${matrix ?? '0.001 0 0 0.001 0 0'}] readonly def /FontBBox {0 -200 1000 800} readonly def
/Encoding ${encoding ?? 'StandardEncoding'} def currentdict end currentfile eexec
`;
  const entry = (label: string, program: string, end: string): Buffer => {
    const data = encryptType1(assembled(program), 4330);
    return Buffer.concat([Buffer.from(`${label} ${data.length} RD `), data, Buffer.from(` ${end}\n`)]);
  };
  const all = [...COMMON_SUBRS, ...subrs];
  const plain = Buffer.concat([
    Buffer.from(`dup /Private 8 dict dup begin /BlueValues [-10 0 500 510] def /StdHW [60] def ${secret}
/Subrs ${all.length} array\n`),
    ...all.map((program, number) => entry(`dup ${number}`, program, 'NP')),
    Buffer.from(`ND 2 index /CharStrings ${Object.keys(glyphs).length} dict dup begin\n`),
    ...Object.entries(glyphs).map(([name, program]) => entry(`/${name}`, program, 'ND')),
    Buffer.from(
      'end end readonly put noaccess put dup/FontName get exch definefont pop mark currentfile closefile\n',
    ),
  ]);
  return Buffer.concat([Buffer.from(clear), encryptType1(plain, 55665), Buffer.from('0'.repeat(512))]);
}
