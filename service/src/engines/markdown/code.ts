// Code in colours, where its language is named and known.
import hljs from 'highlight.js/lib/common';

/** Longer listings stay plain: colouring them takes longer than all the rest. */
const LONGEST = 200_000;

/** Empty where nothing is to be coloured; then the text is escaped by whoever asked. */
export function highlight(code: string, language: string): string {
  if (code.length > LONGEST || language === '' || !hljs.getLanguage(language)) return '';
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
