// Headers and footers: running titles with their places as tab stops, page numbers as fields.
import type { Line, Page, Run } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { OFFICE_RELATIONS, Relations, XML_HEAD } from '../ooxml.ts';
import { type PrintedNumber, splitAtNumber } from '../page-numbers.ts';
import { headerOrFooterRows, type Margins, rowPitch } from './margins.ts';
import { propertiesXml, type RunContext, textXml, twips } from './runs.ts';
import type { Styles } from './styles.ts';
import { WORD } from './styles.ts';

export interface HeaderOrFooterPart {
  name: string;
  xml: string;
  relations: Relations;
}

/** Parts are shared by all pages whose header or footer says the same. */
export class HeaderOrFooterParts {
  readonly headers: HeaderOrFooterPart[] = [];
  readonly footers: HeaderOrFooterPart[] = [];
  private readonly known = new Map<string, string>();
  private readonly styles: Styles;
  readonly families: RunContext['families'];

  readonly letters: Letters;

  private readonly any: Record<'header' | 'footer', boolean>;

  constructor(
    pages: readonly Page[],
    styles: Styles,
    { families, letters }: Pick<RunContext, 'families' | 'letters'>,
  ) {
    this.any = {
      header: pages.some(({ headersAndFooters }) => headersAndFooters.header.length > 0),
      footer: pages.some(({ headersAndFooters }) => headersAndFooters.footer.length > 0),
    };
    this.styles = styles;
    this.families = families;
    this.letters = letters;
  }

  /** The name of the part with these lines; undefined where no page has any. */
  of(
    kind: 'header' | 'footer',
    page: Page,
    margins: Margins,
    number: PrintedNumber | undefined,
  ): string | undefined {
    const lines = page.headersAndFooters[kind];
    // A section that names none has that of the section before it.
    if (lines.length === 0 && !this.any[kind]) return undefined;
    const content = lines.length === 0 ? NOTHING : this.rowsXml(kind, page, margins, number);
    const key = `${kind} ${content}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const list = kind === 'header' ? this.headers : this.footers;
    const name = `${kind}${list.length + 1}.xml`;
    const tag = kind === 'header' ? 'w:hdr' : 'w:ftr';
    const xml = `${XML_HEAD}<${tag} xmlns:w="${WORD}" xmlns:r="${OFFICE_RELATIONS}">${content}</${tag}>`;
    list.push({ name, xml, relations: new Relations() });
    this.known.set(key, name);
    return name;
  }

  private rowsXml(
    kind: 'header' | 'footer',
    page: Page,
    margins: Margins,
    number: PrintedNumber | undefined,
  ): string {
    return headerOrFooterRows(kind, page, margins)
      .map(({ row, before, after }) => {
        const stops = row.map((line) => stopOf(line, margins, page.width));
        const tabs = stops.filter(({ at }) => at > NO_STOP);
        const properties =
          `<w:pStyle w:val="${kind === 'header' ? 'Header' : 'Footer'}"/>` +
          `${tabs.length > 0 ? `<w:tabs>${tabs.map(stopXml).join('')}</w:tabs>` : ''}` +
          `<w:spacing w:before="${twips(before)}" w:after="${twips(after)}" w:line="${Math.max(20, twips(rowPitch(row)))}" w:lineRule="exact"/>`;
        const content = row.map(
          ({ runs }, i) =>
            `${(stops[i]?.at ?? 0) > NO_STOP ? '<w:r><w:tab/></w:r>' : ''}${this.lineXml(runs, number)}`,
        );
        return `<w:p><w:pPr>${properties}</w:pPr>${content.join('')}</w:p>`;
      })
      .join('');
  }

  private lineXml(runs: readonly Run[], number: PrintedNumber | undefined): string {
    const base = this.styles.base(undefined);
    return runs
      .map(({ text, style }) => {
        const options = { rtl: false, scale: 1, link: false };
        const properties = propertiesXml(style, base, this, options);
        return splitAtNumber(text, number)
          .map((part) =>
            part === true
              ? fieldXml(number, properties)
              : part === ''
                ? ''
                : `<w:r>${properties}${textXml(part)}</w:r>`,
          )
          .join('');
      })
      .join('');
  }
}

interface Stop {
  align: 'left' | 'center' | 'right';
  /** In twips from the left margin. */
  at: number;
}

/** What begins nearer to the margin begins there. */
const NO_STOP = 20;
/** Edges and middles that are so near, in points, are meant to be the same. */
const NEAR = 12;

function stopOf({ box }: Line, { left, right }: Margins, pageWidth: number): Stop {
  const width = pageWidth - left - right;
  const [from, to] = [box.x - left, box.x + box.width - left];
  if (from < NEAR) return { align: 'left', at: Math.max(0, twips(from)) };
  if (Math.abs(to - width) < NEAR || to > width) return { align: 'right', at: twips(Math.min(to, width)) };
  const middle = (from + to) / 2;
  return Math.abs(middle - width / 2) < NEAR
    ? { align: 'center', at: twips(middle) }
    : { align: 'left', at: twips(from) };
}

const stopXml = ({ align, at }: Stop): string => `<w:tab w:val="${align}" w:pos="${at}"/>`;

const NOTHING =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>';

function fieldXml(number: PrintedNumber | undefined, properties: string): string {
  const format = number?.roman === 'lower' ? ' \\* roman' : number?.roman === 'upper' ? ' \\* ROMAN' : '';
  return (
    `<w:r>${properties}<w:fldChar w:fldCharType="begin"/></w:r><w:r>${properties}<w:instrText xml:space="preserve"> PAGE${format} </w:instrText></w:r>` +
    `<w:r>${properties}<w:fldChar w:fldCharType="separate"/></w:r><w:r>${properties}<w:t>1</w:t></w:r><w:r>${properties}<w:fldChar w:fldCharType="end"/></w:r>`
  );
}
