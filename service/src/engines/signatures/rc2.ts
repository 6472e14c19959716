// RC2 in CBC mode, decryption only (RFC 2268): old key stores use it, and OpenSSL no longer offers it.

const PI = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);

/** The key in 64 words, as strong as its own length. */
function expand(key: Uint8Array): Uint16Array {
  const bytes = new Uint8Array(128);
  bytes.set(key);
  const at = (index: number): number => bytes[index] ?? 0;
  for (let i = key.length; i < 128; i += 1) bytes[i] = PI[(at(i - 1) + at(i - key.length)) & 255] ?? 0;
  bytes[128 - key.length] = PI[at(128 - key.length)] ?? 0;
  for (let i = 127 - key.length; i >= 0; i -= 1) bytes[i] = PI[at(i + 1) ^ at(i + key.length)] ?? 0;
  return Uint16Array.from({ length: 64 }, (_, i) => at(2 * i) | (at(2 * i + 1) << 8));
}

const ROTATIONS = [1, 2, 3, 5];

function decryptBlock(words: Uint16Array, block: Uint16Array): void {
  const r = (index: number): number => block[index & 3] ?? 0;
  const unmix = (round: number): void => {
    for (let i = 3; i >= 0; i -= 1) {
      const turn = ROTATIONS[i] ?? 0;
      const turned = (r(i) >>> turn) | (r(i) << (16 - turn));
      block[i] = turned - (words[4 * round + i] ?? 0) - (r(i + 3) & r(i + 2)) - (~r(i + 3) & r(i + 1));
    }
  };
  const unmash = (): void => {
    for (let i = 3; i >= 0; i -= 1) block[i] = r(i) - (words[r(i + 3) & 63] ?? 0);
  };
  for (let round = 15; round >= 0; round -= 1) {
    unmix(round);
    if (round === 11 || round === 5) unmash();
  }
}

/** Padding included. */
export function rc2Decrypt(key: Uint8Array, start: Uint8Array, data: Uint8Array): Buffer {
  const words = expand(key);
  const out = Buffer.alloc(data.length);
  const block = new Uint16Array(4);
  let previous = start;
  for (let at = 0; at + 8 <= data.length; at += 8) {
    const given = data.subarray(at, at + 8);
    for (let i = 0; i < 4; i += 1) block[i] = (given[2 * i] ?? 0) | ((given[2 * i + 1] ?? 0) << 8);
    decryptBlock(words, block);
    for (let i = 0; i < 8; i += 1) {
      const byte = (block[i >> 1] ?? 0) >>> (8 * (i & 1));
      out[at + i] = byte ^ (previous[i] ?? 0);
    }
    previous = given;
  }
  return out;
}
