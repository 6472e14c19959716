// Faxes of group 4 (ITU-T T.6): images of one bit a pixel in a fraction of what deflating makes of them.

/** Codes of runs as text of bits; 0 to 63, then the multiples of 64 up to 1728. */
const WHITE_RUNS =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 ' +
  '0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 ' +
  '00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 ' +
  '00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 ' +
  '01011011 01001010 01001011 00110010 00110011 00110100 ' +
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 ' +
  '011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 ' +
  '010011010 011000 010011011';
const BLACK_RUNS =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111 ' +
  '0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 ' +
  '000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 ' +
  '000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 ' +
  '000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 ' +
  '000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 ' +
  '000001100111 ' +
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 ' +
  '0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 ' +
  '0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 ' +
  '0000001100100 0000001100101';
/** 1792 to 2560, of either colour. */
const LONG_RUNS =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 ' +
  '000000011100 000000011101 000000011110 000000011111';
/** From three pixels left to three pixels right. */
const VERTICAL = '0000010 000010 010 1 011 000011 0000011';
const PASS = '0001';
const HORIZONTAL = '001';
const END_OF_LINE = '000000000001';

interface Code {
  bits: number;
  length: number;
}
const code = (text: string): Code => ({ bits: Number.parseInt(text, 2), length: text.length });
const codes = (text: string): Code[] => text.split(' ').map(code);

const LONG = codes(LONG_RUNS);
const WHITE = [...codes(WHITE_RUNS), ...LONG];
const BLACK = [...codes(BLACK_RUNS), ...LONG];
const VERTICAL_CODES = codes(VERTICAL);
const PASS_CODE = code(PASS);
const HORIZONTAL_CODE = code(HORIZONTAL);
const LONGEST_RUN = 2560;

/** Rows of packed bits, each beginning with a byte of its own; `setIsBlack` tells what a set bit means. */
export function encodeFax(
  rows: Iterable<Uint8Array>,
  width: number,
  { setIsBlack }: { setIsBlack: boolean },
): Buffer {
  const out = new BitWriter();
  let above: number[] = [width];
  for (const row of rows) {
    const changes = changesOf(row, width, setIsBlack);
    encodeRow(out, changes, above, width);
    above = changes;
  }
  for (let twice = 0; twice < 2; twice += 1) out.write(code(END_OF_LINE));
  return out.finish();
}

/** Where the colour changes, beginning with white; the width ends the list. */
function changesOf(row: Uint8Array, width: number, setIsBlack: boolean): number[] {
  const changes: number[] = [];
  let black = false;
  const white = setIsBlack ? 0 : 0xff;
  for (let x = 0; x < width; ) {
    const byte = row[x >> 3] ?? white;
    // Whole bytes of the colour that is going on are passed over.
    if ((x & 7) === 0 && byte === (black ? 0xff - white : white)) {
      x += 8;
      continue;
    }
    const isBlack: boolean = ((byte >> (7 - (x & 7))) & 1) === (setIsBlack ? 1 : 0);
    if (isBlack !== black) {
      changes.push(x);
      black = isBlack;
    }
    x += 1;
  }
  changes.push(width);
  return changes;
}

function encodeRow(
  out: BitWriter,
  changes: readonly number[],
  above: readonly number[],
  width: number,
): void {
  // Before the first pixel; it counts as the first for lengths.
  let at = -1;
  /** The next change here; even ones turn black. */
  let here = 0;
  /** The next change of the same kind in the row above. */
  let there = 0;
  while (at < width) {
    while ((above[there] ?? width) <= at && there < above.length) there += 2;
    const next = changes[here] ?? width;
    const upper = above[there] ?? width;
    const upperEnd = above[there + 1] ?? width;
    const shift = next - upper;
    if (upperEnd < next) {
      out.write(PASS_CODE);
      at = upperEnd;
    } else if (shift >= -3 && shift <= 3) {
      out.write(VERTICAL_CODES[shift + 3] as Code);
      at = next;
      here += 1;
      there += there > 0 ? -1 : 1;
    } else {
      const end = changes[here + 1] ?? width;
      const black = here % 2 === 1;
      out.write(HORIZONTAL_CODE);
      writeRun(out, next - Math.max(at, 0), black);
      writeRun(out, end - next, !black);
      at = end;
      here += 2;
    }
  }
}

function writeRun(out: BitWriter, length: number, black: boolean): void {
  const table = black ? BLACK : WHITE;
  let left = length;
  for (; left > LONGEST_RUN; left -= LONGEST_RUN) out.write(table[63 + LONGEST_RUN / 64] as Code);
  if (left >= 64) out.write(table[63 + Math.floor(left / 64)] as Code);
  out.write(table[left % 64] as Code);
}

class BitWriter {
  private bytes = Buffer.alloc(64 * 1024);
  private length = 0;
  private held = 0;
  private heldBits = 0;

  write({ bits, length }: Code): void {
    this.held = (this.held << length) | bits;
    this.heldBits += length;
    while (this.heldBits >= 8) {
      this.heldBits -= 8;
      this.put(this.held >> this.heldBits);
      this.held &= (1 << this.heldBits) - 1;
    }
  }

  finish(): Buffer {
    if (this.heldBits > 0) this.put(this.held << (8 - this.heldBits));
    return this.bytes.subarray(0, this.length);
  }

  private put(byte: number): void {
    if (this.length === this.bytes.length) this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2);
    this.bytes[this.length] = byte & 0xff;
    this.length += 1;
  }
}
