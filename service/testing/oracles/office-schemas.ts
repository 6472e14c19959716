// Whether the parts of an office package are as the schemas of ECMA-376 want them, where a writer can go wrong: elements
// that must follow one another in order, and numbers that have bounds. Word and PowerPoint call a file with an element
// out of order unreadable; LibreOffice and the libraries of Python do not mind.
import { zipEntries } from './archives.ts';

/** What formulas are made of. */
const MATH = 'r*|f*|rad*|nary*|sSub*|sSup*|sSubSup*|limLow*|limUpp*|acc*|bar*|d*|m*';

/** What may stand in an element, in this order; what may stand there more than once has a star. */
const ORDER: Record<string, string> = {
  'w:body': 'p*|tbl* sectPr',
  'w:p': 'pPr r*|hyperlink*|bookmarkStart*|bookmarkEnd*|oMath*|oMathPara*',
  'w:r':
    'rPr t*|tab*|br*|drawing*|fldChar*|instrText*|footnoteReference*|separator*|continuationSeparator*|footnoteRef*',
  'w:hyperlink': 'r*',
  'w:pPr':
    'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens ' +
    'kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind ' +
    'contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle ' +
    'rPr sectPr',
  'w:numPr': 'ilvl numId',
  'w:tabs': 'tab*',
  'w:rPr':
    'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden ' +
    'color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout',
  'w:sectPr':
    'headerReference*|footerReference* footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType pgNumType cols formProt ' +
    'vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid',
  'w:cols': 'col*',
  'w:tbl': 'tblPr tblGrid tr*',
  'w:tblPr':
    'tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing tblInd tblBorders shd ' +
    'tblLayout tblCellMar tblLook',
  'w:tblGrid': 'gridCol*',
  'w:tblCellMar': 'top left bottom right',
  'w:tr': 'trPr tc*',
  'w:trPr': 'cantSplit*|trHeight*|tblHeader*|jc*',
  'w:tc': 'tcPr p*|tbl*',
  'w:tcPr': 'cnfStyle tcW gridSpan vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark',
  'w:tcBorders': 'top left bottom right insideH insideV',
  'w:tcMar': 'top left bottom right',
  'w:numbering': 'abstractNum* num*',
  'w:abstractNum': 'nsid multiLevelType tmpl name styleLink numStyleLink lvl*',
  'w:lvl': 'start numFmt lvlRestart pStyle isLgl suff lvlText lvlPicBulletId lvlJc pPr rPr',
  'w:num': 'abstractNumId lvlOverride*',
  'w:styles': 'docDefaults latentStyles style*',
  'w:docDefaults': 'rPrDefault pPrDefault',
  'w:style':
    'name aliases basedOn next link autoRedefine hidden uiPriority semiHidden unhideWhenUsed qFormat locked pPr rPr tblPr trPr tcPr',
  'w:fonts': 'font*',
  'w:font': 'altName panose1 charset family notTrueType pitch sig',
  'w:settings': 'zoom defaultTabStop evenAndOddHeaders characterSpacingControl footnotePr endnotePr compat',
  'w:footnotes': 'footnote*',
  'm:oMathPara': 'oMathParaPr oMath*',
  'm:oMath': MATH,
  'm:f': 'fPr num den',
  'm:num': MATH,
  'm:den': MATH,
  'm:rad': 'radPr deg e',
  'm:deg': MATH,
  'm:nary': 'naryPr sub sup e',
  'm:naryPr': 'chr limLoc grow subHide supHide ctrlPr',
  'm:sub': MATH,
  'm:sup': MATH,
  'm:lim': MATH,
  'm:sSub': 'sSubPr e sub',
  'm:sSup': 'sSupPr e sup',
  'm:sSubSup': 'sSubSupPr e sub sup',
  'm:limLow': 'limLowPr e lim',
  'm:limUpp': 'limUppPr e lim',
  'm:acc': 'accPr e',
  'm:bar': 'barPr e',
  'm:d': 'dPr e*',
  'm:dPr': 'begChr sepChr endChr grow shp ctrlPr',
  'm:m': 'mPr mr*',
  'm:mPr': 'baseJc plcHide rSpRule cGpRule rSp cSp cGp mcs ctrlPr',
  'm:mr': 'e*',
  'm:e': `argPr ${MATH}`,
  'm:rPr': 'lit nor|scr sty brk aln',
  'wp:inline': 'extent effectExtent docPr cNvGraphicFramePr graphic',
  'wp:anchor':
    'simplePos positionH positionV extent effectExtent wrapNone|wrapSquare|wrapTight|wrapThrough|wrapTopAndBottom docPr ' +
    'cNvGraphicFramePr graphic',
  'pic:pic': 'nvPicPr blipFill spPr',
  'pic:spPr': 'xfrm prstGeom solidFill|noFill ln',
  'p:presentation':
    'sldMasterIdLst notesMasterIdLst handoutMasterIdLst sldIdLst sldSz notesSz embeddedFontLst defaultTextStyle',
  'p:sld': 'cSld clrMapOvr transition timing',
  'p:cSld': 'bg spTree',
  'p:spTree': 'nvGrpSpPr grpSpPr sp*|pic*|graphicFrame*|cxnSp*|grpSp*',
  'p:sp': 'nvSpPr spPr style txBody',
  'p:pic': 'nvPicPr blipFill spPr style',
  'p:graphicFrame': 'nvGraphicFramePr xfrm graphic',
  'p:spPr': 'xfrm custGeom|prstGeom noFill|solidFill|gradFill|blipFill ln effectLst',
  'p:txBody': 'bodyPr lstStyle p*',
  // Groups tell too where what is in them is placed.
  'a:xfrm': 'off ext chOff chExt',
  'wpg:wgp': 'cNvPr cNvGrpSpPr grpSpPr wsp*',
  'wps:wsp': 'cNvPr cNvSpPr|cNvCnPr spPr style extLst txbx|linkedTxbx bodyPr',
  'wps:spPr': 'xfrm custGeom|prstGeom noFill|solidFill|gradFill|blipFill ln effectLst',
  'a:tbl': 'tblPr tblGrid tr*',
  'a:tr': 'tc*',
  'a:tc': 'txBody tcPr',
  'a:txBody': 'bodyPr lstStyle p*',
  'a:tcPr': 'lnL lnR lnT lnB lnTlToBr lnBlToTr noFill|solidFill',
  'a:ln': 'noFill|solidFill prstDash round|bevel|miter headEnd tailEnd',
  'a:p': 'pPr r*|br*|fld* endParaRPr',
  'a:pPr':
    'lnSpc spcBef spcAft buClrTx|buClr buSzTx|buSzPct|buSzPts buFontTx|buFont buNone|buAutoNum|buChar tabLst defRPr',
  'a:rPr':
    'ln noFill|solidFill effectLst highlight uLnTx|uLn uFillTx|uFill latin ea cs sym hlinkClick hlinkMouseOver rtl',
};

