/**
 * A table to look up words of documents in, without what every object inherits: to a document `constructor` and
 * `__proto__` are words like any other, and no entries.
 */
export const lookup = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null), entries);
