// Text in DrawingML.
import type { Run, TextStyle } from '../layout/model.ts';
import { pitchOf } from './docx-heights.ts';
import { familyOf } from './font-families.ts';
import { escapeMarkup } from './markup.ts';
import { emu, hexColour, type Relations, safeUrl } from './ooxml.ts';
import type { Paragraphed } from './pptx-shapes.ts';

export interface TextContext {
  relations: Relations;
  fit: number;
  /** The slide that shows a page; undefined where none does. */
  slideOf(page: number): string | undefined;
}

const HANG = 14;
const ALIGN = { left: 'l', right: 'r', center: 'ctr', justify: 'just' } as const;

export const paragraphsXml = (paragraphs: readonly Paragraphed[], context: TextContext): string =>
  paragraphs.map((paragraph) => paragraphXml(paragraph, context)).join('');

function paragraphXml({ runs, lines, align, direction, marker }: Paragraphed, context: TextContext): string {
  const pitch = Math.max(1, Math.min(1584, pitchOf(lines) * context.fit));
  const isRight = direction === 'rtl' ? align !== 'left' : align === 'right';
  const side = align === 'center' || align === 'justify' ? ALIGN[align] : isRight ? 'r' : 'l';
  const hang = marker === undefined ? '' : ` marL="${emu(HANG)}" indent="${-emu(HANG)}"`;
  const bullet = marker === undefined || marker === '' ? '<a:buNone/>' : bulletXml(marker);
  const properties =
    `<a:pPr${hang} algn="${side}"${direction === 'rtl' ? ' rtl="1"' : ''}>` +
    `<a:lnSpc><a:spcPts val="${Math.round(pitch * 100)}"/></a:lnSpc>` +
    `<a:spcBef><a:spcPts val="0"/></a:spcBef><a:spcAft><a:spcPts val="0"/></a:spcAft>${bullet}</a:pPr>`;
  const content = runs.map((run) => runXml(run, context)).join('');
  return content === '' ? '' : `<a:p>${properties}${content}</a:p>`;
}

/** The marker as it is printed. */
function bulletXml(marker: string): string {
  return `<a:buFont typeface="Arial"/><a:buChar char="${escapeMarkup([...marker].slice(0, 8).join(''))}"/>`;
}

function runXml({ text, style, link }: Run, context: TextContext): string {
  return text
    .split(/(\n)/)
    .map((part) => {
      if (part === '\n') return '<a:br/>';
      const written = escapeMarkup(part.replaceAll('\t', ' '));
      if (written === '') return '';
      return `<a:r>${propertiesXml(style, link, context)}<a:t>${written}</a:t></a:r>`;
    })
    .join('');
}

function propertiesXml(style: TextStyle, link: Run['link'], context: TextContext): string {
  const size = Math.max(
    100,
    Math.min(400_000, Math.round(style.size * context.fit * (style.position ? 1.4 : 1) * 100)),
  );
  const family = escapeMarkup(familyOf(style.font, style.monospace).name);
  const attributes = [
    ` sz="${size}"`,
    style.bold ? ' b="1"' : '',
    style.italic ? ' i="1"' : '',
    style.underline ? ' u="sng"' : '',
    style.strike ? ' strike="sngStrike"' : '',
    style.position ? ` baseline="${style.position === 'superscript' ? 30_000 : -25_000}"` : '',
  ].join('');
  return (
    `<a:rPr${attributes}><a:solidFill><a:srgbClr val="${hexColour(style.color)}"/></a:solidFill>` +
    `<a:latin typeface="${family}"/><a:ea typeface="${family}"/><a:cs typeface="${family}"/>${linkXml(link, context)}</a:rPr>`
  );
}

function linkXml(link: Run['link'], { relations, slideOf }: TextContext): string {
  if (!link) return '';
  if ('page' in link) {
    const slide = slideOf(link.page);
    if (slide === undefined) return '';
    return `<a:hlinkClick r:id="${relations.to('slide', slide)}" action="ppaction://hlinksldjump"/>`;
  }
  const url = safeUrl(link.url);
  return url === undefined
    ? ''
    : `<a:hlinkClick r:id="${relations.to('hyperlink', url, { external: true })}"/>`;
}
