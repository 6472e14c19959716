// Families that word processors have, for the fonts that documents name. A family that is not there is replaced by
// whatever the reader's machine happens to have, of any look and width; so what only typesetters own is named as the
// nearest family that office programs bring or have an equally wide stand-in for.
import { lookup } from '../contract/lookup.ts';
import type { TextStyle } from '../layout/model.ts';

const SERIF = 'Times New Roman';
const SANS = 'Arial';
const MONO = 'Courier New';

export type Shape = 'roman' | 'swiss' | 'modern';

export interface Family {
  name: string;
  shape: Shape;
  /** What stands in for it where it is not installed. */
  substitute: string;
  /** Whose letters are as wide as these, as near as is known. */
  widths: 'times' | 'helvetica' | 'courier';
  /**
   * How sure it is that text comes out as wide wherever the document is opened: its widths are known here; it or
   * something as wide is there; it may be missing, and what stands in for it is of any width.
   */
  sure: 'known' | 'alike' | 'no';
}

/** By their names without spaces, hyphens and capitals; the first that fits. */
const EXCHANGED: readonly [RegExp, string][] = [
  [
    /^(?:courier|cousine|liberationmono|freemono|nimbusmon|texgyrecursor|qcr|ucr|pcr|cm(?:tt|sltt|itt|vtt|tex)|sf(?:tt|st|it)t?\d|lmmono|lmtt|lmvtt|ectt|latinmodernmono|txtt|ltxtt|pxtt|dejavusansmono|bitstreamverasansmono|notomono|notosansmono|robotomono|sourcecode|ubuntumono|inconsolata|menlo|monaco|sfmono|andalemono|lettergothic|prestige|ocr[ab]|droidsansmono|beramono|firacode|firamono|jetbrainsmono)/,
    MONO,
  ],
  [
    /^(?:arial(?!narrow|black|rounded|unicode)|helvetica(?!narrow)|arimo|liberationsans(?!narrow)|freesans|nimbussan(?!snarrow|snovcon|lcon)|texgyreheros|qhv|uhv|phv|cmss|sfss|lmsans|lmss|ecss|latinmodernsans|txss|swiss|univers|frutiger|akzidenz|neuehaas|sanfrancisco|geneva)/,
    SANS,
  ],
  [
    /^(?:times|tinos|liberationserif|freeserif|nimbusrom|texgyretermes|qtm|utm|ptm|txr|rtxr|txmi|rtxmi|txsy|txex|stix|xits|mtsy|mtmi|mtex|cm[a-z]|sf(?:rm|bx|ti|cc|sl|bi|ri)|lm(?:roman|math|rm|mi|sy|ex|csc|bx)|latinmodern|ec(?:rm|bx|ti|sl|cc)|msam|msbm|eu[fsr]|tipa|rm(?:tmi|psyr)|computermodern|symbol$|minion|nimbusromno9)/,
    SERIF,
  ],
];

/** Families that office programs or systems bring, as they write them. */
const BROUGHT = [
  'Aptos|Arial Black|Arial Narrow|Arial Rounded|Arial Unicode|Bahnschrift|Calibri|Calibri Light|Candara|Century Gothic',
  'Comic Sans|Corbel|Eras|Franklin Gothic|Gill Sans|Impact|Leelawadee|Lucida Sans|Lucida Sans Unicode|Lucida Grande',
  'Segoe|Segoe UI|Segoe UI Symbol|Wingdings|Webdings|Tahoma|Trebuchet|Verdana|Carlito',
  'Microsoft YaHei|Malgun Gothic|MS Gothic|MS PGothic|SimHei|Meiryo|Yu Gothic|Gulim|Dotum|Microsoft JhengHei',
].flatMap((names) => names.split('|'));
const BROUGHT_SERIF = [
  'Baskerville Old Face|Bell MT|Bodoni MT|Book Antiqua|Bookman Old Style|Cambria|Cambria Math|Century|Garamond|Georgia',
  'Century Schoolbook|Constantia|Goudy Old Style|Palatino Linotype|Perpetua|Rockwell|Sylfaen|Caladea',
  'Batang|MS Mincho|MS PMincho|SimSun|NSimSun|MingLiU|PMingLiU|Yu Mincho|KaiTi|FangSong',
].flatMap((names) => names.split('|'));
const BROUGHT_MONO = [
  'Consolas',
  'Lucida Console',
  'Lucida Sans Typewriter',
  'Cascadia Mono',
  'Cascadia Code',
];
/** Those that office programs without them have something as wide for. */
const ALIKE = new Set([
  'Calibri',
  'Calibri Light',
  'Carlito',
  'Cambria',
  'Cambria Math',
  'Caladea',
  'Verdana',
]);
/** As they are called in the lists of fonts, where documents leave out a part. */
const FULL_NAMES: Readonly<Record<string, string>> = lookup({
  Trebuchet: 'Trebuchet MS',
  'Comic Sans': 'Comic Sans MS',
  'Gill Sans': 'Gill Sans MT',
  'Franklin Gothic': 'Franklin Gothic Book',
  'Arial Unicode': 'Arial Unicode MS',
  'Arial Rounded': 'Arial Rounded MT Bold',
  Segoe: 'Segoe UI',
  Eras: 'Eras Medium ITC',
});

