// PDFium itself: one WebAssembly instance per process, loaded when first needed and shared between jobs.
import { readFile } from 'node:fs/promises';
import type { Functions } from '@embedpdf/pdfium';
import { GIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { wasmUrl } from './package.ts';

/** An address in the instance's memory, or a handle; 0 is null. */
export type Pointer = number;

type Numbers<T> = { -readonly [I in keyof T]: number } extends infer A extends number[] ? A : never;

/** PDFium's C functions. Everything is a number: pointers, handles, integers, floats and booleans (0 or 1). */
export type Native = {
  readonly [K in keyof Functions]: (...args: Numbers<Functions[K][0]>) => number;
};

export interface Library {
  readonly native: Native;
  /** The whole memory. Any call may grow it and detach the view: ask anew after each call. */
  heap(): Uint8Array;
  /** Memory that lives until `free`; a refusal is a problem, not null. */
  allocate(bytes: number): Pointer;
  free(pointer: Pointer): void;
  /** Memory for as long as its block runs: `using scratch = library.borrow(16)`. */
  borrow(bytes: number): Borrowed;
  /** Puts a function where PDFium can call it, for as long as the process lives. It must never throw. */
  callback(call: NativeCall, signature: string): Pointer;
}

interface Borrowed extends Disposable {
  readonly at: Pointer;
  /** What it holds, until the next call. */
  view(): DataView;
  floats(): Float32Array;
  /** Text as C has it, of so many bytes with the zero behind it; undefined where it was none or did not fit. */
  text(bytes: number, encoding: BufferEncoding): string | undefined;
}

type NativeCall = (...args: number[]) => number;

let loading: Promise<Library> | undefined;
let poison: Problem | undefined;
let growthRefused = false;

/** Whether a call trapped. The instance's memory can no longer be trusted: this process should retire. */
export function isPoisoned(): boolean {
  return poison !== undefined;
}

export function loadLibrary(): Promise<Library> {
  loading ??= instantiate().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

// The type library of Node leaves WebAssembly out; this is all of it that is used here.
interface WasmModule {
  readonly kind: unique symbol;
}
interface WasmInstance {
  readonly exports: Record<string, unknown>;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  Instance: new (module: WasmModule, imports: object) => WasmInstance;
};

const compile = async (): Promise<WasmModule> => WebAssembly.compile(await readFile(wasmUrl()));

async function instantiate(): Promise<Library> {
  const [{ init }, module] = await Promise.all([import('@embedpdf/pdfium'), compile()]);
  const { pdfium } = await init({
    instantiateWasm: (imports: object, receive: (instance: never) => unknown) =>
      receive(new WebAssembly.Instance(module, withBoundedGrowth(imports as Imports)) as never) as never,
    print: () => {},
    printErr: () => {},
  });
  const library = bind(pdfium as unknown as Loader);
  initialise(library);
  return library;
}

/** A page image of 100 megapixels takes 400 MB; what asks for much more than that is a bomb. */
const MAX_HEAP_BYTES = GIB;

interface Imports {
  env: { emscripten_resize_heap(bytes: number): number };
}

/** Memory that may not grow makes PDFium abort; the note tells that from other traps. */
function withBoundedGrowth(imports: Imports): Imports {
  const grow = imports.env.emscripten_resize_heap;
  imports.env.emscripten_resize_heap = (bytes) => {
    const grown = bytes >>> 0 <= MAX_HEAP_BYTES && grow(bytes) ? 1 : 0;
    growthRefused = grown === 0;
    return grown;
  };
  return imports;
}

/** What is used of the package's loader; its own types need a package that is not installed. */
interface Loader {
  wasmExports: Record<string, unknown>;
  HEAPU8: Uint8Array;
  addFunction(call: NativeCall, signature: string): Pointer;
}

function bind(loader: Loader): Library {
  const guarded: Record<string, NativeCall> = {};
  for (const [name, call] of Object.entries(loader.wasmExports)) {
    if (typeof call === 'function') guarded[name] = guard(call as NativeCall);
  }
  const { malloc, free } = guarded;
  if (!malloc || !free) throw new Error('this build of PDFium exports no malloc or no free');
  const allocate = (bytes: number): Pointer => {
    const pointer = malloc(bytes);
    if (pointer === 0) throw outOfMemory();
    return pointer;
  };
  // After a trap there is nothing left to give back to.
  const giveBack = (pointer: Pointer): void => (poison ? undefined : void free(pointer));
  return {
    native: guarded as unknown as Native,
    // The loader renews this view whenever the memory grows.
    heap: () => loader.HEAPU8,
    allocate,
    free: giveBack,
    borrow: (bytes) => new Loan(loader, allocate(bytes), bytes, giveBack),
    callback: (call, signature) => loader.addFunction(call, signature),
  };
}

/** Thousands of them are taken for a page: one class, nothing made for each but itself. */
class Loan implements Borrowed {
  readonly at: Pointer;
  private readonly loader: Loader;
  private readonly bytes: number;
  private readonly giveBack: (pointer: Pointer) => void;

  constructor(loader: Loader, at: Pointer, bytes: number, giveBack: (pointer: Pointer) => void) {
    this.loader = loader;
    this.at = at;
    this.bytes = bytes;
    this.giveBack = giveBack;
  }

  view(): DataView {
    return new DataView(this.loader.HEAPU8.buffer, this.at, this.bytes);
  }

  floats(): Float32Array {
    return new Float32Array(this.loader.HEAPU8.buffer, this.at, this.bytes >> 2);
  }

  text(length: number, encoding: BufferEncoding): string | undefined {
    if (length <= 1 || length > this.bytes) return undefined;
    return Buffer.from(this.loader.HEAPU8.subarray(this.at, this.at + length - 1)).toString(encoding);
  }

  [Symbol.dispose](): void {
    this.giveBack(this.at);
  }
}

/** Every call into the instance goes through here, so that no trap is overlooked. */
function guard(call: NativeCall): NativeCall {
  // Calls of few arguments are the many: theirs are handed on as they are, without a list of them.
  switch (call.length) {
    case 1:
      return (a) => {
        enter();
        try {
          return call(a as number);
        } catch (thrown) {
          throw poisonedBy(thrown);
        }
      };
    case 2:
      return (a, b) => {
        enter();
        try {
          return call(a as number, b as number);
        } catch (thrown) {
          throw poisonedBy(thrown);
        }
      };
    case 3:
      return (a, b, c) => {
        enter();
        try {
          return call(a as number, b as number, c as number);
        } catch (thrown) {
          throw poisonedBy(thrown);
        }
      };
    default:
      return (...args) => {
        enter();
        try {
          return call(...args);
        } catch (thrown) {
          throw poisonedBy(thrown);
        }
      };
  }
}

function enter(): void {
  if (poison) throw poison;
  growthRefused = false;
}

/**
 * Traps and aborts are RuntimeErrors, exhausted stacks RangeErrors, a lost longjmp a number: in each case frames inside
 * the instance were left without unwinding.
 */
function poisonedBy(thrown: unknown): Problem {
  poison = growthRefused ? outOfMemory(thrown) : trapped(thrown);
  return poison;
}

const trapped = (cause: unknown): Problem =>
  new Problem('internal', 'The PDF engine failed on this document.', { cause });

export const outOfMemory = (cause?: unknown): Problem =>
  new Problem('memory_exceeded', 'The document needs more memory than one worker may use.', { cause });

const CONFIG_BYTES = 32;

function initialise(library: Library): void {
  using config = library.borrow(CONFIG_BYTES);
  // FPDF_LIBRARY_CONFIG of version 2: no font folders of our own, no script engine.
  library.heap().fill(0, config.at, config.at + CONFIG_BYTES);
  library.heap()[config.at] = 2;
  library.native.FPDF_InitLibraryWithConfig(config.at);
}
