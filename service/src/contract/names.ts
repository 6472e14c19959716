// File names as callers see them (operations 1.7). Names on disk are never made from these.
import { withoutUnseen } from './unseen.ts';

const LONGEST_INPUT_NAME = 180;
/** A name an operation gives may be longer: a title of 254 characters and its extension. */
export const LONGEST_GIVEN_NAME = 254 + '.pdf'.length;

/** "Input names lose any path and control characters and are cut to 180 characters; no name -> document." */
export function safeName(given: string | undefined, longest = LONGEST_INPUT_NAME): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = [...withoutUnseen(last).trim().normalize('NFC')].slice(0, longest).join('');
  return clean === '' || clean === '.' || clean === '..' ? 'document' : clean;
}

/** The name without its last extension. */
export function baseName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export function contentDisposition(name: string): string {
  // Operations 1.7: in the ASCII form every other character, `"` and `\` become `_`.
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/gu, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Keeps names in one archive unique: `name.ext`, `name_1.ext`, `name_2.ext` (operations 1.7). */
export function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const base = baseName(name);
    const extension = name.slice(base.length);
    let candidate = name;
    for (let n = 1; used.has(candidate.toLowerCase()); n += 1) candidate = `${base}_${n}${extension}`;
    used.add(candidate.toLowerCase());
    return candidate;
  });
}
