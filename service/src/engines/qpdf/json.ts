// Values in qpdf's JSON (version 2), the one way the C API offers to set objects that hold references.
import {
  Dict,
  isEmptyName,
  Name,
  type PdfObject,
  PdfString,
  type PdfValue,
  Ref,
  Stream,
} from '../../pdf/objects.ts';
import { formatName, formatNumber } from '../../pdf/syntax/object-syntax.ts';

const HEADER =
  '{"jsonversion":2,"pushedinheritedpageresources":false,"calledgetallpages":false,"maxobjectid":0}';

/** What stands before a name with escapes in it: newer versions read `n:/a#20b`, older ones `/a#20b`. */
export type NameMark = 'n:' | '';

/** A JSON document that sets each of the objects. */
export function objectsToJson(
  objects: Iterable<[Ref, PdfObject]>,
  mark: NameMark,
  streams: 'known' | 'new' = 'known',
): string {
  // A stream that is not there yet needs data, if only none.
  const data = streams === 'new' ? '"data":"",' : '';
  const entries: string[] = [];
  for (const [ref, object] of objects) {
    const body =
      object instanceof Stream
        ? `{"stream":{${data}"dict":${valueToJson(withoutLength(object.dict), mark)}}}`
        : `{"value":${valueToJson(object, mark)}}`;
    entries.push(`"obj:${ref.key} R":${body}`);
  }
  return `{"qpdf":[${HEADER},{${entries.join(',')}}]}`;
}

function withoutLength(dict: Dict): Dict {
  const copy = new Dict(dict);
  copy.delete('Length');
  return copy;
}

function valueToJson(value: PdfValue, mark: NameMark): string {
  if (value === null || isEmptyName(value)) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof Name) return nameToJson(value.value, mark);
  if (value instanceof Ref) return `"${value.key} R"`;
  // Bytes must not be none: the empty string is written as text.
  if (value instanceof PdfString) {
    return value.bytes.length === 0 ? '"u:"' : `"b:${Buffer.from(value.bytes).toString('hex')}"`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => valueToJson(item, mark)).join(',')}]`;
  const entries = [...value].map(([key, inner]) => `${nameToJson(key, mark)}:${valueToJson(inner, mark)}`);
  return `{${entries.join(',')}}`;
}

function nameToJson(value: string, mark: NameMark): string {
  const name = formatName(value);
  return JSON.stringify(name.includes('#') ? `${mark}${name}` : name);
}
