// Text in the order it is seen, from left to right: readers of PDF expect it so, and turn what goes to the left.

const GOES_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Digits, those of Arabic included, and all letters that go to the right. */
const GOES_RIGHT = /[\p{N}\p{L}]/u;
/** Within a number. */
const JOINS_DIGITS = /[.,:/\-+%\u066a-\u066c]/;

/** The characters of one word of a line; the last shall be first where they go to the left. */
export function visualText(text: string, rightToLeft: boolean): string {
  if (!rightToLeft && !GOES_LEFT.test(text)) return text;
  const runs: { rightwards: boolean; characters: string[] }[] = [];
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const rightwards = goesRight(character, runs.at(-1)?.rightwards, characters[index + 1]);
    const run = runs.at(-1);
    if (run?.rightwards === rightwards) run.characters.push(character);
    else runs.push({ rightwards, characters: [character] });
  }
  return runs
    .reverse()
    .flatMap((run) => (run.rightwards ? run.characters : run.characters.reverse()))
    .join('');
}

function goesRight(character: string, before: boolean | undefined, next: string | undefined): boolean {
  if (/\p{N}/u.test(character)) return true;
  if (GOES_LEFT.test(character)) return false;
  if (GOES_RIGHT.test(character)) return true;
  return (
    before === true &&
    JOINS_DIGITS.test(character) &&
    next !== undefined &&
    /[\p{N}\p{L}]/u.test(next) &&
    !GOES_LEFT.test(next)
  );
}
