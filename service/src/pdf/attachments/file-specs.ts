// File specifications with an embedded file (ISO 32000-1, 7.11): what is attached, under which name.
import type { PdfDocument } from '../document.ts';
import { isoDate, momentOfPdf } from '../metadata/pdf-dates.ts';
import { Dict, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import { mediaTypeOfName } from './media-types.ts';

export interface EmbeddedFile {
  filename: string;
  /** The file specification as it is held: most often a reference. */
  spec: PdfValue;
  data: Ref;
  /** As stated; undefined where the file does not say. */
  statedSize: number | undefined;
  contentType: string | null;
  description: string | null;
  creationDate: string | null;
  modificationDate: string | null;
}

/** In order of preference; the last three are old spellings for single systems. */
const NAMES = ['UF', 'F', 'Unix', 'DOS', 'Mac'] as const;

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** The file embedded in a specification; undefined where it only names a file elsewhere. */
export function embeddedFile(
  doc: PdfDocument,
  spec: PdfValue,
  fallbackName: string,
): EmbeddedFile | undefined {
  const held = doc.resolve(spec);
  if (!(held instanceof Dict)) return undefined;
  const data = dataOf(doc, held);
  if (!data) return undefined;
  const stream = doc.dict(data) ?? new Dict();
  const params = doc.dict(stream.get('Params')) ?? new Dict();
  const filename = fileNameOf(doc, held) ?? fallbackName;
  const stated = doc.number(params.get('Size'));
  const date = (key: string): string | null => {
    const moment = momentOfPdf(doc.text(params.get(key)) ?? '');
    return moment ? isoDate(moment) : null;
  };
  return {
    filename,
    spec,
    data,
    statedSize: stated !== undefined && Number.isSafeInteger(stated) && stated >= 0 ? stated : undefined,
    contentType: contentTypeOf(doc, stream, filename),
    description: doc.text(held.get('Desc')) ?? null,
    creationDate: date('CreationDate'),
    modificationDate: date('ModDate'),
  };
}

function dataOf(doc: PdfDocument, spec: Dict): Ref | undefined {
  const files = doc.dict(spec.get('EF'));
  for (const key of NAMES) {
    const data = files?.get(key);
    if (data instanceof Ref && doc.resolve(data) instanceof Stream) return data;
  }
  return undefined;
}

function fileNameOf(doc: PdfDocument, spec: Dict): string | undefined {
  for (const key of NAMES) {
    const held = doc.resolve(spec.get(key));
    const text = held instanceof PdfString ? doc.text(held) : undefined;
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

function contentTypeOf(doc: PdfDocument, stream: Dict, filename: string): string | null {
  const stated = nameText(doc.name(stream.get('Subtype')) ?? '').toLowerCase();
  return MEDIA_TYPE.test(stated) ? stated : (mediaTypeOfName(filename) ?? null);
}
