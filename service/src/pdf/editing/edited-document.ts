// The JSON of an editor held against the document it was made of: which strings changed, moved or went. What it says
// otherwise and cannot be written is refused: nothing of an edit is lost in silence.

import { invalidParameter } from '../../contract/problems.ts';
import type { Matrix } from '../geometry/matrix.ts';

/** A string of a page, by its zOrder. */
export interface EditedString {
  zOrder: number;
  /** Where it stands in the JSON. */
  path: string;
  /** Absent: it is gone. */
  now: { text: string; matrix: Matrix | undefined } | undefined;
}

interface Members {
  [name: string]: unknown;
}

/** Numbers come back as they were written, or through an editor that rounds them. */
const SAME_NUMBER = 0.001;
/** Further out nothing can be drawn. */
const MAX_NUMBER = 1_000_000;
const MAX_TEXT = 10_000;

/** Told for the editor's use, and measured anew: what they say changes nothing. */
const MEASURES = new Set([
  'width',
  'height',
  'spaceWidth',
  'fontMatrixSize',
  'fontSizeInPt',
  'fallbackUsed',
  'charCodes',
]);
const WRITTEN = new Set(['text', 'x', 'y', 'textMatrix', 'zOrder', ...MEASURES]);

const refuse = (detail: string, hint?: string): never => {
  throw invalidParameter(`editorJson: ${detail}`, hint === undefined ? {} : { hint });
};

/** `original` is what an editor is given, without data; `edited` what came back. By page, from 1 on. */
export function editedStrings(original: unknown, edited: unknown): Map<number, EditedString[]> {
  const [before, now] = [original as Members, edited];
  if (!isObject(now)) return refuse('is no object such as convert/pdf/text-editor gives.');
  const { pages: ownPages, ...others } = before;
  const { pages, ...rest } = now;
  compare(others, rest, '');
  if (!Array.isArray(pages)) return refuse('has no list "pages".');
  const byNumber = new Map((ownPages as Members[]).map((page) => [page.pageNumber, page]));
  const found = new Map<number, EditedString[]>();
  for (const [index, page] of pages.entries()) {
    const path = `pages[${index}]`;
    const own = isObject(page) ? byNumber.get(page.pageNumber) : undefined;
    if (!isObject(page) || !own) return refuse(`${path}.pageNumber is no page of the document.`);
    const number = page.pageNumber as number;
    if (found.has(number)) return refuse(`${path}: page ${number} comes twice.`);
    found.set(number, pageStrings(own, page, path));
  }
  return found;
}

function pageStrings(own: Members, page: Members, path: string): EditedString[] {
  const { textElements: ownTexts, ...others } = own;
  const { textElements: texts, ...rest } = page;
  compare(others, rest, path);
  // A page without the list is not edited.
  if (texts === undefined) return [];
  if (!Array.isArray(texts)) return refuse(`${path}.textElements is no list.`);
  const waiting = new Map((ownTexts as Members[]).map((element) => [element.zOrder, element]));
  const changed: EditedString[] = [];
  for (const [index, element] of texts.entries()) {
    const at = `${path}.textElements[${index}]`;
    const known = isObject(element) ? waiting.get(element.zOrder) : undefined;
    if (!isObject(element) || !known)
      return refuse(
        `${at}.zOrder is that of no text of the page, or comes twice.`,
        'zOrder tells which text is meant: leave it as it was. New text is put on pages by misc/add-stamp.',
      );
    waiting.delete(element.zOrder);
    const now = changeOf(known, element, at);
    if (now) changed.push({ zOrder: element.zOrder as number, path: at, now });
  }
  for (const zOrder of waiting.keys()) changed.push({ zOrder: zOrder as number, path, now: undefined });
  return changed;
}

/** Undefined where the string is as it was. */
function changeOf(known: Members, element: Members, at: string): EditedString['now'] {
  const { text = known.text } = element;
  if (typeof text !== 'string' || text.length > MAX_TEXT)
    return refuse(`${at}.text is no text of at most ${MAX_TEXT} characters.`);
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(text) && text !== known.text)
    return refuse(`${at}.text holds a line end or another control character: a string stands on one line.`);
  for (const [name, value] of Object.entries(known))
    if (!WRITTEN.has(name) && element[name] !== undefined) compare(value, element[name], `${at}.${name}`);
  if (text === known.text && element.charCodes !== undefined)
    compare(known.charCodes, element.charCodes, `${at}.charCodes`);
  const matrix = movedTo(known, element, at);
  return text === known.text && !matrix ? undefined : { text, matrix };
}

function movedTo(known: Members, element: Members, at: string): Matrix | undefined {
  const own = known.textMatrix as number[];
  const given = element.textMatrix ?? own;
  const numbers = [element.x ?? known.x, element.y ?? known.y, ...(Array.isArray(given) ? given : [])];
  if (
    numbers.length !== 8 ||
    !numbers.every((each): each is number => typeof each === 'number' && Math.abs(each) <= MAX_NUMBER)
  )
    return refuse(`${at}: x, y and the six of textMatrix are numbers of at most ${MAX_NUMBER}.`);
  const [x, y, ...matrix] = numbers as [number, number, ...number[]];
  const isTurned = matrix.some((each, index) => !isSame(each, own[index] ?? 0));
  const isMoved = !isSame(x, known.x as number) || !isSame(y, known.y as number);
  if (!isTurned && !isMoved) return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  if (
    isTurned &&
    isMoved &&
    !(isSame(x, e) && isSame(y, f)) &&
    !(isSame(e, own[4] ?? 0) && isSame(f, own[5] ?? 0))
  )
    return refuse(`${at}: x and y say another place than textMatrix does.`);
  if (Math.abs(a * d - b * c) < 1e-9) return refuse(`${at}.textMatrix flattens the text to nothing.`);
  return [a, b, c, d, isMoved ? x : e, isMoved ? y : f];
}

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_NUMBER;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is told of both must be the same; what was left out of the edited one is left alone. */
function compare(own: unknown, given: unknown, path: string): void {
  const differs = (): never =>
    refuse(
      `${path || 'the whole'} is not as it was: only text, x, y and textMatrix of textElements are written.`,
      'Other operations change metadata, form fields, images and annotations; take textElements out to remove text.',
    );
  if (Array.isArray(own)) {
    if (!Array.isArray(given) || given.length !== own.length) throw differs();
    own.forEach((each, index) => {
      compare(each, given[index], `${path}[${index}]`);
    });
  } else if (isObject(own)) {
    if (!isObject(given)) throw differs();
    for (const [name, value] of Object.entries(own))
      if (Object.hasOwn(given, name) && given[name] !== undefined)
        compare(value, given[name], path === '' ? name : `${path}.${name}`);
  } else if (typeof own === 'number') {
    if (typeof given !== 'number' || !isSame(own, given)) differs();
  } else if (own !== given) differs();
}
