// What lies behind the text of a slide, as rectangles and lines that can be edited.
import type { Box, PageBackground } from '../../layout/model.ts';
import { emu, hexColour } from '../ooxml.ts';

export interface PlacedShape {
  kind: 'Rectangle' | 'Line';
  /** With its place, colour and width. */
  xml(id: number, name: string): string;
}

export function backgroundShapes({ areas, lines }: PageBackground, fit: number): PlacedShape[] {
  return [
    ...areas.map(({ box, color }) =>
      shaped('Rectangle', box, 'rect', `${fillXml(color)}<a:ln><a:noFill/></a:ln>`, fit),
    ),
    ...lines.map(({ axis, at, from, to, thickness, color }) => {
      const box =
        axis === 'horizontal'
          ? { x: from, y: at, width: to - from, height: 0 }
          : { x: at, y: from, width: 0, height: to - from };
      const width = Math.max(1, emu(Math.max(0.25, thickness) * fit));
      return shaped('Line', box, 'line', `<a:ln w="${width}">${fillXml(color)}</a:ln>`, fit);
    }),
  ];
}

const fillXml = (color: string): string =>
  `<a:solidFill><a:srgbClr val="${hexColour(color)}"/></a:solidFill>`;

const shaped = (
  kind: PlacedShape['kind'],
  box: Box,
  geometry: string,
  look: string,
  fit: number,
): PlacedShape => ({
  kind,
  xml: (id, name) => {
    const properties =
      `<p:spPr><a:xfrm><a:off x="${emu(box.x * fit)}" y="${emu(box.y * fit)}"/>` +
      `<a:ext cx="${emu(box.width * fit)}" cy="${emu(box.height * fit)}"/></a:xfrm>` +
      `<a:prstGeom prst="${geometry}"><a:avLst/></a:prstGeom>${look}</p:spPr>`;
    return kind === 'Line'
      ? `<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>${properties}</p:cxnSp>`
      : `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>${properties}</p:sp>`;
  },
});

/** Above this, in each of red, green and blue, a colour is not seen on white. */
const PALE = 215;
const isPale = (color: string): boolean =>
  [1, 3, 5].every((at) => Number.parseInt(color.slice(at, at + 2), 16) > PALE);

/** Pale text that stood on something that is not drawn here is dark. */
export function blendColours(
  color: string,
  box: Box,
  behind: PageBackground | undefined,
  others: readonly Box[],
): string {
  if (!isPale(color)) return color;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const isOver = (under: Box): boolean =>
    x >= under.x && x <= under.x + under.width && y >= under.y && y <= under.y + under.height;
  const area = behind?.areas.findLast((each) => isOver(each.box));
  if (area) return isPale(area.color) ? '#000000' : color;
  const images = [...(behind?.images ?? []).map((figure) => figure.box), ...others];
  return images.some(isOver) ? color : '#000000';
}
