// Where fields are seen: pages of widgets, rectangles, reading order.

import type { PdfDocument } from '../document.ts';
import type { Box } from '../geometry/boxes.ts';
import { type DisplayedPage, displayedPage } from '../geometry/displayed-page.ts';
import { boxThrough } from '../geometry/matrix.ts';
import { Ref } from '../objects.ts';
import type { Field } from './form-fields.ts';

/** In points from the top-left corner of the page as displayed, y downwards; (x, y) is the top-left corner. */
export interface WidgetPlace {
  widget: Ref;
  pageIndex: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Operations 5: "same line within 10 pt". */
const LINE_HEIGHT = 10;

export class FieldPlaces {
  private readonly doc: PdfDocument;
  private readonly indexOfPage: ReadonlyMap<string, number>;
  private readonly indexOfWidget = new Map<string, number>();
  private readonly displayed = new Map<number, DisplayedPage>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.indexOfPage = new Map(doc.pages().map((page, index) => [page.key, index]));
    doc.pages().forEach((page, index) => {
      for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
        if (annotation instanceof Ref && !this.indexOfWidget.has(annotation.key))
          this.indexOfWidget.set(annotation.key, index);
      }
    });
  }

  /** The widgets of a field that are on a page. */
  of(field: Field): WidgetPlace[] {
    return field.widgets.flatMap((widget) => {
      const pageIndex = this.pageIndex(widget);
      const page = this.page(pageIndex);
      return page ? [{ widget, pageIndex, ...fromTopLeft(page, this.rectangleOf(widget)) }] : [];
    });
  }

  /** The page that shows a widget, else the one it says it is on; -1 unknown. */
  private pageIndex(widget: Ref): number {
    const shown = this.indexOfWidget.get(widget.key);
    if (shown !== undefined) return shown;
    const page = this.doc.dict(widget)?.get('P');
    return page instanceof Ref ? (this.indexOfPage.get(page.key) ?? -1) : -1;
  }

  private page(index: number): DisplayedPage | undefined {
    const known = this.displayed.get(index);
    const ref = this.doc.pages()[index];
    if (known || !ref) return known;
    const page = displayedPage(this.doc, ref);
    this.displayed.set(index, page);
    return page;
  }

  /** Unlike a page's box, a widget's may be flat: invisible fields are. */
  private rectangleOf(widget: Ref): Box {
    const { doc } = this;
    const corners = (doc.array(doc.dict(widget)?.get('Rect')) ?? []).map((corner) => doc.number(corner));
    const [x1 = 0, y1 = 0, x2 = x1, y2 = y1] = corners;
    return {
      left: Math.min(x1, x2),
      bottom: Math.min(y1, y2),
      right: Math.max(x1, x2),
      top: Math.max(y1, y2),
    };
  }
}

function fromTopLeft(page: DisplayedPage, box: Box): Pick<WidgetPlace, 'x' | 'y' | 'width' | 'height'> {
  const { left, bottom, right, top } = boxThrough(page.matrix, box);
  return {
    x: rounded(left),
    y: rounded(page.height - top),
    width: rounded(right - left),
    height: rounded(top - bottom),
  };
}

/** Without dust such as 600.1999999999999. */
const rounded = (length: number): number => Math.round(length * 10_000) / 10_000 || 0;

/** "Sorted by page, top to bottom (same line within 10 pt), left to right"; what has no place comes last. */
export function inReadingOrder<T>(items: readonly T[], placeOf: (item: T) => WidgetPlace | undefined): T[] {
  const placed = items.flatMap((item) => {
    const place = placeOf(item);
    return place ? [{ item, place, line: 0 }] : [];
  });
  placed.sort((a, b) => a.place.pageIndex - b.place.pageIndex || a.place.y - b.place.y);
  let line = 0;
  let first: WidgetPlace | undefined;
  for (const each of placed) {
    if (first?.pageIndex !== each.place.pageIndex || each.place.y - first.y > LINE_HEIGHT) {
      line += 1;
      first = each.place;
    }
    each.line = line;
  }
  placed.sort((a, b) => a.line - b.line || a.place.x - b.place.x);
  return [...placed.map(({ item }) => item), ...items.filter((item) => !placeOf(item))];
}
