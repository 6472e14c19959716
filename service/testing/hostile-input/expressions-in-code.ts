// The regular expressions that stand in source code.

export interface FoundExpression {
  line: number;
  expression: RegExp;
}

/** What comes before an expression; after anything else a slash divides. */
const BEFORE = /(?:^|[(,=:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|in|of))$/;

/** Throws where what looks like an expression is none. */
export function expressionsIn(code: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const braces: boolean[] = [];
  let at = 0;
  let before = '';
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [text = code[at] ?? ''] = pattern.exec(code) ?? [];
    at += text.length;
    return text;
  };
  while (at < code.length) {
    const c = code[at] as string;
    if (/\s/.test(c)) skip(/\s+/y);
    else if (code.startsWith('//', at)) skip(/[^\n]*/y);
    else if (code.startsWith('/*', at)) skip(/\/\*[\s\S]*?\*\//y);
    else if (c === "'" || c === '"') {
      skip(c === "'" ? /'(?:[^'\\]|\\[\s\S])*'/y : /"(?:[^"\\]|\\[\s\S])*"/y);
      before = 'text';
    } else if (c === '`' || (c === '}' && braces.pop())) {
      const text = skip(/[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y);
      if (text.endsWith('${')) braces.push(true);
      before = text.endsWith('${') ? '(' : 'text';
    } else if (c === '/' && BEFORE.test(before)) {
      const line = code.slice(0, at).split('\n').length;
      const [, source = '', flags = ''] =
        /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)$/.exec(
          skip(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y),
        ) ?? [];
      found.push({ line, expression: new RegExp(source, flags) });
      before = 'expression';
    } else {
      if (c === '{') braces.push(false);
      before = skip(/[\w$]+|[\s\S]/y);
    }
  }
  return found;
}
