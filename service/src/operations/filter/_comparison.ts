// What the filters that compare have in common (operations 4).
import { choice } from '../fields.ts';

export type Comparator = 'Greater' | 'Equal' | 'Less';

export const comparator = () =>
  choice("How the file's value must stand to the given one", ['Greater', 'Equal', 'Less'], {
    required: true,
  });

/** "how the file's value stands to the field's"; values closer than the tolerance are equal. */
export function stands(wanted: Comparator, value: number, against: number, tolerance = 0): boolean {
  const difference = value - against;
  const found = Math.abs(difference) <= tolerance ? 'Equal' : difference > 0 ? 'Greater' : 'Less';
  return found === wanted;
}
