// Text in DrawingML.
import type { Run } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { escapeMarkup } from '../markup.ts';
import { emu, hexColour, type Relations, safeUrl } from '../ooxml.ts';
import type { SetParagraph, SetRun } from './set-text.ts';

export interface TextContext {
  relations: Relations;
  letters: Letters;
  /** A page larger than the slide is made smaller. */
  fit: number;
  /** The slide that shows a page; undefined where none does. */
  slideOf(page: number): string | undefined;
}

const ALIGN = { left: 'l', right: 'r', center: 'ctr', justify: 'just' } as const;
/** What DrawingML takes, in hundredths of a point. */
const MAX_PITCH = 158_400;
const MAX_SIZE = 400_000;
/** Text is this much larger than its raised and lowered parts. */
const RAISED = 1.4;

export const paragraphsXml = (paragraphs: readonly SetParagraph[], context: TextContext): string =>
  paragraphs.map((paragraph) => paragraphXml(paragraph, context)).join('');

function paragraphXml(paragraph: SetParagraph, context: TextContext): string {
  const { runs, align, direction, pitch, left, first, before, tabs, marker } = paragraph;
  const { fit } = context;
  const isRight = direction === 'rtl' ? align !== 'left' : align === 'right';
  const side = align === 'center' || align === 'justify' ? ALIGN[align] : isRight ? 'r' : 'l';
  const margins =
    (left > 0 ? ` marL="${emu(left * fit)}"` : '') + (first === 0 ? '' : ` indent="${emu(first * fit)}"`);
  const points = (value: number): string =>
    `<a:spcPts val="${Math.max(0, Math.min(MAX_PITCH, Math.round(value * fit * 100)))}"/>`;
  const stops = tabs.map(
    ({ x, align: kind }) => `<a:tab pos="${emu(Math.max(0, x) * fit)}" algn="${ALIGN[kind]}"/>`,
  );
  const bullet = marker?.hangs ? bulletXml(marker.text) : undefined;
  const properties =
    `<a:pPr${margins} algn="${side}"${direction === 'rtl' ? ' rtl="1"' : ''}>` +
    `<a:lnSpc>${points(pitch)}</a:lnSpc><a:spcBef>${points(before)}</a:spcBef><a:spcAft>${points(0)}</a:spcAft>` +
    `${bullet ?? '<a:buNone/>'}${stops.length > 0 ? `<a:tabLst>${stops.join('')}</a:tabLst>` : ''}</a:pPr>`;
  const [head] = runs;
  // A marker that is no bullet of its own is text; where the text hangs behind it, a tab leads there.
  const written =
    marker !== undefined && bullet === undefined && head
      ? [{ text: `${marker.text}${marker.hangs ? '\t' : ' '}`, style: head.style, spacing: 0 }, ...runs]
      : runs;
  const content = written.map((run) => runXml(run, context)).join('');
  return content === '' ? '' : `<a:p>${properties}${content}</a:p>`;
}

const NUMBERED: readonly [RegExp, string][] = [
  [/^(\d{1,4})\.$/, 'arabicPeriod'],
  [/^(\d{1,4})\)$/, 'arabicParenR'],
  [/^\((\d{1,4})\)$/, 'arabicParenBoth'],
  [/^([a-z])\.$/, 'alphaLcPeriod'],
  [/^([a-z])\)$/, 'alphaLcParenR'],
  [/^\(([a-z])\)$/, 'alphaLcParenBoth'],
  [/^([A-Z])\.$/, 'alphaUcPeriod'],
  [/^([A-Z])\)$/, 'alphaUcParenR'],
];

/** The marker as it is printed; undefined where it is neither a bullet nor counts. */
function bulletXml(marker: string): string | undefined {
  if ([...marker].length === 1)
    return `<a:buFont typeface="Arial"/><a:buChar char="${escapeMarkup(marker)}"/>`;
  for (const [pattern, type] of NUMBERED) {
    const found = pattern.exec(marker)?.[1];
    if (found === undefined) continue;
    const start = /\d/.test(found) ? Number(found) : found.toLowerCase().charCodeAt(0) - 96;
    if (start >= 1 && start <= 32_767)
      return `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${type}" startAt="${start}"/>`;
  }
  return undefined;
}

function runXml(run: SetRun, context: TextContext): string {
  return run.text
    .split(/([\n\t])/)
    .map((part) => {
      if (part === '\n') return '<a:br/>';
      const written = escapeMarkup(part);
      if (written === '') return '';
      // Tabs within links are lost by some programs.
      const { link, ...plain } = run;
      return `<a:r>${propertiesXml(link && part !== '\t' ? run : plain, context)}<a:t>${written}</a:t></a:r>`;
    })
    .join('');
}

function propertiesXml({ style, link, spacing }: SetRun, context: TextContext): string {
  const size = Math.round(style.size * context.fit * (style.position ? RAISED : 1) * 100);
  const space = Math.round(spacing * context.fit * 100);
  const family = escapeMarkup(context.letters.familyOf(style).name);
  const attributes = [
    ` sz="${Math.max(100, Math.min(MAX_SIZE, size))}"`,
    style.bold ? ' b="1"' : '',
    style.italic ? ' i="1"' : '',
    style.underline ? ' u="sng"' : '',
    style.strike ? ' strike="sngStrike"' : '',
    style.position ? ` baseline="${style.position === 'superscript' ? 30_000 : -25_000}"` : '',
    space === 0 ? '' : ` spc="${space}"`,
  ].join('');
  return (
    `<a:rPr${attributes}><a:solidFill><a:srgbClr val="${hexColour(style.color)}"/></a:solidFill>` +
    `<a:latin typeface="${family}"/><a:ea typeface="${family}"/><a:cs typeface="${family}"/>${linkXml(link, context)}</a:rPr>`
  );
}

/** Links keep the colour of their text (Office 2019 and later). */
const OWN_COLOUR =
  '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}">' +
  '<ahyp:hlinkClr xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/></a:ext></a:extLst>';

export function linkXml(link: Run['link'], { relations, slideOf }: TextContext): string {
  if (!link) return '';
  if ('page' in link) {
    const slide = slideOf(link.page);
    if (slide === undefined) return '';
    return `<a:hlinkClick r:id="${relations.to('slide', slide)}" action="ppaction://hlinksldjump">${OWN_COLOUR}</a:hlinkClick>`;
  }
  const url = safeUrl(link.url);
  return url === undefined
    ? ''
    : `<a:hlinkClick r:id="${relations.to('hyperlink', url, { external: true })}">${OWN_COLOUR}</a:hlinkClick>`;
}
