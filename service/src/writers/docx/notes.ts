// Footnotes in WordprocessingML: each as high as it was, behind the mark that calls it.
import type { Block, Flow, LaidOutDocument, Page, Run } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { OFFICE_RELATIONS, XML_HEAD } from '../ooxml.ts';
import type { BlockContext } from './blocks.ts';
import { AS_IT_WAS, flowHeight, pitchOf, sizeOf } from './heights.ts';
import { halfPoints, runsXml, textXml, twips } from './runs.ts';
import { WORD } from './styles.ts';

/** The line above notes, with the space around it; and what a note may take beyond its lines. */
const SEPARATOR = 12;
const LINE_ABOVE = 6;
const DOUBT = 1;

/** What the notes of a page take of it. */
export function notesHeight(page: Page, notes: readonly Flow[], letters: Letters): number {
  const called = callsOf(page).flatMap(({ note }) => (note === undefined ? [] : (notes[note] ?? [])));
  return called.reduce(
    (sum, flow) => {
      const firstLine = markRoom(flow);
      return sum + flowHeight(flow, page.body.width, AS_IT_WAS, letters, { firstLine }) + DOUBT;
    },
    called.length > 0 ? SEPARATOR : 0,
  );
}

/** The mark and the blank behind it. */
const markRoom = ({ lines }: Flow): number => sizeOf(lines);

const callsOf = ({ blocks }: Page): Run[] => blocks.flatMap(runsOf).filter(({ note }) => note !== undefined);

const runsOf = (block: Block): Run[] =>
  block.kind === 'paragraph' || block.kind === 'heading' ? block.runs : [];

export function footnotesXml(
  { notes, pages }: Pick<LaidOutDocument, 'notes' | 'pages'>,
  context: BlockContext,
): string {
  const marks = new Map(pages.flatMap(callsOf).map(({ note, text }) => [note, text.trim()]));
  const written = notes.map(
    (flow, index) =>
      `<w:footnote w:id="${index + 2}">${noteXml(flow, marks.get(index) ?? '', context)}</w:footnote>`,
  );
  const separator = (name: string): string =>
    `<w:p><w:pPr>${spacing(LINE_ABOVE)}</w:pPr><w:r><w:${name}/></w:r></w:p>`;
  return (
    `${XML_HEAD}<w:footnotes xmlns:w="${WORD}" xmlns:r="${OFFICE_RELATIONS}">` +
    `<w:footnote w:type="separator" w:id="0">${separator('separator')}</w:footnote>` +
    `<w:footnote w:type="continuationSeparator" w:id="1">${separator('continuationSeparator')}</w:footnote>` +
    `${written.join('')}</w:footnotes>`
  );
}

/** LibreOffice prints the mark by itself, and leaves out the one that is written. */
function noteXml(flow: Flow, mark: string, context: BlockContext): string {
  const base = context.styles.base(undefined);
  const rtl = flow.direction === 'rtl';
  const size = halfPoints(sizeOf(flow.lines));
  const look = `<w:rPr><w:rStyle w:val="FootnoteReference"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr>`;
  const called = mark === '' ? '<w:footnoteRef/>' : textXml(mark);
  return (
    `<w:p><w:pPr><w:pStyle w:val="FootnoteText"/>${rtl ? '<w:bidi/>' : ''}${spacing(pitchOf(flow.lines))}</w:pPr>` +
    `<w:r>${look}${called}</w:r><w:r>${look}<w:t xml:space="preserve"> </w:t></w:r>` +
    `${runsXml(flow.runs, base, context, { rtl })}</w:p>`
  );
}

const spacing = (pitch: number): string =>
  `<w:spacing w:before="0" w:after="0" w:line="${Math.max(20, twips(pitch))}" w:lineRule="exact"/>`;
