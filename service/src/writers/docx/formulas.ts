// Formulas in Office Math Markup (OMML), as Word and LibreOffice edit them.
import { lookup } from '../../contract/lookup.ts';
import type { Face, Formula, MathNode } from '../../layout/formulas/formula.ts';
import { escapeMarkup } from '../markup.ts';

const MATH = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
const FONT = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>';

/** Within a line of text. */
export const formulaXml = ({ node }: Formula): string =>
  `<m:oMath xmlns:m="${MATH}">${write(node)}</m:oMath>`;

/** In a paragraph of its own. */
export const formulaParagraphXml = (formula: Formula): string =>
  `<m:oMathPara xmlns:m="${MATH}"><m:oMath>${write(formula.node)}</m:oMath></m:oMathPara>`;

const FACES: Readonly<Record<Face, string>> = {
  italic: '',
  upright: '<m:rPr><m:sty m:val="p"/></m:rPr>',
  bold: '<m:rPr><m:sty m:val="b"/></m:rPr>',
  'bold italic': '<m:rPr><m:sty m:val="bi"/></m:rPr>',
  blackboard: '<m:rPr><m:scr m:val="double-struck"/><m:sty m:val="p"/></m:rPr>',
  script: '<m:rPr><m:scr m:val="script"/><m:sty m:val="p"/></m:rPr>',
  fraktur: '<m:rPr><m:scr m:val="fraktur"/><m:sty m:val="p"/></m:rPr>',
  sans: '<m:rPr><m:scr m:val="sans-serif"/><m:sty m:val="p"/></m:rPr>',
  monospace: '<m:rPr><m:scr m:val="monospace"/><m:sty m:val="p"/></m:rPr>',
};

const run = (text: string, face: Face): string =>
  text === '' ? '' : `<m:r>${FACES[face]}${FONT}<m:t xml:space="preserve">${escapeMarkup(text)}</m:t></m:r>`;

/** Letters have faces; signs are as they are. */
const faceOf = (text: string, face: Face): Face => (/[\p{L}\p{N}]/u.test(text) ? face : 'italic');

function write(node: MathNode): string {
  switch (node.kind) {
    case 'row':
      return rowXml(node.items);
    case 'space':
      return run(node.wide ? '\u2003' : ' ', 'italic');
    case 'sign':
      return run(node.text, faceOf(node.text, node.face));
    case 'name':
      return run(node.text, node.face);
    case 'fraction':
      return (
        `<m:f>${node.bar ? '' : '<m:fPr><m:type m:val="noBar"/></m:fPr>'}` +
        `${part('num', node.over)}${part('den', node.under)}</m:f>`
      );
    case 'root':
      return node.index
        ? `<m:rad>${part('deg', node.index)}${part('e', node.of)}</m:rad>`
        : `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part('e', node.of)}</m:rad>`;
    case 'scripts':
      return isLarge(node.base) ? naryXml(node, '') : scriptsXml(node);
    case 'accent':
      return `<m:acc><m:accPr><m:chr m:val="${MARKS[node.mark] ?? '\u0302'}"/></m:accPr>${part('e', node.base)}</m:acc>`;
    case 'line':
      return `<m:bar><m:barPr><m:pos m:val="${node.where === 'over' ? 'top' : 'bot'}"/></m:barPr>${part('e', node.base)}</m:bar>`;
    case 'fence':
      return (
        `<m:d><m:dPr><m:begChr m:val="${escapeMarkup(node.open)}"/><m:endChr m:val="${escapeMarkup(node.close)}"/></m:dPr>` +
        `<m:e>${node.inside.kind === 'matrix' ? matrixXml(node.inside.rows, node.close === '' ? 'left' : 'center') : write(node.inside)}</m:e></m:d>`
      );
    case 'matrix':
      return matrixXml(node.rows, 'center');
  }
}

const part = (name: string, node: MathNode): string => `<m:${name}>${write(node)}</m:${name}>`;

const MARKS: Readonly<Record<string, string>> = lookup({
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0305',
  '˙': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '˘': '\u0306',
  '´': '\u0301',
  '`': '\u0300',
  '˚': '\u030a',
  '\u20d7': '\u20d7',
  '\u20d6': '\u20d6',
});

const LARGE = /^[∑∏∐∫∬∭∮⋃⋂⋀⋁⨀⨁⨂⨄⨆]$/;
const isLarge = (node: MathNode): node is Extract<MathNode, { kind: 'sign' }> =>
  node.kind === 'sign' && LARGE.test(node.text);

