// What the document calls its parts: its outline, and its title.
import type { OutlineItem } from '../../contract/page-items.ts';
import type { Paragraph } from '../model.ts';

interface Named {
  text: string;
  paragraph: Pick<Paragraph, 'page'>;
}

/** Shorter ones are said by chance. */
const SHORTEST = 3;
const SHORTEST_TITLE = 5;

export class Titles {
  private readonly entries = new Map<string, { page: number | undefined; depth: number }[]>();
  private readonly title: string;

  constructor(outline: readonly OutlineItem[], title: string | undefined) {
    this.title = plain(title ?? '');
    this.gather(outline, 1);
  }

  /** A table of contents says the same on another page. */
  has(named: Named): boolean {
    return this.depthOf(named) !== undefined || this.isTitle(named);
  }

  /** From 1; nothing where the outline does not know it. */
  depthOf({ text, paragraph }: Named): number | undefined {
    const entries = this.entries.get(plain(text));
    return entries?.find(({ page }) => page === undefined || page === paragraph.page)?.depth;
  }

  private isTitle({ text, paragraph }: Named): boolean {
    return this.title.length >= SHORTEST_TITLE && paragraph.page === 1 && plain(text) === this.title;
  }

  private gather(entries: readonly OutlineItem[], depth: number): void {
    for (const { title, page, children } of entries) {
      const key = plain(title);
      if (key.length >= SHORTEST) {
        const known = this.entries.get(key);
        if (!known) this.entries.set(key, [{ page, depth }]);
        else if (known.length < MOST_ALIKE) known.push({ page, depth });
      }
      this.gather(children, depth + 1);
    }
  }
}

const MOST_ALIKE = 100;

/** Without numbers, punctuation and spaces, which outlines and pages write differently. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, '');
