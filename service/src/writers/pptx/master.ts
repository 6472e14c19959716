// What every presentation must have besides its slides: an empty master, an empty layout, a plain theme.
import { DRAWING, OFFICE_RELATIONS, XML_HEAD } from '../ooxml.ts';

const PRESENTATION = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const NAMES = `xmlns:p="${PRESENTATION}" xmlns:r="${OFFICE_RELATIONS}" xmlns:a="${DRAWING}"`;
const EMPTY_TREE =
  '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/></p:spTree>';

export const MASTER =
  `${XML_HEAD}<p:sldMaster ${NAMES}><p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>` +
  `${EMPTY_TREE}</p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" ` +
  'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>' +
  '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>' +
  '<p:txStyles><p:titleStyle/><p:bodyStyle/><p:otherStyle/></p:txStyles></p:sldMaster>';

export const LAYOUT =
  `${XML_HEAD}<p:sldLayout ${NAMES} type="blank" preserve="1"><p:cSld name="Blank">${EMPTY_TREE}</p:cSld>` +
  '<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>';

const colour = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
const font = (name: string): string =>
  `<a:${name}Font><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}Font>`;
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const LINE = `<a:ln w="9525">${FILL}</a:ln>`;
const EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>';

export const THEME =
  `${XML_HEAD}<a:theme xmlns:a="${DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">` +
  colour('dk1', '000000') +
  colour('lt1', 'FFFFFF') +
  colour('dk2', '1F2937') +
  colour('lt2', 'E5E7EB') +
  ['2563EB', 'DC2626', '16A34A', 'D97706', '7C3AED', '0891B2']
    .map((value, i) => colour(`accent${i + 1}`, value))
    .join('') +
  colour('hlink', '0000FF') +
  colour('folHlink', '800080') +
  `</a:clrScheme><a:fontScheme name="Plain">${font('major')}${font('minor')}</a:fontScheme><a:fmtScheme name="Plain">` +
  `<a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${LINE.repeat(3)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${EFFECT.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst>` +
  '</a:fmtScheme></a:themeElements></a:theme>';
