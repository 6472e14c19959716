// PDFium in a worker of the page: opens documents and draws their pages. Files are read piece by piece as PDFium asks for
// them, so a large one is never in memory as a whole.
import { init } from '@embedpdf/pdfium';
import type { Answer, DrawRequest, Opened, PageSize, Request } from './messages.ts';

type Call = (...args: number[]) => number;

/** What is used of the package's loader. */
interface Loader {
  wasmExports: Record<string, Call>;
  HEAPU8: Uint8Array;
  addFunction(call: Call, signature: string): number;
}

interface Library {
  call(name: string, ...args: number[]): number;
  heap(): Uint8Array;
}

/** Of workers; the type library of pages leaves it out. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const PASSWORD_ERROR = 4;
const ACCESS_BYTES = 12;
const RED_FIRST = 0x10;
const ANNOTATIONS = 0x01;
/** BGRx: what the page does not cover is white, and nothing is clear. */
const FORMAT = 3;
/** More pages than this are taken to be as large as the first. */
const MEASURED_PAGES = 3000;
const MOST_PIXELS = 12_000_000;
/** Open at a time; others are opened anew when they are looked at. */
const OPEN_DOCUMENTS = 6;

interface Document {
  pointer: number;
  form: number;
  formInfo: number;
  access: number;
}

const blobs = new Map<number, Blob>();
const documents = new Map<string, Document>();
let lastReader = 0;
let reading = 0;
let loading: Promise<Library> | undefined;

async function load(): Promise<Library> {
  const { pdfium } = await init({
    locateFile: () => WASM_PATH,
    print: () => {},
    printErr: () => {},
  } as never);
  const loader = pdfium as unknown as Loader;
  const library: Library = {
    call: (name, ...args) => loader.wasmExports[name]?.(...args) ?? 0,
    heap: () => loader.HEAPU8,
  };
  const config = library.call('malloc', 32);
  library.heap().fill(0, config, config + 32);
  library.heap()[config] = 2;
  library.call('FPDF_InitLibraryWithConfig', config);
  const reader = new FileReaderSync();
  reading = loader.addFunction((key, position, pointer, size) => {
    try {
      const [from, at, length] = [position >>> 0, pointer >>> 0, size >>> 0];
      const piece = blobs.get(key)?.slice(from, from + length);
      if (!piece || piece.size !== length) return 0;
      library.heap().set(new Uint8Array(reader.readAsArrayBuffer(piece)), at);
      return 1;
    } catch {
      // The file was changed or is gone: PDFium takes 0 for a read error.
      return 0;
    }
  }, 'iiiii');
  return library;
}

function open(library: Library, { key, file, password }: Request): Opened {
  const reader = ++lastReader;
  blobs.set(reader, file);
  const access = library.call('malloc', ACCESS_BYTES);
  const view = new DataView(library.heap().buffer, access, ACCESS_BYTES);
  view.setUint32(0, file.size, true);
  view.setUint32(4, reading, true);
  view.setUint32(8, reader, true);
  const words = new TextEncoder().encode(`${password}\0`);
  const secret = library.call('malloc', words.length);
  library.heap().set(words, secret);
  const pointer = library.call('FPDF_LoadCustomDocument', access, password === '' ? 0 : secret);
  library.call('free', secret);
  if (pointer === 0) {
    const isLocked = library.call('FPDF_GetLastError') === PASSWORD_ERROR;
    library.call('free', access);
    blobs.delete(reader);
    if (!isLocked) return { state: 'unseen' };
    return { state: password === '' ? 'locked' : 'wrong password' };
  }
  const formInfo = library.call('PDFiumExt_OpenFormFillInfo');
  const form = formInfo && library.call('PDFiumExt_InitFormFillEnvironment', pointer, formInfo);
  if (form) library.call('FPDF_SetFormFieldHighlightAlpha', form, 0);
  documents.set(key, { pointer, form, formInfo, access });
  closeOldest(library, key);
  return { state: 'ready', pages: sizesOf(library, pointer) };
}

