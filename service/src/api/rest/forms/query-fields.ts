// Query parameters as fields. Operations 1.2: "Query parameters are read as fields, too; where the body has the field,
// the body counts."
import { checkName, FORM_LIMITS, type ReadPart, textPart, tooManyFields } from './form.ts';

/** The parts of a request, those of its query first; `declaredName` is what a field is called, whichever alias was sent. */
export function withQuery(
  url: string,
  body: readonly ReadPart[],
  declaredName: (sent: string) => string,
): ReadPart[] {
  const at = url.indexOf('?');
  if (at === -1 || at === url.length - 1) return [...body];
  const inBody = new Set(body.map(({ part }) => declaredName(part.field)));
  const parts: ReadPart[] = [];
  for (const [name, text] of new URLSearchParams(url.slice(at + 1))) {
    if (name === '' || inBody.has(declaredName(name))) continue;
    if (parts.length === FORM_LIMITS.fields) throw tooManyFields();
    checkName(name);
    const part = textPart(name, text);
    if (part) parts.push({ part });
  }
  return [...parts, ...body];
}
