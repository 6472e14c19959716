// Dropped letters: a paragraph of their own, in a frame that the lines of the next one stand beside.
import type { Paragraph, Run } from '../../layout/model.ts';
import { halfPoints, type RunContext, runsXml, twips } from './runs.ts';

/** As a capital letter is high, in sizes. */
const CAPITAL = 0.7;

/** The letter with what its word says before it, and the text that goes on from there. */
export function splitInitial(runs: readonly Run[]): { initial: string; rest: Run[] } | undefined {
  const [first, ...others] = runs;
  const initial = /^["'“„‘«]?\p{Lu}\p{M}*/u.exec(first?.text ?? '')?.[0];
  if (!first || !initial || first.formula) return undefined;
  const text = first.text.slice(initial.length);
  return { initial, rest: text === '' ? others : [{ ...first, text }, ...others] };
}

/** `pitch` is that of the lines beside it. */
export function dropCapParagraph(
  initial: string,
  { lines, style }: NonNullable<Paragraph['dropCap']>,
  { pitch, size }: { pitch: number; size: number },
  context: RunContext,
): { properties: string; content: string } {
  const height = pitch * lines;
  // As high as from the top of the first line's capitals to the last line, whatever font stands for its own.
  const letters = halfPoints((height - pitch + size * CAPITAL) / CAPITAL) / 2;
  const drawn = { ...style, size: letters };
  return {
    properties:
      `<w:keepNext/><w:framePr w:dropCap="drop" w:lines="${lines}" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/>` +
      `<w:spacing w:before="0" w:after="0" w:line="${twips(height)}" w:lineRule="exact"/><w:textAlignment w:val="baseline"/>`,
    content: runsXml([{ text: initial, style: drawn }], style, context),
  };
}
