// A formula as a line of text: its letters in the order they are read, numerators before denominators, raised and
// lowered letters behind their base. The bar of a fraction is written as a slash.
import { lookup } from '../../contract/lookup.ts';
import type { MathNode } from './formula.ts';

export const formulaText = (node: MathNode): string =>
  write(node)
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[,;.)\]}⟩])/g, '')
    .replace(/(?<=[([{⟨]) /g, '')
    .trim();

/** Signs with room on both sides. */
const RELATION = /^[=<>≤≥⩽⩾≠≈≡∼≃≅∝≪≫≺≻≼≽⊂⊃⊆⊇∈∋∉→←↔⇒⇐⇔↦⟶⟵⟹⟸⟺⟷⊢⊨≜≐:]$/;
const BINARY = /^[+−±∓×÷∪∩∧∨⊕⊗⊖∗]$/;

function write(node: MathNode): string {
  switch (node.kind) {
    case 'row':
      return rowText(node.items);
    case 'space':
      return ' ';
    case 'sign':
      return node.text;
    case 'name':
      return node.text;
    case 'fraction':
      return `${grouped(node.over)}/${grouped(node.under)}`;
    case 'root':
      return `${node.index ? write(node.index) : ''}√${grouped(node.of)}`;
    case 'scripts':
      return write(node.base) + [node.sub, node.sup].map((part) => (part ? compact(part) : '')).join('');
    case 'accent':
      return `${write(node.base)}${MARKS[node.mark] ?? ''}`.normalize('NFC');
    case 'line':
      return write(node.base);
    case 'fence':
      return node.open + write(node.inside) + node.close;
    case 'matrix':
      return node.rows.map((cells) => cells.map(write).join(' ')).join('; ');
  }
}

/** Raised and lowered letters stand close together. */
const compact = (node: MathNode): string => write(node).replaceAll(' ', '');

/** Marks that are added to the letter before them. */
const MARKS: Readonly<Record<string, string>> = lookup({
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˙': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '˘': '\u0306',
  '´': '\u0301',
  '`': '\u0300',
  '˚': '\u030a',
  '\u20d7': '\u20d7',
});

function rowText(items: readonly MathNode[]): string {
  let text = '';
  for (const [i, item] of items.entries()) {
    const part = write(item);
    const before = items[i - 1];
    const core = item.kind === 'scripts' ? item.base : item;
    const isSpaced =
      core.kind === 'sign' &&
      (RELATION.test(core.text) || (BINARY.test(core.text) && before !== undefined && !isOperator(before)));
    const isWord = item.kind === 'name' && before !== undefined && !isOpening(before);
    if (isWord) text += ` ${part}${isOpening(items[i + 1]) ? '' : ' '}`;
    else if (isSpaced) text += ` ${part} `;
    else if (core.kind === 'name') text += `${part}${isOpening(items[i + 1]) ? '' : ' '}`;
    else if (core.kind === 'sign' && core.text === ',') text += ', ';
    else text += part;
  }
  return text;
}

function isOperator(node: MathNode): boolean {
  return (
    node.kind === 'sign' &&
    (RELATION.test(node.text) || BINARY.test(node.text) || /^[([{⟨|,]$/.test(node.text))
  );
}

const isOpening = (node: MathNode | undefined): boolean =>
  (node?.kind === 'sign' && /^[([{⟨]$/.test(node.text)) || node?.kind === 'fence';

/** What is more than one thing is held together. */
function grouped(node: MathNode): string {
  const text = write(node);
  return node.kind === 'row' && node.items.length > 1 && !/^\d+$/.test(text) ? `(${text.trim()})` : text;
}
