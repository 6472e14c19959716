// Documents that reach for what is not theirs: addresses on the network, files of the machine.
import { pathToFileURL } from 'node:url';
import type { OfficeKind } from '../../src/engines/office/formats.ts';
import {
  docx,
  flatOdf,
  odf,
  paragraph,
  pptx,
  type Relation,
  relations,
  wordField,
  wordImage,
  xlsx,
} from '../documents/office-documents.ts';

/** What a document reaches for: where it lies on the network or on this machine. */
export type Reach = (name: string) => string;

export interface Hostile {
  title: string;
  kind: OfficeKind;
  bytes: Promise<Buffer> | Buffer;
}

const external = (id: string, type: string, target: string): Relation => ({
  id,
  type,
  target,
  isExternal: true,
});

const odtImage = (href: string): string =>
  `<text:p>kept<draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${href}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`;

const svgReaching = (href: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><rect width="9" height="9"/><image xlink:href="${href}" width="90" height="90"/><style>@import url("${href}");</style></svg>`;

const slideImage =
  '<p:pic><p:nvPicPr><p:cNvPr id="2" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>';

const sheetCell = (formula: string): string => `<row r="1"><c r="A1"><f>${formula}</f><v>7</v></c></row>`;

const odsCell = (formula: string): string =>
  `<table:table table:name="One"><table:table-row><table:table-cell table:formula="${formula}" office:value-type="string"><text:p>kept</text:p></table:table-cell></table:table-row></table:table>`;

const entityDoctype = (href: string): string => `<!DOCTYPE x [<!ENTITY secret SYSTEM "${href}">]>`;

/** Runs when the document is opened, if macros may. */
const macro = (href: string): string =>
  `Sub Main\n  Dim text As String\n  ThisComponent.Text.String = "macro ran"\n  ThisComponent.Text.insertDocumentFromURL("${href}", Array())\nEnd Sub`;

export function hostileDocuments(reach: Reach): Hostile[] {
  const [png, html, sheet, text] = ['p.png', 'p.html', 'p.ods', 'p.odt'].map(reach) as [
    string,
    string,
    string,
    string,
  ];
  return [
    {
      title: 'a template of a Word document',
      kind: 'docx',
      bytes: docx(paragraph('kept'), [{ id: 'rId5', type: 'settings', target: 'settings.xml' }], {
        'word/settings.xml':
          '<?xml version="1.0"?><w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="rId9"/></w:settings>',
        'word/_rels/settings.xml.rels': relations([external('rId9', 'attachedTemplate', reach('p.dotx'))]),
      }),
    },
    {
      title: 'a linked picture in a Word document',
      kind: 'docx',
      bytes: docx(paragraph('kept') + wordImage('<a:blip r:link="rId9"/>'), [external('rId9', 'image', png)]),
    },
    {
      title: 'an old drawing in a Word document',
      kind: 'docx',
      bytes: docx(
        `<w:p><w:r><w:t>kept</w:t></w:r><w:r><w:pict><v:shape style="width:99pt;height:99pt"><v:imagedata r:id="rId9" o:href="${png}" src="${png}"/></v:shape></w:pict></w:r></w:p>`,
        [external('rId9', 'image', png)],
      ),
    },
    {
      title: 'a linked object in a Word document',
      kind: 'docx',
      bytes: docx(
        '<w:p><w:r><w:t>kept</w:t></w:r><w:r><w:object><v:shape id="s1" style="width:99pt;height:99pt"/><o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="s1" DrawAspect="Content" r:id="rId9" UpdateMode="Always"/></w:object></w:r></w:p>',
        [external('rId9', 'oleObject', text)],
      ),
    },
    {
      title: 'fields of a Word document that include pictures, text and answers of programs',
      kind: 'docx',
      bytes: docx(
        paragraph('kept') +
          wordField(`INCLUDEPICTURE "${png}"`) +
          wordField(`INCLUDETEXT "${text}"`) +
          wordField(`DDEAUTO soffice "${text}" A1`),
      ),
    },
    {
      title: 'a web page inside a Word document',
      kind: 'docx',
      bytes: docx(
        '<w:p><w:r><w:t>kept</w:t></w:r></w:p><w:altChunk r:id="rId9"/>',
        [{ id: 'rId9', type: 'aFChunk', target: 'chunk.html' }],
        {
          'word/chunk.html': `<html><head><link rel="stylesheet" href="${html}"></head><body background="${png}"><img src="${png}" width=90 height=90><iframe src="${html}"></iframe><object data="${html}"></object></body></html>`,
        },
      ),
    },
    {
      title: 'a drawing inside a Word document that names a picture',
      kind: 'docx',
      bytes: docx(
        paragraph('kept') +
          wordImage(
            '<a:blip r:embed="rId9"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip r:embed="rId9"/></a:ext></a:extLst></a:blip>',
          ),
        [{ id: 'rId9', type: 'image', target: 'media/i.svg' }],
        { 'word/media/i.svg': svgReaching(png) },
      ),
    },
    {
      title: 'an entity of a Word document',
      kind: 'docx',
      bytes: (async () => {
        const body = `<?xml version="1.0"?>${entityDoctype(reach('p.txt'))}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>kept &secret;</w:t></w:r></w:p></w:body></w:document>`;
        return docx('', [], { 'word/document.xml': body });
      })(),
    },
    {
      title: 'a linked picture in a text document',
      kind: 'odt',
      bytes: odf('text', { body: odtImage(png) }),
    },
    {
      title: 'a linked section, object, frame and plugin of a text document',
      kind: 'odt',
      bytes: odf('text', {
        body: [
          '<text:p>kept</text:p>',
          `<text:section text:name="S"><text:section-source xlink:href="${text}" xlink:type="simple"/><text:p>old</text:p></text:section>`,
          `<text:p><draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm"><draw:object xlink:href="${sheet}" xlink:type="simple"/></draw:frame>`,
          `<draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm"><draw:floating-frame xlink:href="${html}" xlink:type="simple"/></draw:frame>`,
          `<draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm"><draw:plugin xlink:href="${html}" xlink:type="simple" draw:mime-type="text/html"/></draw:frame></text:p>`,
        ].join(''),
      }),
    },
    {
      title: 'an answer of a program, a template and a reload in a text document',
      kind: 'odt',
      bytes: odf('text', {
        before: '',
        body: `<text:section text:name="D"><office:dde-source office:dde-application="soffice" office:dde-topic="${text}" office:dde-item="S" office:automatic-update="true"/><text:p>kept</text:p></text:section>`,
        meta: `<meta:template xlink:href="${reach('p.ott')}" xlink:type="simple"/><meta:auto-reload xlink:href="${text}" meta:delay="PT0S"/>`,
      }),
    },
    {
      title: 'an entity of a text document',
      kind: 'odt',
      bytes: odf('text', { doctype: entityDoctype(reach('p.txt')), body: '<text:p>kept &secret;</text:p>' }),
    },
    {
      title: 'a drawing inside a text document that names a picture',
      kind: 'odt',
      bytes: odf('text', {
        body: odtImage('Pictures/i.svg'),
        more: { 'Pictures/i.svg': svgReaching(png) },
      }),
    },
    {
      title: 'a macro of a text document',
      kind: 'odt',
      bytes: odf('text', {
        before:
          '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>',
        body: '<text:p>kept</text:p>',
        more: {
          'Basic/script-lc.xml':
            '<?xml version="1.0"?><library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>',
          'Basic/Standard/script-lb.xml':
            '<?xml version="1.0"?><library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="M"/></library:library>',
          'Basic/Standard/M.xml': `<?xml version="1.0"?><script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">${macro(text)}</script:module>`,
        },
      }),
    },
    {
      title: 'a linked picture in a flat text document',
      kind: 'fodt',
      bytes: flatOdf('text', { body: odtImage(png) }),
    },
    {
      title: 'a function of a workbook that asks the web',
      kind: 'xlsx',
      bytes: xlsx(sheetCell(`_xlfn.WEBSERVICE("${reach('p.txt')}")`)),
    },
    {
      title: 'another workbook named by a workbook',
      kind: 'xlsx',
      bytes: xlsx(
        sheetCell("'[1]One'!A1"),
        [{ id: 'rId8', type: 'externalLink', target: 'externalLinks/externalLink1.xml' }],
        '<externalReferences><externalReference r:id="rId8"/></externalReferences>',
        {
          'xl/externalLinks/externalLink1.xml':
            '<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><externalBook r:id="rId1"><sheetNames><sheetName val="One"/></sheetNames></externalBook></externalLink>',
          'xl/externalLinks/_rels/externalLink1.xml.rels': relations([
            external('rId1', 'externalLinkPath', sheet),
          ]),
        },
      ),
    },
    {
      title: 'functions of a spreadsheet that ask the web, programs and other files',
      kind: 'ods',
      bytes: odf('spreadsheet', {
        body:
          odsCell(`of:=WEBSERVICE(&quot;${reach('p.txt')}&quot;)`) +
          odsCell(`of:=DDE(&quot;soffice&quot;;&quot;${sheet}&quot;;&quot;One.A1&quot;)`).replace(
            'One',
            'Two',
          ) +
          odsCell(`of:='${sheet}'#$One.A1`).replace('One', 'Three'),
      }),
    },
    {
      title: 'a sheet that is kept elsewhere',
      kind: 'ods',
      bytes: odf('spreadsheet', {
        body: `<table:table table:name="One"><table:table-source xlink:href="${sheet}" xlink:type="simple" table:table-name="One" table:filter-name="calc8"/><table:table-row><table:table-cell office:value-type="string"><text:p>kept</text:p></table:table-cell></table:table-row></table:table><table:table table:name="Two"><table:table-row><table:table-cell office:value-type="string"><table:cell-range-source table:name="One" xlink:href="${sheet}" xlink:type="simple" table:filter-name="calc8" table:last-column-spanned="1" table:last-row-spanned="1" table:refresh-delay="PT1S"/><text:p>kept</text:p></table:table-cell></table:table-row></table:table>`,
      }),
    },
    {
      title: 'a linked picture in a presentation of PowerPoint',
      kind: 'pptx',
      bytes: pptx(slideImage, [external('rId9', 'image', png)]),
    },
    {
      title: 'a linked picture and a film in a presentation',
      kind: 'odp',
      bytes: odf('presentation', {
        body: `<draw:page draw:name="one" draw:master-page-name="m"><draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${png}" xlink:type="simple"/></draw:frame><draw:frame svg:width="3cm" svg:height="3cm"><draw:plugin xlink:href="${reach('p.mp4')}" xlink:type="simple" draw:mime-type="application/vnd.sun.star.media"/></draw:frame></draw:page>`,
      }),
    },
    {
      title: 'pictures, texts and a template named by rich text',
      kind: 'rtf',
      bytes: Buffer.from(
        `{\\rtf1\\ansi{\\*\\template ${reach('p.dot')}}kept\\par {\\field{\\*\\fldinst INCLUDEPICTURE "${png}"}{\\fldrslt x}}\\par {\\field{\\*\\fldinst INCLUDETEXT "${text}"}{\\fldrslt x}}\\par {\\object\\objautlink\\objw900\\objh900{\\*\\objclass Word.Document.8}{\\*\\objdata 00}{\\result x}}\\par }`,
      ),
    },
    {
      title: 'formulas in a table of text',
      kind: 'csv',
      bytes: Buffer.from(
        `kept,"=WEBSERVICE(""${reach('p.txt')}"")","=cmd|' /C calc'!A0","=IMAGE(""${png}"")"\n`,
      ),
    },
  ];
}

/** What those documents want to see: an image, and texts with this word. */
export const SECRET = 'Zugehaltenes';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR42mM4IScnd0KOAUj8+vULACBSBftgCTDeAAAAAElFTkSuQmCC',
  'base64',
);

/** The files reached for, by name. */
export async function secrets(): Promise<Record<string, Buffer>> {
  const text = await odf('text', { body: `<text:p>${SECRET}</text:p>` });
  return {
    'p.png': PNG,
    'p.txt': Buffer.from(SECRET),
    'p.html': Buffer.from(`<html><body>${SECRET}</body></html>`),
    'p.odt': text,
    'p.ott': text,
    'p.dot': Buffer.from(`{\\rtf1 ${SECRET}}`),
    'p.dotx': await docx(paragraph(SECRET)),
    'p.mp4': Buffer.alloc(64),
    'p.ods': await odf('spreadsheet', {
      body: `<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>${SECRET}</text:p></table:table-cell></table:table-row></table:table>`,
    }),
  };
}

export const inFolder =
  (dir: string): Reach =>
  (name) =>
    pathToFileURL(`${dir}/${name}`).href;
