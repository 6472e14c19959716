// Predictors of Flate and LZW data: TIFF 2 and the five of PNG (ISO 32000-1, 7.4.4.4).

type Numbers = (key: string) => number | undefined;

const PNG_FIRST = 10;

export function undoPredictor(bytes: Uint8Array, number: Numbers): Uint8Array {
  const predictor = number('Predictor') ?? 1;
  const colors = bounded(number('Colors'), 1, 32);
  const depth = bounded(number('BitsPerComponent'), 8, 16);
  const columns = bounded(number('Columns'), 1, 1_000_000);
  const rowBytes = Math.ceil((colors * depth * columns) / 8);
  const pixelBytes = Math.max(1, (colors * depth) >> 3);
  if (predictor >= PNG_FIRST) return undoPng(bytes, rowBytes, pixelBytes);
  return predictor === 2 ? undoTiff(bytes, rowBytes, colors, depth) : bytes;
}

const bounded = (value: number | undefined, fallback: number, most: number): number =>
  value === undefined || !Number.isInteger(value) || value < 1 ? fallback : Math.min(value, most);

function undoPng(bytes: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (rowBytes + 1));
  const out = new Uint8Array(rows * rowBytes);
  let above: Uint8Array = new Uint8Array(rowBytes);
  let filled = 0;
  for (let row = 0; row < rows; row += 1) {
    const from = row * (rowBytes + 1);
    const source = bytes.subarray(from + 1, from + 1 + rowBytes);
    const at = row * rowBytes;
    filled = at + source.length;
    const target = out.subarray(at, filled);
    target.set(source);
    UNDO_ROW[bytes[from] ?? 0]?.(target, above, pixelBytes);
    above = target;
  }
  return out.subarray(0, filled);
}

type UndoRow = (row: Uint8Array, above: Uint8Array, pixelBytes: number) => void;

/** By the number that each row begins with; a loop for each, for images have millions of bytes. */
const UNDO_ROW: Readonly<Record<number, UndoRow>> = {
  1: (row, _, pixelBytes) => {
    for (let i = pixelBytes; i < row.length; i += 1)
      row[i] = (row[i] as number) + (row[i - pixelBytes] as number);
  },
  2: (row, above) => {
    for (let i = 0; i < row.length; i += 1) row[i] = (row[i] as number) + (above[i] as number);
  },
  3: (row, above, pixelBytes) => {
    for (let i = 0; i < row.length; i += 1) {
      const left = i >= pixelBytes ? (row[i - pixelBytes] as number) : 0;
      row[i] = (row[i] as number) + ((left + (above[i] as number)) >> 1);
    }
  },
  4: (row, above, pixelBytes) => {
    const first = Math.min(pixelBytes, row.length);
    for (let i = 0; i < first; i += 1) row[i] = (row[i] as number) + (above[i] as number);
    for (let i = pixelBytes; i < row.length; i += 1)
      row[i] =
        (row[i] as number) +
        nearest(row[i - pixelBytes] as number, above[i] as number, above[i - pixelBytes] as number);
  },
};

/** Paeth's choice. */
function nearest(left: number, up: number, corner: number): number {
  const a = Math.abs(up - corner);
  const b = Math.abs(left - corner);
  const c = Math.abs(left + up - 2 * corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function undoTiff(bytes: Uint8Array, rowBytes: number, colors: number, depth: number): Uint8Array {
  // Other depths are not written by anything known.
  if (depth !== 8) return bytes;
  const out = Uint8Array.from(bytes);
  for (let i = 0; i < out.length; i += 1) {
    if (i % rowBytes >= colors) out[i] = (out[i] ?? 0) + (out[i - colors] ?? 0);
  }
  return out;
}
