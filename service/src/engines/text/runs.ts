// A line of text, cut into clusters (what a reader takes for one character) and runs of one font, script and
// direction. A cluster is split over fonts only where no font has all of it.
import { invalidParameter, type Problem } from '../../contract/problems.ts';
import { type FontChoice, visible } from './fallback.ts';
import type { Font } from './font.ts';
import { EAST_ASIAN, EUROPEAN, isEmoji, type Script, scriptOf } from './scripts.ts';

export interface Cluster {
  text: string;
  start: number;
  end: number;
  script: Script;
  font: Font;
}

export interface Run {
  start: number;
  end: number;
  level: number;
  script: Script;
  font: Font;
}

/** How many missing characters a refusal names. */
const NAMED = 10;

let segmenter: Intl.Segmenter | undefined;

export function clustersOf(text: string, choice: FontChoice, field: string): Cluster[] {
  const clusters: Cluster[] = [];
  const missing: string[] = [];
  for (const { text: cluster, start } of graphemes(text)) {
    const whole = fitted(cluster, start, clusters.at(-1), choice);
    if (whole) clusters.push(whole);
    else missing.push(...fitPieces(cluster, start, clusters, choice));
  }
  if (missing.length > 0) throw notDrawable(missing, choice, field);
  return clusters;
}

function fitted(
  text: string,
  start: number,
  previous: Cluster | undefined,
  choice: FontChoice,
): Cluster | undefined {
  const script = clusterScript(text);
  const font = clusterFont(text, script, previous, choice);
  // What belongs to every script goes with what stands before it.
  const joined = script === 'Common' ? (previous?.script ?? script) : script;
  return font && { text, start, end: start + text.length, script: joined, font };
}

/** Adds what no font has together in pieces, such as emoji that are joined to one; returns those without a font. */
function fitPieces(cluster: string, start: number, clusters: Cluster[], choice: FontChoice): string[] {
  const missing: string[] = [];
  let at = start;
  for (const piece of pieces(cluster)) {
    const made = fitted(piece, at, clusters.at(-1), choice);
    if (made) clusters.push(made);
    else missing.push(piece);
    at += piece.length;
  }
  return missing;
}

/** Each visible character, with the invisible ones that follow it. */
function pieces(cluster: string): string[] {
  const made: string[] = [];
  for (const character of cluster) {
    if (made.length > 0 && visible(character).length === 0) made.push(`${made.pop()}${character}`);
    else made.push(character);
  }
  return made;
}

function graphemes(text: string): { text: string; start: number }[] {
  if (/^[ -~]*$/.test(text)) return Array.from(text, (character, start) => ({ text: character, start }));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment, index }) => ({ text: segment, start: index }));
}

function clusterScript(cluster: string): Script {
  for (const character of cluster) {
    const script = scriptOf(character.codePointAt(0) ?? 0);
    if (script !== 'Common') return script;
  }
  return 'Common';
}

function clusterFont(
  cluster: string,
  script: Script,
  previous: Cluster | undefined,
  choice: FontChoice,
): Font | undefined {
  if (previous && staysWith(previous, cluster, script) && choice.has(previous.font, cluster))
    return previous.font;
  return choice.font(cluster, script);
}

/** Signs of no script take the font of the text around them; in European text, that of the look. */
function staysWith(previous: Cluster, cluster: string, script: Script): boolean {
  if (script !== 'Common' || isEmoji(cluster)) return false;
  return /^\s/.test(cluster) || !EUROPEAN.has(previous.script);
}

/** Operations 1.6: "Characters no font covers: 400 invalid_parameter naming them". */
export function notDrawable(clusters: readonly string[], choice: FontChoice, field: string): Problem {
  const all = [...new Set(clusters.flatMap(visible))];
  const absent = all.filter((code) => !choice.isDrawable(code));
  const named = absent.length > 0 ? absent : all;
  const list = named.slice(0, NAMED).map(nameOf).join(', ');
  const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
  return invalidParameter(`${field}: no font of this server has ${list}${more}.`);
}

function nameOf(code: number): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(code);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `${name} (${character})` : name;
}

/** Runs of a stretch of clusters; `levels` are those of its characters. */
export function runsOf(clusters: readonly Cluster[], levels: Uint8Array): Run[] {
  const runs: Run[] = [];
  const offset = clusters[0]?.start ?? 0;
  for (const { start, end, script, font } of clusters) {
    const level = levels[start - offset] ?? 0;
    const last = runs.at(-1);
    if (last && last.level === level && last.font === font && goTogether(last.script, script)) {
      last.end = end;
      if (last.script === 'Common') last.script = script;
    } else runs.push({ start, end, level, script, font });
  }
  return runs;
}

const goTogether = (a: Script, b: Script): boolean =>
  a === b || a === 'Common' || (EAST_ASIAN.has(a) && EAST_ASIAN.has(b));