/** Old PostScript families that office programs know by another name. */
const OTHER_NAMES: readonly [RegExp, string][] = [
  [/^(?:palatino|texgyrepagella|urwpalladio|pplr|uplr|pxr)/, 'Palatino Linotype'],
  [/^(?:bookman|texgyrebonum|urwbookman)/, 'Bookman Old Style'],
  [/^(?:newcenturyschl|newcenturyschoolbook|centuryschl|texgyreschola|c059)/, 'Century Schoolbook'],
  [/^(?:avantgarde|itcavantgarde|texgyreadventor|urwgothic)/, 'Century Gothic'],
  [/(?:arial|helvetica|sans|nimbussans?l?)(?:narrow|cond)/, 'Arial Narrow'],
  [/^(?:dejavusans|bitstreamverasans)(?!mono|cond)/, 'Verdana'],
  [/^(?:zapfdingbats|dingbats|itczapfdingbats|pzdr)/, 'Segoe UI Symbol'],
];

const SANS_WORDS =
  /sans|gothic|grotes|futura|myriad|optima|avenir|interstate|meta|dinot|^din|montserrat|raleway|poppins|ubuntu|lato|inter$|proxima|helv|swis|frut|trade|news|euro|kozgo|hei$|kaku/;
const SERIF_WORDS =
  /serif|garamond|palat|bookman|schoolbook|caslon|baskerville|didot|bodoni|sabon|bembo|utopia|charter|roman|antiqua|libertin|merriweather|playfair|lora|slab|minch|song|ming|sung|kai|tiem|cochin|goudy|janson|melior|plantin|walbaum|swift|warnock|weiss|lucidabright|egyptienne/;

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const KEPT = new Map<string, Family>();
for (const [names, shape, substitute, widths] of [
  [BROUGHT, 'swiss', SANS, 'helvetica'],
  [BROUGHT_SERIF, 'roman', SERIF, 'times'],
  [BROUGHT_MONO, 'modern', MONO, 'courier'],
] as const)
  for (const name of names) {
    const full = FULL_NAMES[name] ?? name;
    const sure = ALIKE.has(full) ? 'alike' : 'no';
    const family: Family = { name: full, shape, substitute, widths, sure };
    KEPT.set(bare(name), family).set(bare(full), family);
  }

/** The family of the same kind that is sure to be there. */
export const substituteFamily = ({ substitute }: Family): Family => standard(substitute);

const known = new Map<string, Family>();
const MANY_NAMES = 2000;

/** The family for text of this look. */
export function familyFor({
  font,
  monospace,
  serif,
}: Pick<TextStyle, 'font' | 'monospace' | 'serif'>): Family {
  const key = `${monospace} ${serif} ${font}`;
  let family = known.get(key);
  if (!family) {
    family = find(bare(font), monospace, serif === true);
    if (known.size >= MANY_NAMES) known.clear();
    known.set(key, family);
  }
  return family;
}

/** The same where only its name is known. */
export const familyOf = (font: string, monospace: boolean): Family => familyFor({ font, monospace });

function find(name: string, monospace: boolean, serif: boolean): Family {
  const exchanged = EXCHANGED.find(([pattern]) => pattern.test(name))?.[1];
  if (exchanged !== undefined) return standard(exchanged);
  const other = OTHER_NAMES.find(([pattern]) => pattern.test(name))?.[1];
  const kept = KEPT.get(bare(other ?? name));
  if (kept) return kept;
  if (monospace) return standard(MONO);
  if (SANS_WORDS.test(name)) return standard(SANS);
  // A font without serifs says nothing of them, but so do many that have them.
  return standard(serif || SERIF_WORDS.test(name) || name === '' ? SERIF : SANS);
}

function standard(name: string): Family {
  if (name === MONO) return { name, shape: 'modern', substitute: MONO, widths: 'courier', sure: 'known' };
  return name === SANS
    ? { name, shape: 'swiss', substitute: SANS, widths: 'helvetica', sure: 'known' }
    : { name, shape: 'roman', substitute: SERIF, widths: 'times', sure: 'known' };
}