function sizesOf(library: Library, pointer: number): PageSize[] {
  const count = library.call('FPDF_GetPageCount', pointer);
  const place = library.call('malloc', 16);
  const sizes: PageSize[] = [];
  for (let page = 0; page < count; page++) {
    const first = sizes[0];
    if (page >= MEASURED_PAGES && first) sizes.push(first);
    else {
      library.call('FPDF_GetPageSizeByIndex', pointer, page, place, place + 8);
      const view = new DataView(library.heap().buffer, place, 16);
      sizes.push({ width: view.getFloat64(0, true) || 612, height: view.getFloat64(8, true) || 792 });
    }
  }
  library.call('free', place);
  return sizes;
}

function close(library: Library, key: string): void {
  const document = documents.get(key);
  if (!document) return;
  documents.delete(key);
  if (document.form) library.call('PDFiumExt_ExitFormFillEnvironment', document.form);
  if (document.formInfo) library.call('PDFiumExt_CloseFormFillInfo', document.formInfo);
  library.call('FPDF_CloseDocument', document.pointer);
  const reader = new DataView(library.heap().buffer, document.access, ACCESS_BYTES).getUint32(8, true);
  blobs.delete(reader);
  library.call('free', document.access);
}

function closeOldest(library: Library, kept: string): void {
  for (const key of documents.keys()) {
    if (documents.size <= OPEN_DOCUMENTS) return;
    if (key !== kept) close(library, key);
  }
}

async function draw(library: Library, request: DrawRequest): Promise<ImageBitmap | undefined> {
  const { key, page, width: wide } = request;
  if (!documents.has(key)) open(library, request);
  const document = documents.get(key);
  if (!document) return undefined;
  // The last one looked at is the last to be closed.
  documents.delete(key);
  documents.set(key, document);
  const loaded = library.call('FPDF_LoadPage', document.pointer, page);
  if (loaded === 0) return undefined;
  try {
    const ratio =
      library.call('FPDF_GetPageHeightF', loaded) / library.call('FPDF_GetPageWidthF', loaded) || 1.4;
    const width = Math.max(1, Math.round(Math.min(wide, Math.sqrt(MOST_PIXELS / ratio))));
    const height = Math.max(1, Math.min(Math.round(width * ratio), 20_000));
    return await pixels(library, document, loaded, width, height);
  } finally {
    library.call('FPDF_ClosePage', loaded);
  }
}

async function pixels(
  library: Library,
  { form }: Document,
  page: number,
  width: number,
  height: number,
): Promise<ImageBitmap> {
  const bytes = width * height * 4;
  const at = library.call('malloc', bytes);
  library.heap().fill(0xff, at, at + bytes);
  const bitmap = library.call('FPDFBitmap_CreateEx', width, height, FORMAT, at, width * 4);
  library.call('FPDF_RenderPageBitmap', bitmap, page, 0, 0, width, height, 0, RED_FIRST | ANNOTATIONS);
  if (form) {
    library.call('FORM_OnAfterLoadPage', page, form);
    library.call('FPDF_FFLDraw', form, bitmap, page, 0, 0, width, height, 0, RED_FIRST | ANNOTATIONS);
    library.call('FORM_OnBeforeClosePage', page, form);
  }
  library.call('FPDFBitmap_Destroy', bitmap);
  const copy = new Uint8ClampedArray(library.heap().slice(at, at + bytes).buffer);
  library.call('free', at);
  // The fourth byte means nothing to PDFium in this format.
  for (let alpha = 3; alpha < copy.length; alpha += 4) copy[alpha] = 255;
  return createImageBitmap(new ImageData(copy, width, height));
}

async function answer(request: Request): Promise<void> {
  loading ??= load();
  const library = await loading;
  const { id } = request;
  const image = request.do === 'draw' ? await draw(library, request) : undefined;
  if (request.do === 'open') close(library, request.key);
  const told = request.do === 'open' ? { opened: open(library, request) } : { image };
  send({ id, ...told, memoryBytes: library.heap().length }, image ? [image] : []);
}

const send = (message: Answer, transfer: Transferable[] = []): void =>
  (self as unknown as Worker).postMessage(message, transfer);

let last: Promise<void> = Promise.resolve();
self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  // One at a time: a trap in PDFium ends the worker, and the page starts another.
  last = last
    .then(() => answer(data))
    .catch((error: unknown) => {
      setTimeout(() => {
        throw error;
      });
    });
});
