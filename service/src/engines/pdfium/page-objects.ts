// The objects of a page and what kind each is, without two calls for every one of them.
import type { Library, Pointer } from './library.ts';
import { dequeAt, wordsOf } from './page-items/pdfium-memory.ts';

/** FPDFPageObj_GetType. */
export const TEXT = 1;
export const PATH = 2;
export const IMAGE = 3;
export const FORM = 5;

/** A map may have a million objects: such pages are not looked at one by one. */
const MAX_OBJECTS = 50_000;
/** Where the objects hang on a page and in what a form draws, in bytes, and how many addresses stand in one block. */
const PAGE_OBJECTS = 112;
const FORM_OBJECTS = 104;
/** What a form draws, in words of four bytes from the start of the object. */
const FORM_CONTENT = 24;
const IN_BLOCK = 1024;

export interface PageObjects {
  count: number;
  /** In the order they are drawn. */
  objects: Uint32Array;
  types: Uint8Array;
}

/** Undefined where there are too many. */
export function pageObjects(library: Library, page: Pointer): PageObjects | undefined {
  const { native } = library;
  const count = Math.max(0, native.FPDFPage_CountObjects(page));
  if (count > MAX_OBJECTS) return undefined;
  return listed(library, page + PAGE_OBJECTS, count, (i) => native.FPDFPage_GetObject(page, i));
}

/** The same of what a form draws. */
export function formObjects(library: Library, form: Pointer): PageObjects | undefined {
  const { native } = library;
  const count = Math.max(0, native.FPDFFormObj_CountObjects(form));
  if (count > MAX_OBJECTS) return undefined;
  const content = wordsOf(library).u[(form >> 2) + FORM_CONTENT] as Pointer;
  return listed(library, content + FORM_OBJECTS, count, (i) => native.FPDFFormObj_GetObject(form, i));
}

type Ask = (i: number) => Pointer;

function listed(library: Library, address: Pointer, count: number, ask: Ask): PageObjects {
  const objects =
    copyObjects(library, address, count, ask) ?? Uint32Array.from({ length: count }, (_, i) => ask(i));
  return { count, objects, types: typesOf(library, objects) };
}

/** Out of the memory; undefined when what stands there does not look like them. */
function copyObjects(library: Library, address: Pointer, count: number, ask: Ask): Uint32Array | undefined {
  const { u } = wordsOf(library);
  const { blocks, start, size } = dequeAt(u, address);
  if (size !== count || start >= IN_BLOCK) return undefined;
  const objects = new Uint32Array(count);
  for (let i = 0, at = start; i < count; i += 1, at += 1)
    objects[i] = u[((u[(blocks >> 2) + (at >> 10)] as number) >> 2) + (at & (IN_BLOCK - 1))] as number;
  for (const i of new Set([0, count >> 1, count - 1]))
    if (i >= 0 && i < count && ask(i) !== objects[i]) return undefined;
  return objects;
}

/** Objects of one class share its table of functions, which is the first thing in them. */
function typesOf(library: Library, objects: Uint32Array): Uint8Array {
  const types = new Uint8Array(objects.length);
  const known = new Map<number, number>();
  let { u } = wordsOf(library);
  for (let i = 0; i < objects.length; i += 1) {
    const object = objects[i] as Pointer;
    if (object === 0) continue;
    const table = u[object >> 2] as number;
    let type = known.get(table);
    if (type === undefined) {
      type = library.native.FPDFPageObj_GetType(object);
      known.set(table, type);
      ({ u } = wordsOf(library));
    }
    types[i] = type;
  }
  return types;
}
