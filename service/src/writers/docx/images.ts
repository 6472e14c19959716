// Images in WordprocessingML: in the line, or at their place behind the text.
import { createHash } from 'node:crypto';
import { runsText } from '../../layout/lines/runs.ts';
import type { Box, Figure, Image } from '../../layout/model.ts';
import { escapeMarkup } from '../markup.ts';
import { DRAWING, emu, IMAGE, type Relations } from '../ooxml.ts';
import type { PackageWriter } from '../package.ts';

const PLACED = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing';

/** Images of a package: each is fetched and written after the text that shows it. */
export class Media {
  readonly images: { name: string; image: Image }[] = [];
  private readonly names = new Map<Image, string>();

  nameOf(image: Image): string {
    const known = this.names.get(image);
    if (known !== undefined) return known;
    const name = `image${this.images.length + 1}.${image.format}`;
    this.names.set(image, name);
    this.images.push({ name, image });
    return name;
  }
}

/**
 * Writes the images of a package into a folder of it, equal ones once. Answers by which name those are there that have
 * another's or are of another format than they were thought to be: slides often show the same image, drawn anew from
 * each page.
 */
export async function writeMedia(
  { images }: Media,
  target: PackageWriter,
  folder: string,
): Promise<(relations: string) => string> {
  const names = new Map<string, string>();
  const others = new Map<string, string>();
  for (const { name, image } of images) {
    const bytes = await imageBytes(image);
    const format = bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpeg' : image.format;
    const own = name.replace(/\w+$/, format);
    const key = createHash('sha256').update(bytes).digest('hex');
    const known = names.get(key);
    if (known !== undefined) {
      others.set(name, known);
      continue;
    }
    names.set(key, own);
    if (own !== name) others.set(name, own);
    await target.addPacked(`${folder}/${own}`, bytes);
  }
  return (relations) =>
    relations.replace(/media\/(image\d+\.\w+)"/g, (found, name: string) =>
      others.has(name) ? `media/${others.get(name)}"` : found,
    );
}

/** One clear pixel, for images that cannot be had. */
const NOTHING = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

async function imageBytes(image: Image): Promise<Uint8Array> {
  const bytes = await image.bytes();
  return bytes.length > 0 ? bytes : NOTHING;
}

export class ImageXml {
  private count = 0;
  private readonly media: Media;
  private readonly relations: Relations;

  constructor(media: Media, relations: Relations) {
    this.media = media;
    this.relations = relations;
  }

  inline(figure: Figure, size: { width: number; height: number }): string {
    const [cx, cy] = [emu(size.width), emu(size.height)];
    return (
      `<w:r><w:drawing><wp:inline xmlns:wp="${PLACED}" distT="0" distB="0" distL="0" distR="0">` +
      `<wp:extent cx="${cx}" cy="${cy}"/>${this.graphic(figure, cx, cy)}</wp:inline></w:drawing></w:r>`
    );
  }

  placed(figure: Figure, page: { width: number; height: number }): string {
    const { width, height } = figure.box;
    const [cx, cy] = [emu(Math.min(width, page.width)), emu(Math.min(height, page.height))];
    return placedXml(figure.box, page, this.graphic(figure, cx, cy));
  }

  /** A number for something drawn, and so many behind it. */
  numbers(count: number): number {
    const id = this.count + 1;
    this.count += count;
    return id;
  }

  private graphic({ image, alternative, caption }: Figure, cx: number, cy: number): string {
    this.count += 1;
    const id = this.count;
    const name = this.media.nameOf(image);
    const relation = this.relations.to('image', `media/${name}`);
    const words = alternative ?? (caption ? runsText(caption.runs) : '');
    const description = words === '' ? '' : ` descr="${escapeMarkup(words.slice(0, 1000))}"`;
    return (
      `<wp:docPr id="${id}" name="Picture ${id}"${description}/>` +
      `<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${DRAWING}" noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
      `<a:graphic xmlns:a="${DRAWING}"><a:graphicData uri="${IMAGE}"><pic:pic xmlns:pic="${IMAGE}">` +
      `<pic:nvPicPr><pic:cNvPr id="${id}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr>` +
      `<pic:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
      `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>` +
      '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
    );
  }
}

/** What is drawn, at its place on the page, behind the text. */
export function placedXml(box: Box, page: { width: number; height: number }, drawn: string): string {
  const x = Math.max(0, Math.min(box.x, page.width - 1));
  const y = Math.max(0, Math.min(box.y, page.height - 1));
  const [cx, cy] = [emu(Math.min(box.width, page.width)), emu(Math.min(box.height, page.height))];
  return (
    `<w:r><w:drawing><wp:anchor xmlns:wp="${PLACED}" distT="0" distB="0" distL="0" distR="0" simplePos="0" ` +
    'relativeHeight="0" behindDoc="1" locked="0" layoutInCell="0" allowOverlap="1"><wp:simplePos x="0" y="0"/>' +
    `<wp:positionH relativeFrom="page"><wp:posOffset>${emu(x)}</wp:posOffset></wp:positionH>` +
    `<wp:positionV relativeFrom="page"><wp:posOffset>${emu(y)}</wp:posOffset></wp:positionV>` +
    `<wp:extent cx="${cx}" cy="${cy}"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/>` +
    `${drawn}</wp:anchor></w:drawing></w:r>`
  );
}