/** What a sum is taken over ends with a sign of relation, or with the next summand. */
const ENDS_OPERAND = /^[=<>≤≥⩽⩾≠≈≡∼≃≅∝≪≫⊂⊃⊆⊇∈∋∉→←⇒⇔⟹⟺+−±,;]$/;

function rowXml(items: readonly MathNode[]): string {
  let xml = '';
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i] as MathNode;
    if (item.kind === 'sign') {
      const face = faceOf(item.text, item.face);
      const more = items.slice(i + 1).findIndex((next) => !isSame(next, face));
      const signs = items.slice(i, more < 0 ? undefined : i + 1 + more);
      xml += run(signs.map((one) => (one.kind === 'sign' ? one.text : '')).join(''), face);
      i += signs.length - 1;
    } else if (item.kind === 'scripts' && isLarge(item.base)) {
      const end = operandEnd(items, i + 1);
      xml += naryXml(item, rowXml(items.slice(i + 1, end)));
      i = end - 1;
    } else xml += write(item);
  }
  return xml;
}

/** Signs in one face are one run. */
const isSame = (node: MathNode, face: Face): boolean =>
  node.kind === 'sign' && faceOf(node.text, node.face) === face;

/** Within brackets nothing ends it. */
function operandEnd(items: readonly MathNode[], from: number): number {
  let depth = 0;
  for (let i = from; i < items.length; i += 1) {
    const item = items[i] as MathNode;
    const base = item.kind === 'scripts' ? item.base : item;
    if (base.kind === 'sign' && /^[([{⟨⌊⌈]$/.test(base.text)) depth += 1;
    if (base.kind === 'sign' && /^[)\]}⟩⌋⌉]$/.test(base.text)) depth -= 1;
    if (depth < 0 || (depth === 0 && isEnd(item))) return i;
  }
  return items.length;
}

const isEnd = (node: MathNode): boolean =>
  (node.kind === 'sign' && ENDS_OPERAND.test(node.text)) || (node.kind === 'space' && node.wide);

type Scripts = Extract<MathNode, { kind: 'scripts' }>;

function naryXml({ base, sub, sup, limits }: Scripts, operand: string): string {
  const sign = base.kind === 'sign' ? base.text : '';
  const hidden = `${sub ? '' : '<m:subHide m:val="1"/>'}${sup ? '' : '<m:supHide m:val="1"/>'}`;
  return (
    `<m:nary><m:naryPr><m:chr m:val="${sign}"/><m:limLoc m:val="${limits ? 'undOvr' : 'subSup'}"/>${hidden}</m:naryPr>` +
    `${sub ? part('sub', sub) : '<m:sub/>'}${sup ? part('sup', sup) : '<m:sup/>'}` +
    // Something must stand there: an empty place is drawn as a box.
    `<m:e>${operand === '' ? run('\u200b', 'italic') : operand}</m:e></m:nary>`
  );
}

function scriptsXml({ base, sub, sup, limits }: Scripts): string {
  const inner = write(base);
  const e = `<m:e>${inner === '' ? run('\u200b', 'italic') : inner}</m:e>`;
  if (limits) {
    const lower = sub ? `<m:limLow>${e}${part('lim', sub)}</m:limLow>` : undefined;
    if (!sup) return lower ?? inner;
    return `<m:limUpp>${lower ? `<m:e>${lower}</m:e>` : e}${part('lim', sup)}</m:limUpp>`;
  }
  if (sub && sup) return `<m:sSubSup>${e}${part('sub', sub)}${part('sup', sup)}</m:sSubSup>`;
  if (sub) return `<m:sSub>${e}${part('sub', sub)}</m:sSub>`;
  return sup ? `<m:sSup>${e}${part('sup', sup)}</m:sSup>` : inner;
}

function matrixXml(rows: readonly MathNode[][], align: 'left' | 'center'): string {
  const columns = Math.max(1, ...rows.map((cells) => cells.length));
  const cells = rows.map(
    (row) => `<m:mr>${Array.from({ length: columns }, (_, i) => cellXml(row[i])).join('')}</m:mr>`,
  );
  return (
    `<m:m><m:mPr><m:plcHide m:val="1"/><m:mcs><m:mc><m:mcPr><m:count m:val="${columns}"/><m:mcJc m:val="${align}"/></m:mcPr></m:mc></m:mcs></m:mPr>` +
    `${cells.join('')}</m:m>`
  );
}

const cellXml = (cell: MathNode | undefined): string => `<m:e>${cell ? write(cell) : ''}</m:e>`;
