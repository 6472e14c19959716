// A document as WordprocessingML: real paragraphs, lists, tables and images that flow, page by page as they stood.
import type { Figure, LaidOutDocument } from '../../layout/model.ts';
import type { Family } from '../font-families.ts';
import { Letters } from '../letters.ts';
import {
  contentTypes,
  coreProperties,
  OFFICE_RELATIONS,
  packageRelations,
  Relations,
  XML_HEAD,
} from '../ooxml.ts';
import { PackageWriter } from '../package.ts';
import { findPrintedNumbers } from '../page-numbers.ts';
import { findBlocksBehindText } from './behind-text.ts';
import { type BlockContext, BlockWriter, type Piece, pieceXml, tinyParagraph } from './blocks.ts';
import type { Band } from './column-bands.ts';
import { drawnShapesXml } from './drawn-shapes.ts';
import { ExactWriter } from './exact-places.ts';
import { type PagePlan, planPages } from './fit-pages.ts';
import { HeaderOrFooterParts } from './headers-and-footers.ts';
import { ImageXml, Media, writeMedia } from './images.ts';
import { footnotesXml, notesHeight } from './notes.ts';
import { Numbering } from './numbering.ts';
import { fitToPaper } from './paper-sizes.ts';
import { withParagraphBoxes } from './paragraph-boxes.ts';
import { pageBookmark } from './runs.ts';
import type { PageWriter } from './sections.ts';
import { type SectionPage, sectionXml, splitIntoSections } from './sections.ts';
import { fontTable, Styles, WORD } from './styles.ts';

export interface DocxOptions {
  /** Text that flows, or every line in a frame at its place. */
  mode: 'flow' | 'exact';
}

/** The document's paragraphs must not be joined over columns and pages (`readDocument` with `join: 'words'`). */
export async function writeDocx(
  path: string,
  given: LaidOutDocument,
  { mode }: DocxOptions,
): Promise<{ path: string }> {
  const document = fitToPaper(given);
  const relations = new Relations();
  const media = new Media();
  const families = new Map<string, Family>();
  const styles = new Styles(document);
  const numbering = new Numbering();
  const letters = new Letters(document);
  const parts = new HeaderOrFooterParts(document.pages, styles, { families, letters });
  const isFlow = mode === 'flow';
  const context: BlockContext = {
    relations,
    families,
    letters,
    pages: new Set(document.pages.map(({ number }) => number)),
    // The first two are the lines above notes.
    noteId: (note) => (isFlow && document.notes[note] ? note + 2 : undefined),
    styles,
    numbering,
    imageXml: new ImageXml(media, relations),
  };
  const numbers = findPrintedNumbers(document.pages);
  const plans = planPages(document.pages, letters, (page) =>
    isFlow ? notesHeight(page, document.notes, letters) : 0,
  );
  const pages = splitIntoSections(plans, parts, numbers);
  const writer = isFlow ? new FlowPages(context) : new ExactWriter(context);
  relations.to('styles', 'styles.xml');
  relations.to('numbering', 'numbering.xml');
  relations.to('fontTable', 'fontTable.xml');
  relations.to('settings', 'settings.xml');
  relations.to('footnotes', 'footnotes.xml');
  const headersAndFooters = [...parts.headers, ...parts.footers];
  const main = 'wordprocessingml';
  const word = new PackageWriter(path);
  word.add(
    '[Content_Types].xml',
    contentTypes([
      ['word/document.xml', `${main}.document.main`],
      ['word/styles.xml', `${main}.styles`],
      ['word/numbering.xml', `${main}.numbering`],
      ['word/fontTable.xml', `${main}.fontTable`],
      ['word/settings.xml', `${main}.settings`],
      ['word/footnotes.xml', `${main}.footnotes`],
      ...parts.headers.map(({ name }) => [`word/${name}`, `${main}.header`] as const),
      ...parts.footers.map(({ name }) => [`word/${name}`, `${main}.footer`] as const),
    ]),
  );
  word.add('_rels/.rels', packageRelations('word/document.xml'));
  word.add('docProps/core.xml', coreProperties(document));
  await word.addPieces('word/document.xml', documentXml(pages, writer, relations));
  const ofNotes = new Relations();
  word.add(
    'word/footnotes.xml',
    footnotesXml(isFlow ? document : { notes: [], pages: [] }, { ...context, relations: ofNotes }),
  );
  word.add('word/_rels/footnotes.xml.rels', ofNotes.xml());
  word.add('word/styles.xml', styles.xml(context));
  word.add('word/numbering.xml', numbering.xml());
  word.add('word/fontTable.xml', fontTable(families));
  word.add('word/settings.xml', SETTINGS);
  for (const { name, xml } of headersAndFooters) word.add(`word/${name}`, xml);
  const named = await writeMedia(media, word, 'word/media');
  word.add('word/_rels/document.xml.rels', named(relations.xml()));
  return word.finish();
}

