// JSON in the one form that RFC 8785 gives it: members in the order of their names, no blanks. What is signed is these
// bytes, so that whoever has the values has them, too.

const DEEPEST = 100;

/** Of values as JSON.parse makes them. Throws RangeError where they nest too deep to be anything of ours. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new RangeError('nested too deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    // By UTF-16 units, as the standard says and as `<` compares.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, held]) => `${JSON.stringify(name)}:${canonicalJson(held, depth + 1)}`);
  return `{${members.join(',')}}`;
}
