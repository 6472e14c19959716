// One page in figures: sizes, boxes, annotations, resources.

import type { PdfDocument } from '../document.ts';
import { type Box, boxOf, cropBox, heightOf, intersection, mediaBox, widthOf } from '../geometry/boxes.ts';
import { rotationOf } from '../geometry/page-rotation.ts';
import type { Dict } from '../objects.ts';
import { PAPER_NAMES, PAPER_SIZES } from '../pages/paper.ts';
import { type PageResources, pageAnnotations } from './page-resources-report.ts';

const POINTS_PER_INCH = 72;
const CENTIMETRES_PER_INCH = 2.54;
/** Producers round paper sizes to whole points, or worse. */
const PAPER_TOLERANCE = 2;

export function pageReport(doc: PdfDocument, page: Dict, resources: PageResources, characters: number) {
  const media = mediaBox(doc, page);
  const crop = cropBox(doc, page);
  /** "the crop box" where the page names none of its own, as the standard has it. */
  const box = (key: string): string => {
    const own = boxOf(doc, doc.resolve(page.get(key)));
    return boxText((own && intersection(own, media)) ?? crop);
  };
  const { counts, links, multimedia } = pageAnnotations(doc, page);
  return {
    Size: sizeReport(crop),
    Rotation: rotationOf(doc, page),
    'Page Orientation': orientation(crop),
    MediaBox: boxText(media),
    CropBox: boxText(crop),
    BleedBox: box('BleedBox'),
    TrimBox: box('TrimBox'),
    ArtBox: box('ArtBox'),
    'Text Characters Count': characters,
    Annotations: counts,
    Images: resources.images,
    Links: links,
    Fonts: resources.fonts,
    XObjectCounts: resources.xobjects,
    Multimedia: multimedia,
  };
}

/** "Sizes are text with two decimals ("px" = points); unknown paper: "Custom"." */
function sizeReport(box: Box) {
  const [width, height] = [widthOf(box), heightOf(box)];
  const inches = (points: number): string => (points / POINTS_PER_INCH).toFixed(2);
  const centimetres = (points: number): string =>
    ((points / POINTS_PER_INCH) * CENTIMETRES_PER_INCH).toFixed(2);
  return {
    'Width (px)': width.toFixed(2),
    'Height (px)': height.toFixed(2),
    'Width (in)': inches(width),
    'Height (in)': inches(height),
    'Width (cm)': centimetres(width),
    'Height (cm)': centimetres(height),
    'Standard Page': paperOf(width, height),
  };
}

/** The paper of this size, whichever way it lies. */
function paperOf(width: number, height: number): string {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const name = PAPER_NAMES.find((each) => {
    const paper = PAPER_SIZES[each];
    return (
      Math.abs(paper.width - short) <= PAPER_TOLERANCE && Math.abs(paper.height - long) <= PAPER_TOLERANCE
    );
  });
  if (name === undefined) return 'Custom';
  return name.startsWith('A') ? name : name.charAt(0) + name.slice(1).toLowerCase();
}

function orientation(box: Box): 'Portrait' | 'Landscape' | 'Square' {
  const [width, height] = [widthOf(box), heightOf(box)];
  if (width === height) return 'Square';
  return width < height ? 'Portrait' : 'Landscape';
}

/** `[0.0,0.0,612.0,792.0]` */
const boxText = ({ left, bottom, right, top }: Box): string =>
  `[${[left, bottom, right, top].map((side) => (Number.isInteger(side) ? side.toFixed(1) : String(side))).join(',')}]`;
