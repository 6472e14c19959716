// Characters with sizes, gathered into lines and runs.

/** Characters in order, with the look of each: as an engine reads them from a page. */
export interface SizedChars {
  count: number;
  codes: Uint32Array;
  lookOf: Uint32Array;
  looks: readonly { size: number }[];
}

export interface TextRun {
  text: string;
  /** In points. */
  size: number;
}

/** A line: runs of one size each, at least one of them not blank. */
export type TextLine = TextRun[];

const LINE_ENDS = new Set([0x0a, 0x0d, 0x0b, 0x0c, 0x85, 0x2028, 0x2029]);

/** Sizes are told apart by a twentieth of a point; less is dust of the arithmetic. */
const STEPS_PER_POINT = 20;

/** Spaces belong to the run before them, whatever their size. */
export function textLines(chars: SizedChars): TextLine[] {
  const lines: TextLine[] = [];
  let line: TextLine = [];
  const endLine = (): void => {
    const runs = line.map(({ text, size }) => ({ text: text.replace(/\s+/gu, ' ').trim(), size }));
    const filled = runs.filter(({ text }) => text !== '');
    if (filled.length > 0) lines.push(filled);
    line = [];
  };
  for (let i = 0; i < chars.count; i += 1) {
    const code = chars.codes[i] ?? 0;
    if (LINE_ENDS.has(code)) {
      endLine();
      continue;
    }
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    const held = chars.looks[chars.lookOf[i] ?? -1]?.size;
    const run = line.at(-1);
    const size = held === undefined ? undefined : Math.round(held * STEPS_PER_POINT) / STEPS_PER_POINT;
    if (run && (size === undefined || size === run.size || /\s/u.test(character))) run.text += character;
    else if (!/\s/u.test(character)) line.push({ text: character, size: size ?? 0 });
  }
  endLine();
  return lines;
}

export const lineText = (line: TextLine): string => line.map(({ text }) => text).join(' ');
