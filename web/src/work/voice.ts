// What a screen reader is told without being asked.
import { signal } from '@preact/signals';

export const spoken = signal('');

export function announce(words: string): void {
  // The same words again would not be noticed as a change.
  spoken.value = spoken.value === words ? `${words}\u00a0` : words;
}