const SETTINGS =
  `${XML_HEAD}<w:settings xmlns:w="${WORD}"><w:defaultTabStop w:val="720"/><w:compat>` +
  '<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>';

function* documentXml(
  pages: readonly SectionPage[],
  writer: PageWriter,
  relations: Relations,
): Generator<string> {
  yield `${XML_HEAD}<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE_RELATIONS}"><w:body>`;
  for (const [index, page] of pages.entries()) {
    const pieces = writer.page(page, relations);
    const next = pages[index + 1];
    const last = pieces.at(-1);
    // The end of a section stands in its last paragraph; that of the last one at the end of the document.
    const isEnd = next === undefined || next.beginsSection;
    const section = isEnd
      ? sectionXml(page.section, page.plan.bands.at(-1), page.plan.bands.length > 1, relations)
      : '';
    const carries = next !== undefined && isEnd;
    for (const piece of pieces.slice(0, -1)) yield pieceXml(piece);
    if (last && (last.properties !== undefined || !carries)) yield pieceXml(last, carries ? section : '');
    else {
      if (last) yield pieceXml(last);
      if (carries) yield pieceXml(tinyParagraph(), section);
    }
    if (next === undefined) yield section;
  }
  if (pages.length === 0) yield '<w:p/>';
  yield '</w:body></w:document>';
}

class FlowPages implements PageWriter {
  private readonly blocks: BlockWriter;
  private readonly context: BlockContext;
  private bookmarks = 0;

  constructor(context: BlockContext) {
    this.context = context;
    this.blocks = new BlockWriter(context);
  }

  page({ plan: planned, section, beginsSection }: SectionPage, relations: Relations): Piece[] {
    const plan = withParagraphBoxes(planned);
    const { page, bands } = plan;
    const id = this.bookmarks;
    this.bookmarks += 1;
    const bookmark = `<w:bookmarkStart w:id="${id}" w:name="${pageBookmark(page.number)}"/><w:bookmarkEnd w:id="${id}"/>`;
    const behind = page.blocks.filter(
      (block): block is Figure => block.kind === 'figure' && findBlocksBehindText(page).has(block),
    );
    const { imageXml } = this.context;
    const drawn = drawnShapesXml(page, (count) => imageXml.numbers(count));
    const lead = `${bookmark}${drawn}${behind.map((figure) => imageXml.placed(figure, page)).join('')}`;
    const pieces = bands.flatMap((band, index) => {
      const isFirst = index === 0;
      const start = { breakBefore: isFirst && !beginsSection, lead: isFirst ? lead : '' };
      const written = this.band(band, plan, start);
      if (index < bands.length - 1) endBand(written, sectionXml(section, band, !isFirst, relations));
      return written;
    });
    return pieces.length > 0 ? pieces : [tinyParagraph(lead, !beginsSection)];
  }

  private band({ columns }: Band, plan: PagePlan, start: { breakBefore: boolean; lead: string }): Piece[] {
    return columns.flatMap((column, at) => {
      if (at === 0) return this.blocks.column(column, plan, start);
      const before = columns[at - 1];
      if (before && plan.full.has(before)) return this.blocks.column(column, plan, NOTHING_BEFORE);
      // In a paragraph of its own: beside text it would leave an empty line in one column or the other.
      return [tinyParagraph(COLUMN_BREAK), ...this.blocks.column(column, plan, NOTHING_BEFORE)];
    });
  }
}

const NOTHING_BEFORE = { breakBefore: false, lead: '' };

const COLUMN_BREAK = '<w:r><w:br w:type="column"/></w:r>';

/** Columns change within a page: the band ends a section of its own. */
function endBand(pieces: Piece[], section: string): void {
  const last = pieces.at(-1);
  if (last?.properties !== undefined)
    pieces[pieces.length - 1] = { ...last, properties: `${last.properties}${section}` };
  else pieces.push({ ...tinyParagraph(), properties: `${tinyParagraph().properties}${section}` });
}
