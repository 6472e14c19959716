// CharSet and CIDSet: what a subset says it holds, against what its program holds.
import type { PdfDocument } from '../../document.ts';
import { readCidToGid } from '../../fonts/cid-to-gid.ts';
import type { FontFacts } from './font-under-test.ts';

/** Undefined where the glyphs of the program have no names. */
export function namesOf({ program }: FontFacts): ReadonlySet<string> | undefined {
  if (program?.kind === 'type1') return new Set(program.font.charstrings.map(({ name }) => name));
  return program?.kind === 'cff' && program.font.names ? new Set(program.font.names) : undefined;
}

/** `onlyShown`: part 1 asks for the glyphs that are used, later parts for all of the program. */
export function listsAllNames(charSet: string, facts: FontFacts, onlyShown: boolean): boolean {
  const there = namesOf(facts);
  if (!there) return true;
  const listed = listedNames(charSet);
  if (onlyShown)
    return facts.allGlyphs().every(({ glyphName = '' }) => !there.has(glyphName) || listed.has(glyphName));
  const named = [...there].filter((name) => name !== '.notdef');
  return listed.size - 1 === named.length && named.every((name) => listed.has(name));
}

/** A list of names is a list where the first, too, follows a solidus. Any list may leave .notdef out. */
function listedNames(charSet: string): Set<string> {
  const [before = '', ...names] = charSet.split('/');
  const listed = before.trim() === '' ? names.map((name) => name.trim()).filter((name) => name !== '') : [];
  return new Set(['.notdef', ...listed]);
}

/** `onlyShown`: as above. */
export function listsAllCids(
  bits: Uint8Array,
  facts: FontFacts,
  doc: PdfDocument,
  onlyShown: boolean,
): boolean {
  const isListed = (cid: number): boolean => ((bits[cid >> 3] ?? 0) & (0x80 >> (cid & 7))) !== 0;
  const held = cidsOf(facts, doc);
  if (!held) return true;
  for (let cid = 1; cid < bits.length * 8; cid += 1) if (isListed(cid) && !held.has(cid)) return false;
  if (onlyShown)
    return facts.visibleGlyphs().every(({ cid }) => cid === undefined || cid === 0 || isListed(cid));
  for (const cid of held) if (cid !== 0 && !isListed(cid)) return false;
  return true;
}

/** Undefined where the program cannot tell. */
export function cidsOf({ program, descendant }: FontFacts, doc: PdfDocument): Set<number> | undefined {
  const cff = program?.kind === 'cff' ? program.font : program?.kind === 'truetype' ? program.cff : undefined;
  if (cff)
    return new Set(cff.isCid ? cff.byCid.keys() : Array.from({ length: cff.glyphCount }, (_, cid) => cid));
  if (program?.kind !== 'truetype') return undefined;
  const { glyphCount } = program.font;
  const map = readCidToGid(doc, descendant);
  const cids = Array.from({ length: map?.count ?? glyphCount }, (_, cid) => cid);
  if (!map) return new Set(cids);
  return new Set(cids.filter((cid) => map.glyph(cid) > 0 && map.glyph(cid) < glyphCount));
}
