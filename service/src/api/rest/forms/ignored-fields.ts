// Operations 1.2: "the response header X-Ignored-Fields lists the unknown ones (names cut and cleaned, at most 20)".
import { type OnUnknown, shown } from '../../../operations/unknown-names.ts';

export const MOST_IGNORED = 20;

export class IgnoredFields {
  readonly #names = new Set<string>();

  readonly note: OnUnknown = (name, _known, place = '') => {
    if (this.#names.size < MOST_IGNORED) this.#names.add(`${place}${shown(name)}`);
  };

  /** Nothing where every name was known. */
  headers(): Record<string, string> {
    return this.#names.size === 0 ? {} : { 'x-ignored-fields': [...this.#names].join(', ') };
  }
}
