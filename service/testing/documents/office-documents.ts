// Small office documents written part by part: what no program would write.
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

export type Parts = Record<string, string | Uint8Array>;

export async function zipped(parts: Parts): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content as string), path, { compress: path !== 'mimetype' });
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface Relation {
  id: string;
  type: string;
  target: string;
  isExternal?: boolean;
}

export const relations = (list: readonly Relation[]): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ({ id, type, target, isExternal }) =>
        `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${RELATIONS}/${type}`}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

function contentTypes(overrides: Record<string, string>): string {
  const parts = Object.entries(overrides).map(
    ([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`,
  );
  return `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="svg" ContentType="image/svg+xml"/><Default Extension="html" ContentType="text/html"/>${parts.join('')}</Types>`;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A Word document with this body; relations and further parts as given. */
export const docx = (body: string, list: readonly Relation[] = [], more: Parts = {}): Promise<Buffer> =>
  zipped({
    '[Content_Types].xml': contentTypes({
      'word/document.xml': `${OFFICE}.wordprocessingml.document.main+xml`,
      ...('word/settings.xml' in more
        ? { 'word/settings.xml': `${OFFICE}.wordprocessingml.settings+xml` }
        : {}),
    }),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(list),
    ...more,
  });

/** An image in a Word document; `blip` is what the image is. */
export const wordImage = (blip: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

export const wordField = (instruction: string): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>kept</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;

/** A workbook of one sheet with these rows of XML. */
export const xlsx = (
  rows: string,
  list: readonly Relation[] = [],
  workbook = '',
  more: Parts = {},
): Promise<Buffer> =>
  zipped({
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': `${OFFICE}.spreadsheetml.sheet.main+xml`,
      'xl/worksheets/sheet1.xml': `${OFFICE}.spreadsheetml.worksheet+xml`,
      ...('xl/externalLinks/externalLink1.xml' in more
        ? { 'xl/externalLinks/externalLink1.xml': `${OFFICE}.spreadsheetml.externalLink+xml` }
        : {}),
    }),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets>${workbook}<calcPr fullCalcOnLoad="1"/></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      { id: 'rId1', type: 'worksheet', target: 'worksheets/sheet1.xml' },
      ...list,
    ]),
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });

/** A presentation of one slide with this image content. */
export const pptx = (shapes: string, list: readonly Relation[] = []): Promise<Buffer> => {
  const names = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELATIONS}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
  return zipped({
    '[Content_Types].xml': contentTypes({
      'ppt/presentation.xml': `${OFFICE}.presentationml.presentation.main+xml`,
      'ppt/slides/slide1.xml': `${OFFICE}.presentationml.slide+xml`,
    }),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([
      { id: 'rId1', type: 'slide', target: 'slides/slide1.xml' },
    ]),
    'ppt/slides/slide1.xml': `<?xml version="1.0"?><p:sld ${names}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relations(list),
  });
};

const ODF_NAMES = ['office', 'style', 'text', 'table', 'script', 'presentation', 'meta', 'number', 'form']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat([
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
    'xmlns:ooo="http://openoffice.org/2004/office"',
    'office:version="1.2"',
  ])
  .join(' ');

export type OdfType = 'text' | 'spreadsheet' | 'presentation' | 'graphics';

export interface OdfContent {
  body: string;
  /** Before the body. */
  before?: string;
  doctype?: string;
  more?: Parts;
  meta?: string;
}

const odfBody = (type: OdfType, { before = '', body }: OdfContent): string =>
  `${before}<office:body><office:${type === 'graphics' ? 'drawing' : type}>${body}</office:${type === 'graphics' ? 'drawing' : type}></office:body>`;

/** An OpenDocument package. */
export const odf = (type: OdfType, content: OdfContent): Promise<Buffer> => {
  const mediaType = `application/vnd.oasis.opendocument.${type}`;
  const { doctype = '', meta = '', more = {} } = content;
  const listed = ['content.xml', 'meta.xml', ...Object.keys(more)].map(
    (path) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="text/xml"/>`,
  );
  return zipped({
    mimetype: mediaType,
    'META-INF/manifest.xml': `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mediaType}"/>${listed.join('')}</manifest:manifest>`,
    'content.xml': `<?xml version="1.0"?>${doctype}<office:document-content ${ODF_NAMES}>${odfBody(type, content)}</office:document-content>`,
    'meta.xml': `<?xml version="1.0"?><office:document-meta ${ODF_NAMES}><office:meta>${meta}</office:meta></office:document-meta>`,
    ...more,
  });
};

/** The same as a single file of XML. */
export const flatOdf = (type: OdfType, content: OdfContent): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>${content.doctype ?? ''}<office:document ${ODF_NAMES} office:mimetype="application/vnd.oasis.opendocument.${type}">${odfBody(type, content)}</office:document>`,
  );