interface Bound {
  of: RegExp;
  attribute: string;
  least: number;
  most: number;
}

/** Word takes lengths of 22 inches, PowerPoint those of 56. */
const BOUNDS: readonly Bound[] = [
  {
    of: /^w:(?:spacing|ind|pgMar|col|cols|pgSz|tcW|tblW|tblInd|gridCol|trHeight)$/,
    attribute: 'w:\\w+',
    least: -31_680,
    most: 31_680,
  },
  { of: /^w:tab$/, attribute: 'w:pos', least: -31_680, most: 31_680 },
  { of: /^w:(?:sz|szCs)$/, attribute: 'w:val', least: 2, most: 3276 },
  { of: /^w:w$/, attribute: 'w:val', least: 1, most: 600 },
  { of: /^wp:extent$/, attribute: 'c[xy]', least: 1, most: 27_273_042_316_900 },
  { of: /^a:ext$/, attribute: 'c[xy]', least: 0, most: 27_273_042_316_900 },
  { of: /^a:rPr$/, attribute: 'sz', least: 100, most: 400_000 },
  { of: /^a:spcPts$/, attribute: 'val', least: 0, most: 158_400 },
  { of: /^a:pPr$/, attribute: 'marL', least: 0, most: 51_206_400 },
  { of: /^a:pPr$/, attribute: 'indent', least: -51_206_400, most: 51_206_400 },
  { of: /^p:sldSz$/, attribute: 'c[xy]', least: 914_400, most: 51_206_400 },
];

