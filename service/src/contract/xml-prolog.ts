// Where the first element of an XML text begins. A scan, not an expression: hostile prologs would make those run on.

const SKIPPED: readonly [string, string][] = [
  ['<!--', '-->'],
  ['<?', '?>'],
];

/** Behind declarations, comments and the document type with its own definitions; -1 where the text ends before. */
export function firstElementAt(text: string): number {
  // A byte order mark, as a character or as the bytes of UTF-8.
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : text.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1;
    const skipped = SKIPPED.find(([start]) => text.startsWith(start, at));
    if (skipped) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) return -1;
      at = end + skipped[1].length;
    } else if (text.startsWith('<!', at)) {
      at = endOfDocumentType(text, at);
      if (at < 0) return -1;
    } else return text[at] === '<' ? at : -1;
  }
}

function endOfDocumentType(text: string, start: number): number {
  let inside = false;
  for (let at = start; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"' || mark === "'") {
      at = text.indexOf(mark, at + 1);
      if (at < 0) return -1;
    } else if (mark === '[') inside = true;
    else if (mark === ']') inside = false;
    else if (mark === '>' && !inside) return at + 1;
  }
  return -1;
}

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
