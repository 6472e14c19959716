// Whether PDFium is here. Asking compiles nothing: workers that never look stay small.
import { access, readFile } from 'node:fs/promises';
import type { EngineState } from '../engine-state.ts';

export const wasmUrl = (): URL => new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));

export async function probe(): Promise<EngineState> {
  try {
    const [version] = await Promise.all([readVersion(), access(wasmUrl())]);
    return { available: true, version };
  } catch {
    return {
      available: false,
      missing: 'The npm package @embedpdf/pdfium is missing or damaged; run npm ci.',
    };
  }
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', wasmUrl()), 'utf8')) as {
    version: string;
  };
  return version;
}