const ELEMENT = /<(\/?)([A-Za-z]+:[A-Za-z0-9]+)((?:\s+[\w:]+="[^"]*")*)\s*(\/?)>/g;
const MOST_FAULTS = 20;

interface Open {
  name: string;
  /** How far in the order of its parent's parts it is, and what stands there. */
  at: number;
  seen: Set<string>;
  last: string;
}

/** What is wrong with a package; empty where nothing is. */
export async function schemaFaults(bytes: Buffer): Promise<string[]> {
  const parts = (await zipEntries(bytes)).filter(({ name }) => /^(?:word|ppt)\/.*\.xml$/.test(name));
  return parts.flatMap(({ name, bytes: part }) =>
    partFaults(part.toString('utf8')).map((fault) => `${name}: ${fault}`),
  );
}

export function partFaults(xml: string): string[] {
  const faults = new Set<string>();
  const open: Open[] = [];
  const ids = new Set<string>();
  for (const [, end, name = '', attributes = '', empty] of xml.matchAll(ELEMENT)) {
    if (faults.size > MOST_FAULTS) break;
    if (end === '/') {
      const closed = open.pop();
      if (closed?.name !== name) faults.add(`${name} ends where ${closed?.name} is open`);
      if (name === 'w:tc' && closed?.last !== 'p') faults.add('a cell that does not end with a paragraph');
      continue;
    }
    for (const fault of placeFaults(open.at(-1), name)) faults.add(fault);
    for (const fault of boundFaults(name, attributes)) faults.add(fault);
    const id = /^(?:p:cNvPr|wp:docPr)$/.test(name) ? /\bid="([^"]*)"/.exec(attributes)?.[1] : undefined;
    if (id !== undefined && ids.has(id)) faults.add(`two of the number ${id}`);
    if (id !== undefined) ids.add(id);
    if (empty !== '/') open.push({ name, at: 0, seen: new Set(), last: '' });
  }
  return [...faults];
}

function placeFaults(parent: Open | undefined, name: string): string[] {
  const order = parent && ORDER[parent.name];
  if (!parent || order === undefined) return [];
  const own = name.slice(name.indexOf(':') + 1);
  const steps = order.split(' ').map((step) => step.split('|'));
  const at = steps.findIndex((step) => step.includes(own) || step.includes(`${own}*`));
  const repeats = steps[at]?.includes(`${own}*`) ?? false;
  const [before, wasSeen] = [parent.last, parent.seen.has(String(at))];
  parent.seen.add(String(at));
  parent.last = own;
  if (at < 0) return [`${name} in ${parent.name}`];
  if (at < parent.at) return [`${name} behind ${before} in ${parent.name}`];
  parent.at = at;
  return wasSeen && !repeats ? [`${name} twice in ${parent.name}`] : [];
}

function boundFaults(name: string, attributes: string): string[] {
  return BOUNDS.filter(({ of }) => of.test(name)).flatMap(({ attribute, least, most }) =>
    [...attributes.matchAll(new RegExp(`\\s(${attribute})="(-?[\\d.]+)"`, 'g'))].flatMap(([, key, value]) =>
      !Number.isInteger(Number(value)) || Number(value) < least || Number(value) > most
        ? [`${key}="${value}" of ${name}`]
        : [],
    ),
  );
}
