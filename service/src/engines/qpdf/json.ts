// Values in qpdf's JSON (version 2), the one way the C API offers to set objects that hold references.
import { Dict, Name, type PdfObject, PdfString, type PdfValue, Ref, Stream } from '../../pdf/objects.ts';
import { formatName, formatNumber } from '../../pdf/syntax.ts';
import { isEmptyName } from './empty-names.ts';

const HEADER =
  '{"jsonversion":2,"pushedinheritedpageresources":false,"calledgetallpages":false,"maxobjectid":0}';

/** A JSON document that sets each of the objects. */
export function objectsToJson(objects: Iterable<[Ref, PdfObject]>): string {
  const entries: string[] = [];
  for (const [ref, object] of objects) {
    const body =
      object instanceof Stream
        ? `{"stream":{"dict":${valueToJson(withoutLength(object.dict))}}}`
        : `{"value":${valueToJson(object)}}`;
    entries.push(`"obj:${ref.key} R":${body}`);
  }
  return `{"qpdf":[${HEADER},{${entries.join(',')}}]}`;
}

function withoutLength(dict: Dict): Dict {
  const copy = new Dict(dict);
  copy.delete('Length');
  return copy;
}

function valueToJson(value: PdfValue): string {
  if (value === null || isEmptyName(value)) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof Name) return JSON.stringify(formatName(value.value));
  if (value instanceof Ref) return `"${value.key} R"`;
  if (value instanceof PdfString) return `"b:${Buffer.from(value.bytes).toString('hex')}"`;
  if (Array.isArray(value)) return `[${value.map(valueToJson).join(',')}]`;
  const entries = [...value].map(
    ([key, inner]) => `${JSON.stringify(formatName(key))}:${valueToJson(inner)}`,
  );
  return `{${entries.join(',')}}`;
}
