// Codes in images: QR codes anywhere, in any rotation, at scan quality. ZXing as WebAssembly.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Raster } from '../../contract/raster.ts';

export interface Codes {
  /** The texts of all QR codes of an image. */
  readQrCodes(image: Raster): Promise<string[]>;
}

const MOST_CODES = 50;
const wasmPath = (): string => fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

type Reader = typeof import('zxing-wasm/reader');
let loaded: Promise<Reader> | undefined;

/** The program is read from our own packages: by itself the library would fetch it from the network. */
async function load(): Promise<Reader> {
  const [reader, wasm] = await Promise.all([import('zxing-wasm/reader'), readFile(wasmPath())]);
  await reader.prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer, print: () => {}, printErr: () => {} },
    fireImmediately: true,
  });
  return reader;
}

export async function createCodes(): Promise<Codes> {
  loaded ??= load();
  const reader = await loaded;
  return {
    async readQrCodes({ width, height, rgba }) {
      const data = new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.byteLength);
      const found = await reader.readBarcodes({ width, height, data, colorSpace: 'srgb' } as ImageData, {
        formats: ['QRCode'],
        tryHarder: true,
        tryRotate: true,
        tryInvert: true,
        tryDownscale: true,
        maxNumberOfSymbols: MOST_CODES,
      });
      return found.filter(({ isValid }) => isValid).map(({ text }) => text);
    },
  };
}
