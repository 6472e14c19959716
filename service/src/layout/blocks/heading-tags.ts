// What tags say: used where the document has good ones, which know nearly all of its text and name headings.
import type { TagNode } from '../../contract/page-items.ts';
import type { Block, Box, Figure } from '../model.ts';
import type { DrawnImage } from '../page-items.ts';
import type { Word } from '../words/word.ts';

export interface TagLevels {
  /** Gathers what the tags of a page say of its words. */
  add(page: number, words: readonly Word[], tags: () => TagNode[]): void;
  /** Gives figures the words the document has for them. */
  describe(page: number, figures: readonly Figure[], images: readonly DrawnImage[]): void;
  /** 1 to 6 for a heading, 0 for any other text, undefined where tags cannot be trusted. */
  levelOf(block: Block): number | undefined;
}

/** Tags that know less of the text are not to be relied on. */
const COVERAGE = 0.85;

interface TaggedPage {
  /** Places of headings. */
  headings: { box: Box; level: number }[];
  alternatives: Map<number, string>;
}

export function readTagLevels(): TagLevels {
  const pages = new Map<number, TaggedPage>();
  let [known, all, headings] = [0, 0, 0];
  return {
    add(page, words, tags) {
      for (const { text } of words) all += text.length;
      if (words.every(({ markedContent }) => markedContent < 0)) return;
      const roles = new Map<number, string>();
      const alternatives = new Map<number, string>();
      for (const node of tags()) gather(node, '', roles, alternatives);
      const boxes = new Map<string, { box: Box; level: number }>();
      for (const { text, markedContent, box } of words) {
        const role = roles.get(markedContent);
        if (role === undefined) continue;
        known += text.length;
        const level = headingLevel(role);
        if (level === 0) continue;
        const key = `${markedContent}`;
        const found = boxes.get(key);
        if (found) found.box = union(found.box, box);
        else boxes.set(key, { box, level });
      }
      headings += boxes.size;
      pages.set(page, { headings: [...boxes.values()], alternatives });
    },
    describe(page, figures, images) {
      const alternatives = pages.get(page)?.alternatives;
      if (!alternatives || alternatives.size === 0) return;
      for (const figure of figures) {
        const own = images.find(
          ({ box, markedContent }) => alternatives.has(markedContent) && isInside(box, figure.box),
        );
        const words = own && alternatives.get(own.markedContent);
        if (words) figure.alternative = words;
      }
    },
    levelOf(block) {
      if (headings === 0 || known < all * COVERAGE) return undefined;
      const tagged = pages.get(block.page);
      if (!tagged) return undefined;
      const middle = { x: block.box.x + block.box.width / 2, y: block.box.y + block.box.height / 2 };
      const heading = tagged.headings.find(
        ({ box }) =>
          middle.x >= box.x &&
          middle.x <= box.x + box.width &&
          middle.y >= box.y &&
          middle.y <= box.y + box.height,
      );
      return heading?.level ?? 0;
    },
  };
}

function gather(
  node: TagNode,
  inherited: string,
  roles: Map<number, string>,
  alternatives: Map<number, string>,
): void {
  // Spans and links within a heading are part of it.
  const role =
    headingLevel(node.role) > 0 || inherited === ''
      ? node.role
      : headingLevel(inherited) > 0
        ? inherited
        : node.role;
  for (const content of node.contents) {
    roles.set(content, role || 'P');
    if (node.alternative && node.role === 'Figure') alternatives.set(content, node.alternative);
  }
  for (const child of node.children) gather(child, role, roles, alternatives);
}

function headingLevel(role: string): number {
  if (role === 'Title' || role === 'H') return 1;
  const level = /^H([1-6])$/.exec(role)?.[1];
  return level ? Number(level) : 0;
}

function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

const isInside = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;
