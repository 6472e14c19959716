// A book as files that refer to each other, whatever it came in. assemble.ts makes one page of it.

import { decodeAddress } from '../markup/decode-address.ts';

export interface Chapter {
  /** Where it lies: addresses in it start from here. */
  path: string;
  /** HTML or XHTML. */
  html: string;
}

export interface ContentsEntry {
  title: string;
  /** Path of a chapter, with `#` and an id where it begins inside one. */
  target: string;
  children: ContentsEntry[];
}

export interface BookResource {
  bytes: Uint8Array;
  mediaType?: string;
}

export interface Book {
  title: string;
  author: string;
  language: string;
  chapters: Chapter[];
  contents: ContentsEntry[];
  /** Path of an image to stand before the first chapter. */
  cover?: string | undefined;
  /** Every chapter is one page of this size, in CSS pixels. */
  fixedPage?: { width: number; height: number } | undefined;
  resource(path: string): Promise<BookResource | undefined>;
}

/** The files of a package. */
export interface PackageFiles {
  paths: readonly string[];
  read(path: string): Promise<Uint8Array | undefined>;
}

export const MAX_CHAPTERS = 5000;
export const MAX_CONTENTS = 10_000;
/** Of all chapters together. */
export const MAX_CHARACTERS = 60_000_000;
/** Entries deeper than this stand at this depth. */
export const MAX_CONTENTS_DEPTH = 12;

/** `a/b/c.html` and `../d.png#x` make `a/d.png` and `x`; undefined where the address leads elsewhere. */
export function resolveAddress(
  from: string,
  address: string,
): { path: string; fragment: string } | undefined {
  const trimmed = address.trim();
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(trimmed)) return undefined;
  const [before = '', fragment = ''] = splitOnce(trimmed, '#');
  const plain = decodeAddress(splitOnce(before, '?')[0] ?? '');
  if (plain === '') return { path: from, fragment: decodeAddress(fragment) };
  const parts = plain.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of plain.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return { path: parts.join('/'), fragment: decodeAddress(fragment) };
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Ids of the page: those of a chapter behind its number, with plain letters only. */
export const idIn = (chapter: number, id: string): string =>
  `c${chapter}-${id.replace(/[^a-z0-9_-]/gi, (mark) => `.${mark.codePointAt(0)?.toString(16)}.`).slice(0, 200)}`;
