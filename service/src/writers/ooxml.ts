// What all office packages of OOXML share: names, relationships, content types, units.
import { escapeMarkup } from './markup.ts';

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
export const IMAGE = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const PACKAGE_METADATA = `${PACKAGE_RELATIONS}/metadata/core-properties`;
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';

/** English metric units in a point. */
export const EMU_PER_POINT = 12_700;
export const emu = (points: number): number => Math.round(points * EMU_PER_POINT);

/** Without the sign. */
export const hexColour = (colour: string): string =>
  /^#[0-9a-f]{6}$/i.test(colour) ? colour.slice(1).toUpperCase() : '000000';

/** The relations of one part: each target once. */
export class Relations {
  private readonly list: { id: string; type: string; target: string; external: boolean }[] = [];
  private readonly known = new Map<string, string>();

  /** `type` is the last word of an office relationship type. */
  to(type: string, target: string, { external = false }: { external?: boolean } = {}): string {
    const key = `${type} ${target}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const id = `rId${this.list.length + 1}`;
    this.list.push({ id, type: `${OFFICE_RELATIONS}/${type}`, target, external });
    this.known.set(key, id);
    return id;
  }

  xml(): string {
    const rows = this.list.map(({ id, type, target, external }) => {
      const mode = external ? ' TargetMode="External"' : '';
      return `<Relationship Id="${id}" Type="${type}" Target="${escapeMarkup(target)}"${mode}/>`;
    });
    return `${XML_HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}">${rows.join('')}</Relationships>`;
  }
}

/** The relations of the package itself. */
export const packageRelations = (main: string): string =>
  `${XML_HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}">` +
  `<Relationship Id="rId1" Type="${OFFICE_RELATIONS}/officeDocument" Target="${main}"/>` +
  `<Relationship Id="rId2" Type="${PACKAGE_METADATA}" Target="docProps/core.xml"/>` +
  '</Relationships>';

/** Parts by their path, with the end of their type behind application/vnd.openxmlformats-officedocument. */
export const contentTypes = (parts: readonly (readonly [path: string, type: string])[]): string =>
  `${XML_HEAD}<Types xmlns="${TYPES}">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  '<Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/>' +
  '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
  parts
    .map(
      ([path, type]) =>
        `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('') +
  '</Types>';

export function coreProperties({
  title,
  author,
  language,
}: {
  title: string | undefined;
  author: string | undefined;
  language: string | undefined;
}): string {
  const entry = (name: string, text: string | undefined): string =>
    text === undefined ? '' : `<${name}>${escapeMarkup(text)}</${name}>`;
  return (
    `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE_METADATA.replace('/relationships/', '/')}" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/">' +
    `${entry('dc:title', title)}${entry('dc:creator', author)}${entry('dc:language', language)}</cp:coreProperties>`
  );
}

/** Where a link leads away; nothing that a program would run. */
export function safeUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^(?:https?|mailto|ftp|tel):$/.test(parsed.protocol) && url.length <= 2048
    ? parsed.href
    : undefined;
}
