// The styles of a document, as its own text shows them: what most of it looks like, and what headings look like.
import type { Block, LaidOutDocument, Run, TextStyle } from '../../layout/model.ts';
import type { Family } from '../font-families.ts';
import type { Letters } from '../letters.ts';
import { escapeMarkup } from '../markup.ts';
import { hexColour, XML_HEAD } from '../ooxml.ts';
import { type BaseStyle, baseOf, fontsXml, halfPoints, inkOf, type RunContext, widthOf } from './runs.ts';

export const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PLAIN: BaseStyle = {
  font: 'Times New Roman',
  size: 11,
  bold: false,
  italic: false,
  monospace: false,
  color: '#000000',
};

export class Styles {
  private readonly body: BaseStyle;
  private readonly headings: (BaseStyle | undefined)[] = [];
  private readonly language: string | undefined;

  constructor(document: LaidOutDocument) {
    const counts = new Map<string, { style: TextStyle; characters: number }>();
    const count = ({ style, text }: Run): void => {
      const key = `${style.font} ${style.size.toFixed(1)} ${style.color} ${style.monospace}`;
      const known = counts.get(key);
      if (known) known.characters += text.length;
      else counts.set(key, { style, characters: text.length });
    };
    for (const { blocks } of document.pages) {
      for (const block of blocks) {
        if (block.kind === 'heading') this.headings[block.level] ??= firstStyle(block.runs);
        for (const run of runsOf(block)) count(run);
      }
    }
    const [most] = [...counts.values()].sort((a, b) => b.characters - a.characters);
    this.body = most ? { ...baseOf(most.style), bold: false, italic: false } : PLAIN;
    this.language =
      document.language && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(document.language)
        ? document.language
        : undefined;
  }

  base(style: string | undefined): BaseStyle {
    const level = /^Heading(\d)$/.exec(style ?? '')?.[1];
    if (level !== undefined) return this.headings[Number(level)] ?? { ...this.body, bold: true };
    if (style === 'Code') return { ...this.body, font: 'Courier New', monospace: true };
    return this.body;
  }

  xml({ families, letters }: Pick<RunContext, 'families' | 'letters'>): string {
    const fontsOf = (look: BaseStyle): string => {
      const family = letters.familyOf(look);
      families.set(family.name, family);
      return fontsXml(family.name, look.font);
    };
    const language = this.language ? `<w:lang w:val="${this.language}"/>` : '';
    const headings = [1, 2, 3, 4, 5, 6].map((level) => {
      const base = this.base(`Heading${level}`);
      return style(
        `Heading${level}`,
        `heading ${level}`,
        `<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr>` +
          `<w:rPr>${fontsOf(base)}${looks(base, letters)}</w:rPr>`,
      );
    });
    const code = this.base('Code');
    const simple = (id: string, name: string, rest = ''): string =>
      style(id, name, `<w:basedOn w:val="Normal"/><w:qFormat/>${rest}`);
    return (
      `${XML_HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr>${fontsOf(this.body)}` +
      `${looks(this.body, letters)}${language}</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:widowControl w:val="0"/><w:spacing w:after="0"/></w:pPr></w:pPrDefault></w:docDefaults>` +
      `<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>` +
      '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>' +
      '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/></w:tblPr></w:style>' +
      `${headings.join('')}${simple('ListParagraph', 'List Paragraph')}${simple('ListBullet', 'List Bullet')}` +
      `${simple('ListNumber', 'List Number')}${simple('Caption', 'caption')}${simple('Header', 'header')}${simple('Footer', 'footer')}` +
      `${simple('FootnoteText', 'footnote text')}${simple('Code', 'Code', `<w:rPr>${fontsOf(code)}${widthXml(code, letters)}</w:rPr>`)}` +
      '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>' +
      '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/></w:style>' +
      '</w:styles>'
    );
  }
}

const style = (id: string, name: string, rest: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;

function looks(look: BaseStyle, letters: Letters): string {
  const { size, bold, italic, color } = look;
  const half = halfPoints(size);
  return (
    `${bold ? '<w:b/><w:bCs/>' : ''}${italic ? '<w:i/><w:iCs/>' : ''}<w:color w:val="${hexColour(inkOf(color))}"/>` +
    `${widthXml(look, letters)}<w:sz w:val="${half}"/><w:szCs w:val="${half}"/>`
  );
}

const widthXml = (look: BaseStyle, letters: Letters): string => `<w:w w:val="${widthOf(look, letters)}"/>`;

const firstStyle = (runs: readonly Run[]): BaseStyle | undefined => {
  const run = runs.find(({ text }) => text.trim() !== '');
  return run && baseOf(run.style);
};

function runsOf(block: Block): readonly Run[] {
  if (block.kind === 'paragraph') return block.runs;
  if (block.kind === 'list')
    return block.items.flatMap(({ blocks }) =>
      blocks.flatMap((inner) => (inner.kind === 'paragraph' ? inner.runs : [])),
    );
  return [];
}

/** Fonts that a machine may lack, and what stands in for them. */
export function fontTable(families: ReadonlyMap<string, Family>): string {
  const fonts = [...families.values()].map(({ name, shape, substitute }) => {
    const other = substitute === name ? '' : `<w:altName w:val="${escapeMarkup(substitute)}"/>`;
    const pitch = shape === 'modern' ? 'fixed' : 'variable';
    return `<w:font w:name="${escapeMarkup(name)}">${other}<w:family w:val="${shape}"/><w:pitch w:val="${pitch}"/></w:font>`;
  });
  return `${XML_HEAD}<w:fonts xmlns:w="${WORD}">${fonts.join('')}</w:fonts>`;
}
