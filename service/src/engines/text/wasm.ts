// HarfBuzz as WebAssembly: two modules, one that shapes text and one that cuts fonts down. Called directly:
// the package's own wrapper frees memory only when JavaScript's collector gets to it, which for fonts of many
// megabytes is too late.
import { readFile } from 'node:fs/promises';

/** An address in the instance's memory, or a handle; 0 is null. */
export type Pointer = number;
type Native = Record<string, (...args: number[]) => number>;

// The type library of Node leaves WebAssembly out; this is all of it that is used here.
interface WasmModule {
  readonly kind: unique symbol;
}
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  Instance: new (module: WasmModule, imports: object) => { exports: { memory: WasmMemory } & Native };
};

const PAGE_BYTES = 65536;
/** Far above what the largest fonts need. */
const MAX_BYTES = 384 * 1024 * 1024;

export interface Wasm {
  readonly native: Native;
  /** The whole memory. Any call may grow it and detach the view: ask anew after each call. */
  heap(): Uint8Array;
  words(): Int32Array;
  allocate(bytes: number): Pointer;
}

export type WasmName = 'harfbuzz' | 'harfbuzz-subset';

const modules = new Map<WasmName, Promise<WasmModule>>();

/** The compiled module; an instance of it starts in about a millisecond. */
export function compile(name: WasmName): Promise<WasmModule> {
  let module = modules.get(name);
  if (!module) {
    module = readFile(new URL(import.meta.resolve(`harfbuzzjs/dist/${name}.wasm`))).then((bytes) =>
      WebAssembly.compile(bytes),
    );
    module.catch(() => modules.delete(name));
    modules.set(name, module);
  }
  return module;
}

export function instantiate(module: WasmModule): Wasm {
  const stop = (): never => {
    throw new Error('HarfBuzz gave up');
  };
  const instance = new WebAssembly.Instance(module, {
    env: {
      _abort_js: stop,
      _emscripten_runtime_keepalive_clear: () => {},
      _setitimer_js: () => 0,
      emscripten_resize_heap: (bytes: number) => grow(instance.exports.memory, bytes >>> 0),
    },
    wasi_snapshot_preview1: { proc_exit: stop },
  });
  const { memory, ...native } = instance.exports;
  (native._initialize ?? native.__wasm_call_ctors)?.();
  return {
    native,
    heap: () => new Uint8Array(memory.buffer),
    words: () => new Int32Array(memory.buffer),
    allocate: (bytes) => {
      const pointer = native.malloc?.(bytes) ?? 0;
      if (pointer === 0) throw new Error(`HarfBuzz has no ${bytes} bytes left`);
      return pointer;
    },
  };
}

function grow(memory: WasmMemory, bytes: number): number {
  if (bytes > MAX_BYTES) return 0;
  try {
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES));
    return 1;
  } catch {
    return 0;
  }
}

/** Calls a C function of HarfBuzz. */
export function call(native: Wasm['native'], name: string, ...args: number[]): number {
  const known = native[name];
  if (!known) throw new Error(`HarfBuzz lacks ${name}`);
  return known(...args);
}
