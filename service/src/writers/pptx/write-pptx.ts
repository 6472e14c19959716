// A document as PresentationML: one slide for each page, its size that of the page, every block at its place.
import type { LaidOutDocument, Page } from '../../layout/model.ts';
import { Media, writeMedia } from '../docx/images.ts';
import { Letters } from '../letters.ts';
import {
  contentTypes,
  coreProperties,
  DRAWING,
  emu,
  OFFICE_RELATIONS,
  packageRelations,
  Relations,
  XML_HEAD,
} from '../ooxml.ts';
import { PackageWriter } from '../package.ts';
import { LAYOUT, MASTER, THEME } from './master.ts';
import { slideShapes } from './shapes.ts';

const PRESENTATION = 'http://schemas.openxmlformats.org/presentationml/2006/main';
/** What PowerPoint takes for the side of a slide, in points. */
const LEAST_SIDE = 72;
const MOST_SIDE = 4032;
const FIRST_SLIDE_ID = 256;

export interface SlideSize {
  width: number;
  height: number;
}

/** All slides have one size: that of the largest page; others stand in its upper left corner. */
function slideSize(pages: readonly Page[]): SlideSize {
  const bounded = (side: number): number => Math.min(MOST_SIDE, Math.max(LEAST_SIDE, side));
  const [first] = pages;
  if (!first) return { width: 612, height: 792 };
  const counts = new Map<string, { size: SlideSize; times: number }>();
  for (const { width, height } of pages) {
    const key = `${Math.round(width)} ${Math.round(height)}`;
    const known = counts.get(key);
    if (known) known.times += 1;
    else counts.set(key, { size: { width, height }, times: 1 });
  }
  const [most] = [...counts.values()].sort((a, b) => b.times - a.times);
  const { width, height } = most?.size ?? first;
  return { width: bounded(width), height: bounded(height) };
}

/** Blocks must not be joined (`readDocument` with `join: 'none'`), and what is behind them is drawn (`behind`). */
export async function writePptx(path: string, document: LaidOutDocument): Promise<{ path: string }> {
  const { pages } = document;
  const size = slideSize(pages);
  const media = new Media();
  const letters = new Letters(document, { sizes: 100 });
  const show = new PackageWriter(path);
  const main = 'presentationml';
  show.add(
    '[Content_Types].xml',
    contentTypes([
      ['ppt/presentation.xml', `${main}.presentation.main`],
      ['ppt/slideMasters/slideMaster1.xml', `${main}.slideMaster`],
      ['ppt/slideLayouts/slideLayout1.xml', `${main}.slideLayout`],
      ['ppt/theme/theme1.xml', 'theme'],
      ...pages.map((_, index) => [`ppt/slides/slide${index + 1}.xml`, `${main}.slide`] as const),
    ]),
  );
  show.add('_rels/.rels', packageRelations('ppt/presentation.xml'));
  show.add('docProps/core.xml', coreProperties(document));
  const relations = new Relations();
  const master = relations.to('slideMaster', 'slideMasters/slideMaster1.xml');
  relations.to('theme', 'theme/theme1.xml');
  const slides = pages.map((_, index) => relations.to('slide', `slides/slide${index + 1}.xml`));
  show.add('ppt/presentation.xml', presentationXml(master, slides, size));
  show.add('ppt/_rels/presentation.xml.rels', relations.xml());
  show.add('ppt/slideMasters/slideMaster1.xml', MASTER);
  show.add('ppt/slideMasters/_rels/slideMaster1.xml.rels', masterRelations());
  show.add('ppt/slideLayouts/slideLayout1.xml', LAYOUT);
  show.add('ppt/slideLayouts/_rels/slideLayout1.xml.rels', layoutRelations());
  show.add('ppt/theme/theme1.xml', THEME);
  const known = new Set(pages.map(({ number }) => number));
  const ofSlides: string[] = [];
  for (const [index, page] of pages.entries()) {
    const own = new Relations();
    own.to('slideLayout', '../slideLayouts/slideLayout1.xml');
    const fit = Math.min(1, size.width / page.width, size.height / page.height);
    const slideOf = (number: number): string | undefined =>
      known.has(number) ? `slide${pages.findIndex((each) => each.number === number) + 1}.xml` : undefined;
    const shapes = slideShapes(page, document.notes, { relations: own, media, letters, fit, slideOf });
    show.add(`ppt/slides/slide${index + 1}.xml`, slideXml(shapes));
    ofSlides.push(own.xml());
  }
  const named = await writeMedia(media, show, 'ppt/media');
  for (const [index, xml] of ofSlides.entries())
    show.add(`ppt/slides/_rels/slide${index + 1}.xml.rels`, named(xml));
  return show.finish();
}

function masterRelations(): string {
  const relations = new Relations();
  relations.to('slideLayout', '../slideLayouts/slideLayout1.xml');
  relations.to('theme', '../theme/theme1.xml');
  return relations.xml();
}

function layoutRelations(): string {
  const relations = new Relations();
  relations.to('slideMaster', '../slideMasters/slideMaster1.xml');
  return relations.xml();
}

const presentationXml = (master: string, slides: readonly string[], { width, height }: SlideSize): string =>
  `${XML_HEAD}<p:presentation xmlns:p="${PRESENTATION}" xmlns:r="${OFFICE_RELATIONS}" xmlns:a="${DRAWING}">` +
  `<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="${master}"/></p:sldMasterIdLst><p:sldIdLst>` +
  slides.map((id, index) => `<p:sldId id="${FIRST_SLIDE_ID + index}" r:id="${id}"/>`).join('') +
  `</p:sldIdLst><p:sldSz cx="${emu(width)}" cy="${emu(height)}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;

const slideXml = (shapes: string): string =>
  `${XML_HEAD}<p:sld xmlns:p="${PRESENTATION}" xmlns:r="${OFFICE_RELATIONS}" xmlns:a="${DRAWING}"><p:cSld><p:spTree>` +
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>' +
  `${shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
