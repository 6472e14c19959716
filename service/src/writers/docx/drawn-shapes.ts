// Areas and lines of a page as one group of shapes behind its text, at their places: grids of forms, bars, separators.
import { boxAround } from '../../layout/box-geometry.ts';
import type { Box, Page, PageBackground } from '../../layout/model.ts';
import { DRAWING, emu, hexColour } from '../ooxml.ts';
import { placedXml } from './images.ts';

const GROUP = 'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup';
const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';
/** More pieces than this nobody edits, and no program opens quickly. */
const MOST_SHAPES = 400;

interface DrawnShape {
  box: Box;
  geometry: 'rect' | 'line';
  look: string;
}

/** `numbers` gives the first of so many numbers for what is drawn. */
export function drawnShapesXml(page: Page, numbers: (count: number) => number): string {
  const shapes = page.background ? shapesOf(page.background) : [];
  if (shapes.length === 0 || shapes.length > MOST_SHAPES) return '';
  const id = numbers(shapes.length + 1);
  const whole = boxAround(shapes.map(({ box }) => box));
  const place = `<a:off x="${emu(whole.x)}" y="${emu(whole.y)}"/><a:ext cx="${size(whole.width)}" cy="${size(whole.height)}"/>`;
  const inside = place.replaceAll('a:off', 'a:chOff').replaceAll('a:ext', 'a:chExt');
  const written = shapes.map(
    ({ box, geometry, look }, index) =>
      `<wps:wsp><wps:cNvPr id="${id + index + 1}" name="${geometry === 'rect' ? 'Rectangle' : 'Line'} ${index + 1}"/><wps:cNvSpPr/><wps:spPr><a:xfrm>` +
      `<a:off x="${emu(box.x)}" y="${emu(box.y)}"/><a:ext cx="${emu(box.width)}" cy="${emu(box.height)}"/></a:xfrm>` +
      `<a:prstGeom prst="${geometry}"><a:avLst/></a:prstGeom>${look}</wps:spPr><wps:bodyPr/></wps:wsp>`,
  );
  return placedXml(
    whole,
    page,
    `<wp:docPr id="${id}" name="Group ${id}"/><wp:cNvGraphicFramePr/>` +
      `<a:graphic xmlns:a="${DRAWING}"><a:graphicData uri="${GROUP}">` +
      `<wpg:wgp xmlns:wpg="${GROUP}" xmlns:wps="${SHAPE}"><wpg:cNvGrpSpPr/><wpg:grpSpPr><a:xfrm>${place}${inside}</a:xfrm></wpg:grpSpPr>` +
      `${written.join('')}</wpg:wgp></a:graphicData></a:graphic>`,
  );
}

const size = (length: number): number => Math.max(1, emu(length));

function shapesOf({ areas, lines }: PageBackground): DrawnShape[] {
  return [
    ...areas.map(
      ({ box, color }): DrawnShape => ({
        box,
        geometry: 'rect',
        look: `${fillXml(color)}<a:ln><a:noFill/></a:ln>`,
      }),
    ),
    ...lines.map(({ axis, at, from, to, thickness, color }): DrawnShape => {
      const length = Math.max(0, to - from);
      const box =
        axis === 'horizontal'
          ? { x: from, y: at, width: length, height: 0 }
          : { x: at, y: from, width: 0, height: length };
      const width = Math.max(1, emu(Math.max(0.25, thickness)));
      return { box, geometry: 'line', look: `<a:ln w="${width}">${fillXml(color)}</a:ln>` };
    }),
  ];
}

const fillXml = (color: string): string =>
  `<a:solidFill><a:srgbClr val="${hexColour(color)}"/></a:solidFill>`;
