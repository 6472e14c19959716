// Text in XML and HTML.
import { lookup } from '../contract/lookup.ts';

/** Characters XML 1.0 has no place for are left out. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const NAMES: Record<string, string> = lookup({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

export const escapeMarkup = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (character) => NAMES[character] ?? character);
