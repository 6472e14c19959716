// What drawings ask for that librsvg leaves out or draws otherwise. It draws the rest as well as the browser does, and
// sooner. To find too much costs time, to find too little costs what the drawing shows.
import { styleRules } from '../markup/style-rules.ts';

/** Anywhere in the markup: elements, attributes, functions that stand in attributes and in style alike. */
const IN_MARKUP: readonly RegExp[] = [
  /<(?:[\w.-]+:)?(?:textPath|foreignObject|feDropShadow)[\s/>]/,
  // Gradients that are turned or have a focus.
  /<(?:[\w.-]+:)?radialGradient[^<>]*\s(?:gradientTransform|f[xyr])\s*=/,
  /\spathLength\s*=/,
  // Drawings inside drawings, and images by a name or of a kind that it does not know.
  /data:image\/(?:svg|webp|avif|jpg[;,])/i,
  // Letters with places of their own.
  /<(?:[\w.-]+:)?(?:text|tspan)\s(?:[^<>]*\s)?(?:rotate|textLength)\s*=/,
  /<(?:[\w.-]+:)?(?:text|tspan)\s(?:[^<>]*\s)?d?[xy]\s*=\s*["']\s*[^"'\s,<>]+[\s,]+[^"'\s,]/,
  /(?:dominant|alignment)-baseline\s*[:=]\s*(?:["']\s*)?(?:mid|cent|hang|math|text-|ideo|before|after|top|bottom)/,
  /font-variant(?:-caps)?\s*[:=]\s*(?:["']\s*)?(?:all-)?small-caps/,
  /transform-origin\s*[:=]\s*(?:["']\s*)?(?!0(?:px)? 0(?:px)?["';])/,
  /clip-path\s*[:=]\s*(?:["']\s*)?(?!url)[a-z]+\(/,
  // The functions, whose colours it mixes in another space.
  /filter\s*[:=]\s*(?:["']\s*)?(?!url)[a-z-]+\(/,
  /(?<![\w.-])(?:var|calc|min|max|clamp|env|oklch|oklab|lch|lab|hwb|color|color-mix|light-dark)\(/i,
  /[:"'\s,(][\d.]+(?:rem|[sld]?v(?:w|h|min|max)|r?lh)["';\s,)]/,
];

/** In style sheets and style attributes. */
const IN_STYLE: readonly RegExp[] = [
  /(?<![\w-])background(?:-color|-image)?\s*:\s*(?!none|transparent|#fff\b|#ffffff\b|white|rgba?\(255, ?255, ?255)[^\s;}]/i,
  /(?<![\w-])(?:translate|rotate|scale|offset-path|mask-image|d)\s*:\s*(?!none|0|1)[^\s;}]/i,
  /(?<![\w-])mask\s*:\s*(?!none|url)[a-z-]+\(/i,
  /(?<![\w-])transform\s*:[^;}]{0,300}(?:%|turn|3d\(|[XYZ]\()/i,
  /(?<![\w-])animation(?:-name)?\s*:\s*(?!none)[^\s;}]/i,
  /text-transform\s*:\s*(?:upper|lower|capital)/i,
  /word-spacing\s*:\s*(?!normal|0(?:px)?\s*[;}"'])-?[\d.]/i,
];

/** Spaces that are to be kept; a program writes that beside most texts, and few texts have any. */
const KEEPS_SPACES = /white-space\s*:\s*(?:pre|break-spaces)/i;
const HAS_SPACES = /<(?:[\w.-]+:)?(?:text|tspan)(?:\s[^<>]*)?>(?: |[^<>]*\s\s)/;

const GROUPS = /^@(?:media|supports|layer|container|scope)\b/i;
const NEW_SELECTORS = /:(?:is|where|has)\(/i;
/** What is never so on paper; in a list of selectors librsvg drops the whole rule for it. */
const STATES = /:(?:hover|focus|active|target|:)/i;

export function needsBrowser(svg: Uint8Array): boolean {
  const markup = markupOf(svg);
  if (IN_MARKUP.some((pattern) => pattern.test(markup))) return true;
  if (KEEPS_SPACES.test(markup) && HAS_SPACES.test(markup)) return true;
  const sheets = [...sheetsOf(markup)].join('\n');
  if (sheets !== '' && hasUnknownRules(sheets)) return true;
  const style = `${sheets}\n${attributesOf(markup)}`;
  return IN_STYLE.some((pattern) => pattern.test(style));
}

/** All that is looked for are plain characters, however the others are written. */
function markupOf(svg: Uint8Array): string {
  if (svg[0] === 0xff && svg[1] === 0xfe) return new TextDecoder('utf-16le').decode(svg);
  if (svg[0] === 0xfe && svg[1] === 0xff) return new TextDecoder('utf-16be').decode(svg);
  return Buffer.from(svg.buffer, svg.byteOffset, svg.length).toString('latin1');
}

const SHEET_START = /<(?:[\w.-]+:)?style(?:\s[^<>]*)?>/g;
const SHEET_END = /<\/(?:[\w.-]+:)?style\s*>/g;

function* sheetsOf(markup: string): Generator<string> {
  const from = new RegExp(SHEET_START);
  const to = new RegExp(SHEET_END);
  while (from.exec(markup)) {
    to.lastIndex = from.lastIndex;
    const end = to.exec(markup);
    if (!end) return;
    yield markup
      .slice(from.lastIndex, end.index)
      .replace(/<!\[CDATA\[|\]\]>/g, ' ')
      .replaceAll('&gt;', '>');
    from.lastIndex = to.lastIndex;
  }
}

const attributesOf = (markup: string): string =>
  Array.from(
    markup.matchAll(/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
    ([, double, single]) => `${double ?? single};`,
  ).join('\n');

function hasUnknownRules(sheets: string): boolean {
  for (const { prelude, block } of styleRules(sheets)) {
    if (/^@font-face\b/i.test(prelude) && /url\(\s*(?:["']\s*)?data:/i.test(block ?? '')) return true;
    if (/^@import\b.*data:/is.test(prelude) || GROUPS.test(prelude)) return true;
    if (prelude.startsWith('@')) continue;
    if (NEW_SELECTORS.test(prelude) || (prelude.includes(',') && STATES.test(prelude))) return true;
    // Rules within rules.
    if (block?.includes('{')) return true;
  }
  return false;
}

const IMAGE = /<(?:[\w.-]+:)?(?:image|feImage|img)\s[^<>]*>/g;
const ADDRESS = /\s(?:[\w.-]+:)?(?:href|src|srcset)\s*=\s*(?:"[^"]*"|'[^']*')/g;
const AT_HAND = /=\s*["']\s*(?:#|data:(?:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml))?[;,])/i;

const MOVEMENT = /<((?:[\w.-]+:)?(?:animate\w*|set))\s[^<>]*?(?:\/>|>\s*<\/\1\s*>)/g;
/** Goes before what the drawing itself says. */
const AT_THE_END =
  '<style>*{animation-delay:-1s!important;animation-duration:1ms!important;animation-iteration-count:1!important}</style>';

/**
 * Drawings as they look on paper. Operations 3: what is not in them "stays blank", where the browser would show a sign
 * for an image that it cannot have. What style moves has come to its end: it looks as it does then, or as if it had
 * never moved. What elements move has not begun, as with librsvg.
 */
export function forPaper(svg: Uint8Array): Uint8Array {
  if (svg[0] === 0xff || svg[0] === 0xfe) return svg;
  const markup = markupOf(svg);
  const still = markup
    .replace(IMAGE, (element) =>
      element.replace(ADDRESS, (address) => (AT_HAND.test(address) ? address : '')),
    )
    .replace(MOVEMENT, '');
  const end = /animation/.test(still) ? still.lastIndexOf('</') : -1;
  const kept = end < 0 ? still : `${still.slice(0, end)}${AT_THE_END}${still.slice(end)}`;
  return kept === markup ? svg : Buffer.from(kept, 'latin1');
}
