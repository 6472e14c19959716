// What is no heading however large or bold it is written: it says so itself.
import { runsText } from '../lines/runs.ts';
import type { Paragraph } from '../model.ts';

/** Words of so many, or so many in one sentence, are read, not looked up. */
const MOST_WORDS = 30;
const MOST_WORDS_OF_SENTENCE = 14;

export function isNoHeading(text: string): boolean {
  return (
    isTooLong(text) ||
    isContact(text) ||
    isRights(text) ||
    isAddress(text) ||
    isDate(text) ||
    CAPTION.test(text) ||
    PAGE.test(text) ||
    ADMONITION.test(text) ||
    EMPTY_PAGE.test(text) ||
    isStatement(text) ||
    hasFields(text) ||
    THEOREM.test(text) ||
    areLetters(text) ||
    AMOUNTS.test(text) ||
    isLeft(text)
  );
}

const CAPTION =
  /^(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)?|table|tab\.|tabelle|tableau|tabla|tabella|cuadro|listing|algorithm|exhibit|plate|scheme|photo|рис(?:унок|\.)?|таблица|図|表)\s*(?:[A-Z]\.?)?\d/iu;
/** "Theorem 3.1 (Euler)." and the like open a paragraph, or stand over one. */
const THEOREM =
  /^(?:theorem|lemma|corollary|proposition|definition|remark|axiom|conjecture|satz|korollar|bemerkung|théorème|lemme|définition|remarque|teorema|definición)\s*\d[\d.]*\s*(?:\([^)]*\))?[.:]?$|^(?:proof|beweis|démonstration)[.:]?$/iu;
const PAGE =
  /^(?:page|seite|p[áa]gina|strona|sida|side|страница|pag\.?)\s*:?\s*\d{1,5}(?:\s*(?:of|von|de|di|sur|and|und|et|y|из|\/)\s*\d{1,5})?$/iu;
/** What stands over a remark, again and again. */
const ADMONITION =
  /^(?:note|notes?:|warning|caution|important|tip|hint|danger|attention|hinweis|achtung|warnung|wichtig|tipp|vorsicht|remarque|avertissement|nota|aviso|attenzione|注意|警告|重要|重要項目|注記|замечание|предупреждение|важно|внимание|примечание)[!:]?$/iu;
/** "Total 1,200 3,400": a row of a table. */
const AMOUNTS = /(?:\s[$€£]?\s?\(?-?\d[\d.,]*\)?%?){2}$/;
const EMPTY_PAGE = /\bintentionally\s+(?:left\s+)?blank\b/i;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Han and kana have no spaces: two of them are a word. */
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

function isTooLong(text: string): boolean {
  const count = wordsOf(text).length + (text.match(HAN)?.length ?? 0) / 2;
  if (count > MOST_WORDS) return true;
  return /[.。]["'”’»)\]]*$/.test(text) && count > MOST_WORDS_OF_SENTENCE;
}

/** How somebody is reached stands large on title pages. */
const isContact = (text: string): boolean =>
  /\S@\S+\.\S|\bhttps?:\/\/|\bwww\./i.test(text) || /\d{2,}(?:[\s()./-]{1,2}\d{2,}){2}/.test(text);

const isRights = (text: string): boolean => /^(?:©|\(c\)\s|copyright\b.*\d{4})/i.test(text);

const STREET =
  /\b(?:street|avenue|ave\.|road|lane|drive|boulevard|blvd\.?|court|square|suite|p\.?\s?o\.? box|postfach)\b|(?:straße|strasse|str\.|platz|weg|allee|gasse)\s+\d/iu;

/** A number before or behind a street, or a postal code before or behind a town. */
function isAddress(text: string): boolean {
  if (text.length > 120) return false;
  if (STREET.test(text) && /(?:^|\s|,)\d{1,5}[a-z]?(?=$|[\s,])/i.test(text)) return true;
  return /^(?:[A-Z]{1,2}-)?\d{5}\s+\p{Lu}[\p{L}-]+$/u.test(text) || /, [A-Z]{2} \d{5}(?:-\d{4})?$/.test(text);
}

const MONTH =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)\\p{L}*\\.?';
const DATE = new RegExp(
  `^(?:${MONTH}\\s+(?:\\d{1,2}(?:st|nd|rd|th)?,?\\s+)?\\d{4}|\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+${MONTH},?\\s+\\d{4}|\\d{1,4}[-./]\\d{1,2}[-./]\\d{1,4})$`,
  'iu',
);
const VERSION = /(?:^|\s+)(?:version|v)\.?\s?\d[\d.]*(?:\s+|$)/i;
const isDate = (text: string): boolean => text.length < 40 && DATE.test(text.replace(VERSION, ''));

/** An address of electronic mail, a date: what stands below the names of authors. */
export const isContactOrDate = (text: string): boolean =>
  text.length < 120 && (isContact(text) || isDate(text));

/** Lines of a program in letters like any others. */
const isStatement = (text: string): boolean =>
  /[;{}]$|^[#$>]\s|^<\/?[a-z][^>]*>$|\s(?:==|!=|:=|&&|\|\||=>|->)\s/i.test(text);

/** "a à á â ã": samples of a font, scales of a figure. */
function areLetters(text: string): boolean {
  const words = text.split(/\s+/);
  return words.length >= 6 && words.filter((word) => /^.\p{M}*$/u.test(word)).length > words.length * 0.6;
}

/** What headings begin with, and stand off from. */
const NUMBER = /^(?:\p{L}+\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z](?:\.\d{1,3})*)[.):]?$/u;

/** Names side by side, of columns or of authors: a wide gap parts them, not only a number from its heading. */
export const isRow = ({ lines }: Paragraph, isTitle: boolean): boolean =>
  lines.some(({ stops = [], runs }) => {
    const [first] = stops;
    if (!first) return false;
    return stops.length > 1 || (!isTitle && !NUMBER.test(runsText(runs).slice(0, first.at).trim()));
  });

/** "2.3. Compilation. To compile it, type": a sentence goes on from what only its beginning is called. */
export const goesOn = ({ runs }: Paragraph): boolean => {
  const [first, second] = runs;
  if (!first || !second || first.style.bold === second.style.bold) return false;
  const rest = runsText(runs.slice(1));
  // The full stop may be written as either of them.
  const isEnded = /[.:]\s*$/.test(first.text) || /^[.:]\s/.test(rest);
  return isEnded && /^[\d.]*\s*\p{L}/u.test(first.text) && /^[.:]?\s*\p{Lu}.*\p{Ll}{2}/u.test(rest);
};

/** "Number: 5 Issue: 1.3": names with their values. */
const hasFields = (text: string): boolean => (text.match(/\p{L}[.\p{L}]*\s?:\s+\S/gu)?.length ?? 0) > 1;

/** The beginning or the end of something else. */
const isLeft = (text: string): boolean => /[,;]$/.test(text) || /^\([^)]*$/.test(text) || /^[,;.]/.test(text);
