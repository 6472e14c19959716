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
  let filled = 0;
  for (let row = 0; row < rows; row += 1) {
    const from = row * (rowBytes + 1);
    const kind = bytes[from] ?? 0;
    const source = bytes.subarray(from + 1, from + 1 + rowBytes);
    const at = row * rowBytes;
    for (let i = 0; i < source.length; i += 1) {
      const left = i >= pixelBytes ? (out[at + i - pixelBytes] ?? 0) : 0;
      const up = row > 0 ? (out[at + i - rowBytes] ?? 0) : 0;
      const corner = row > 0 && i >= pixelBytes ? (out[at + i - rowBytes - pixelBytes] ?? 0) : 0;
      out[at + i] = (source[i] ?? 0) + foretold(kind, left, up, corner);
    }
    filled = at + source.length;
  }
  return out.subarray(0, filled);
}

function foretold(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
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
