// Pages in sections: what has the same size, margins and running titles is one, with breaks between its pages.

import type { Relations } from '../ooxml.ts';
import type { PrintedNumber } from '../page-numbers.ts';
import type { Piece } from './blocks.ts';
import type { Band } from './column-bands.ts';
import type { PagePlan } from './fit-pages.ts';
import type { HeaderOrFooterParts } from './headers-and-footers.ts';
import type { Margins } from './margins.ts';
import { twips } from './runs.ts';

export interface Section {
  plan: PagePlan;
  header: string | undefined;
  footer: string | undefined;
  /** What the first page is called, where its number is printed. */
  startNumber: number | undefined;
}

export interface SectionPage {
  plan: PagePlan;
  section: Section;
  beginsSection: boolean;
}

export function splitIntoSections(
  plans: readonly PagePlan[],
  parts: HeaderOrFooterParts,
  numbers: readonly (PrintedNumber | undefined)[],
): SectionPage[] {
  let open: Section | undefined;
  let due: number | undefined;
  return plans.map((plan, index) => {
    const number = numbers[index];
    const header = parts.of('header', plan.page, plan.margins, number);
    const footer = parts.of('footer', plan.page, plan.margins, number);
    const section: Section = { plan, header, footer, startNumber: number?.value };
    const goesOn =
      open !== undefined &&
      isSimple(open.plan) &&
      isSimple(plan) &&
      header === open.header &&
      footer === open.footer &&
      number?.value === due &&
      sameSheet(open.plan, plan);
    due = number === undefined ? undefined : number.value + 1;
    if (goesOn && open) return { plan, section: open, beginsSection: false };
    open = section;
    return { plan, section, beginsSection: true };
  });
}

const isSimple = ({ bands }: PagePlan): boolean => bands.every(({ columns }) => columns.length === 1);

function sameSheet(a: PagePlan, b: PagePlan): boolean {
  const near = (x: number, y: number): boolean => Math.abs(x - y) < 0.5;
  const keys: (keyof Margins)[] = ['left', 'right', 'top', 'bottom', 'header', 'footer'];
  return (
    near(a.page.width, b.page.width) &&
    near(a.page.height, b.page.height) &&
    keys.every((key) => near(a.margins[key], b.margins[key]))
  );
}

const WIDEST = 31_680;

/** The properties of a section; `continues` where it begins below another on the same page. */
export function sectionXml(
  { plan, header, footer, startNumber }: Section,
  band: Band | undefined,
  continues: boolean,
  relations: Relations,
): string {
  const { page, margins } = plan;
  // An empty running title must not push the text away.
  const { headersAndFooters } = page;
  const headerMargin = headersAndFooters.header.length > 0 ? margins.header : 0;
  const footerMargin = headersAndFooters.footer.length > 0 ? margins.footer : 0;
  const side = (points: number): number => Math.max(20, Math.min(WIDEST, twips(points)));
  const landscape = page.width > page.height ? ' w:orient="landscape"' : '';
  const reference = (kind: 'header' | 'footer', name: string | undefined): string =>
    name === undefined ? '' : `<w:${kind}Reference w:type="default" r:id="${relations.to(kind, name)}"/>`;
  return (
    `<w:sectPr>${reference('header', header)}${reference('footer', footer)}` +
    `<w:type w:val="${continues ? 'continuous' : 'nextPage'}"/>` +
    `<w:pgSz w:w="${side(page.width)}" w:h="${side(page.height)}"${landscape}/>` +
    `<w:pgMar w:top="${twips(margins.top)}" w:right="${twips(margins.right)}" w:bottom="${twips(margins.bottom)}" ` +
    `w:left="${twips(margins.left)}" w:header="${twips(headerMargin)}" w:footer="${twips(footerMargin)}" w:gutter="0"/>` +
    `${startNumber === undefined || continues ? '' : `<w:pgNumType w:start="${startNumber}"/>`}` +
    `${columnsXml(band)}</w:sectPr>`
  );
}

function columnsXml(band: Band | undefined): string {
  const columns = band?.columns ?? [];
  if (columns.length < 2) return '<w:cols w:space="720"/>';
  const goesLeft = (columns[1]?.left ?? 0) < (columns[0]?.left ?? 0);
  // Where columns go to the left, programs do not agree on which of the widths is which.
  if (goesLeft) return `<w:cols w:num="${columns.length}" w:space="240"/><w:bidi/>`;
  const written = columns.map(({ left, right }, i) => {
    const space = (columns[i + 1]?.left ?? right) - right;
    return `<w:col w:w="${Math.max(20, twips(right - left))}" w:space="${Math.max(0, twips(space))}"/>`;
  });
  return `<w:cols w:num="${columns.length}" w:space="240" w:equalWidth="0">${written.join('')}</w:cols>`;
}

/** What writes the pages of one mode. */
export interface PageWriter {
  page(page: SectionPage, relations: Relations): Piece[];
}
