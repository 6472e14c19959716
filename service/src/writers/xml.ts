// Operations, pdf/xml: pages, blocks, lines and spans with their places, in reading order.
import type { Block, Box, Line } from '../layout/model.ts';
import type { PrintedPage } from '../layout/printed-page.ts';
import { escapeMarkup } from './markup.ts';

export type XmlMetadata = Record<string, string | undefined>;

export function xmlStart(pages: number, metadata: XmlMetadata): string {
  const attributes = Object.entries(metadata).map(
    ([name, value]) => ` ${name}="${escapeMarkup(value ?? '')}"`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<document pages="${pages}">\n<metadata${attributes.join('')}/>\n`;
}

export const XML_END = '</document>\n';

export function xmlPage({ number, width, height, rotation, blocks, images }: PrintedPage): string {
  let text = `<page number="${number}" width="${figure(width)}" height="${figure(height)}" rotation="${rotation}">\n`;
  for (const block of blocks) text += xmlBlock(block);
  for (const { box } of images) text += `<image ${place(box)}/>\n`;
  return `${text}</page>\n`;
}

function xmlBlock(block: Block): string {
  if (!('lines' in block) || block.lines.length === 0) return '';
  return `<block ${place(block.box)}>\n${block.lines.map(xmlLine).join('')}</block>\n`;
}

const xmlLine = ({ runs }: Line): string =>
  `<line>${runs
    .map(({ text, style: { font, size, bold, italic, color } }) => {
      const look = `font="${escapeMarkup(font)}" size="${figure(size)}" bold="${bold}" italic="${italic}" color="${color}"`;
      return `<span ${look}>${escapeMarkup(text)}</span>`;
    })
    .join('')}</line>\n`;

const place = ({ x, y, width, height }: Box): string =>
  `x="${figure(x)}" y="${figure(y)}" width="${figure(width)}" height="${figure(height)}"`;

/** At most two decimals: a hundredth of a point is seen by nobody. */
const figure = (value: number): string => String(Math.round(value * 100) / 100 || 0);
