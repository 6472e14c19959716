// Marked content while it is cut: words that stand for what is shown (ActualText, Alt, E) go when some of it goes.
import { Dict, Name, type PdfValue, Ref } from '../objects.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';

/** Entries whose text replaces or explains the content. */
export const REPLACEMENT_TEXTS = ['ActualText', 'Alt', 'E'];

interface Open {
  mcid: number | undefined;
  /** Called at the end with whether content was lost. */
  settle: ((lost: boolean) => void) | undefined;
  lost: boolean;
}

export class MarkedContent {
  /** Ids of sequences that lost content. */
  readonly lost = new Set<number>();
  private readonly open: Open[] = [];

  begin(mcid?: number, settle?: (lost: boolean) => void): void {
    this.open.push({ mcid, settle, lost: false });
  }

  loseContent(): void {
    for (const each of this.open) each.lost = true;
  }

  end(): void {
    const last = this.open.pop();
    if (!last) return;
    last.settle?.(last.lost);
    if (last.lost && last.mcid !== undefined) this.lost.add(last.mcid);
  }

  endAll(): void {
    while (this.open.length > 0) this.end();
  }
}

/** A BDC operator with the property list written out, without the texts. */
export function withoutTexts(tag: PdfValue | undefined, properties: Dict): string {
  const left = new Dict(
    [...properties].filter(([key, value]) => !REPLACEMENT_TEXTS.includes(key) && isPlain(value)),
  );
  return `${formatName(tag instanceof Name ? tag.value : 'Span')} ${formatValue(left)} BDC`;
}

/** Content may hold no references. */
function isPlain(value: PdfValue): boolean {
  if (value instanceof Ref) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  return value instanceof Dict ? [...value.values()].every(isPlain) : true;
}
