// Functions of PDF made by us (ISO 32000-1, 7.10.2).
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';

/** A function written as a table of its values, each 0 to 1. */
export function sampledFunction(
  doc: PdfDocument,
  domain: readonly number[],
  steps: number,
  of: (inputs: number[]) => readonly number[],
): Ref {
  const inputs = domain.length / 2;
  const total = steps ** inputs;
  const rows = Array.from({ length: total }, (_, index) =>
    of(
      Array.from({ length: inputs }, (_, axis) => {
        const [low = 0, high = 1] = domain.slice(2 * axis, 2 * axis + 2);
        return low + ((Math.floor(index / steps ** axis) % steps) / (steps - 1)) * (high - low);
      }),
    ),
  );
  return doc.addStream(
    Dict.of({
      FunctionType: 0,
      Domain: [...domain],
      Range: (rows[0] ?? []).flatMap(() => [0, 1]),
      Size: Array(inputs).fill(steps),
      BitsPerSample: 8,
    }),
    Uint8Array.from(rows.flat(), (value) => Math.round(value * 255)),
  );
}
