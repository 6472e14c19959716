// Small documents that conform to PDF/A, to be broken one rule at a time.
import { pdfOf, streamOf } from './written-pdf.ts';

export interface Sample {
  version?: string;
  part?: string;
  conformance?: string;
  /** Further properties, as XML inside the description. */
  xmp?: string;
  catalog?: string;
  page?: string;
  content?: string;
  /** Objects from 6 on. */
  more?: string[];
  trailer?: string;
}

const NAMESPACES = [
  'dc="http://purl.org/dc/elements/1.1/"',
  'xmp="http://ns.adobe.com/xap/1.0/"',
  'xmpMM="http://ns.adobe.com/xap/1.0/mm/"',
  'pdf="http://ns.adobe.com/pdf/1.3/"',
  'pdfaid="http://www.aiim.org/pdfa/ns/id/"',
  'pdfuaid="http://www.aiim.org/pdfua/ns/id/"',
  'pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"',
  'pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"',
  'pdfaProperty="http://www.aiim.org/pdfa/ns/property#"',
  'pdfaType="http://www.aiim.org/pdfa/ns/type#"',
  'pdfaField="http://www.aiim.org/pdfa/ns/field#"',
  'my="http://example.org/my/"',
]
  .map((binding) => `xmlns:${binding}`)
  .join(' ');

export function packetOf(properties: string): string {
  return (
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">\n' +
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n' +
    `<rdf:Description rdf:about="" ${NAMESPACES}>${properties}</rdf:Description>\n` +
    '</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
  );
}

const ID = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';

/** Without changes it conforms to PDF/A-2b: an empty page says little that could be wrong. */
export function sample(options: Sample = {}): Buffer {
  const { part = '2', conformance = 'B' } = options;
  const claim =
    (part === '' ? '' : `<pdfaid:part>${part}</pdfaid:part>`) +
    (conformance === '' ? '' : `<pdfaid:conformance>${conformance}</pdfaid:conformance>`);
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R ${options.catalog ?? ''} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${options.page ?? '/Resources << >>'} >>`,
      streamOf(options.content ?? ''),
      streamOf(packetOf(claim + (options.xmp ?? '')), '/Type /Metadata /Subtype /XML'),
      ...(options.more ?? []),
    ],
    { version: options.version ?? (part === '4' ? '2.0' : '1.7'), trailer: options.trailer ?? ID },
  );
}
