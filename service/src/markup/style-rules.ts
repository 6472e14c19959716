// Style sheets taken apart as far as their rules: what stands before a block, and the block.

export interface StyleRule {
  /** Selectors, or a name with @ and what belongs to it. */
  prelude: string;
  /** Undefined for rules that end without one, such as @import. */
  block: string | undefined;
}

export function* styleRules(sheet: string): Generator<StyleRule> {
  const text = withoutComments(sheet).replace(/<!--|-->/g, ' ');
  for (let at = 0; at < text.length; ) {
    const { end, mark } = endOfPrelude(text, at);
    const prelude = text.slice(at, end).trim();
    if (mark !== '{') {
      if (prelude !== '') yield { prelude, block: undefined };
      at = end + 1;
      continue;
    }
    const close = endOfBlock(text, end);
    yield { prelude, block: text.slice(end + 1, close) };
    at = close + 1;
  }
}

/** Without comments; one without end takes the rest with it. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf('/*', at);
    parts.push(start < 0 ? text.slice(at) : text.slice(at, start));
    const end = start < 0 ? -1 : text.indexOf('*/', start + 2);
    if (end < 0) return parts.join(' ');
    at = end + 2;
  }
}

/** Strings are passed over, here and below: they may hold any mark. */
function endOfPrelude(text: string, from: number): { end: number; mark: string } {
  for (let at = from; at < text.length; at += 1) {
    const mark = text[at] as string;
    if (mark === '"' || mark === "'") at = endOfString(text, at);
    else if (mark === '{' || mark === ';' || mark === '}') return { end: at, mark };
  }
  return { end: text.length, mark: '' };
}

function endOfBlock(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"' || mark === "'") at = endOfString(text, at);
    else if (mark === '{') depth += 1;
    else if (mark === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** A string that is not closed ends with its line. */
function endOfString(text: string, open: number): number {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote || text[at] === '\n') return at;
  }
  return text.length;
}

/** Rules for the whole page, bound to a part of it. */
export const boundSelectors = (selectors: string): string =>
  selectors.replace(/(^|[\s,>+~])(?:html|body)(?![\w-])/gi, '$1:scope');
