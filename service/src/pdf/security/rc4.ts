// RC4, which old encrypted files still use and OpenSSL no longer offers.

export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    const kept = at(one);
    state[one & 255] = at(other);
    state[other & 255] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  const out = Buffer.alloc(data.length);
  for (let i = 1, j = 0, place = 0; place < data.length; i += 1, place += 1) {
    j = (j + at(i)) & 255;
    swap(i, j);
    out[place] = (data[place] ?? 0) ^ at(at(i) + at(j));
  }
  return out;
}
