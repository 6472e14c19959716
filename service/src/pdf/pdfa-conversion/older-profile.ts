// An ICC profile written anew as one of version 2: what it says by curves and three colours (ICC.1:2010, 8.3.3), or by
// tables of the older kinds.
import { readIccProfile } from '../conformance/content/icc-profile.ts';
import { curveTag, descriptionTag, iccProfile, textTag, WHITE, xyzTag } from './icc-writer.ts';

const HEADER_BYTES = 128;
const TAG_ROW_BYTES = 12;
const MAX_TAGS = 200;
const CLASSES = ['mntr', 'scnr', 'spac', 'prtr'];
const COLOURS = ['RGB ', 'GRAY', 'CMYK'] as const;
const CONNECTIONS = ['XYZ ', 'Lab '] as const;

/** Undefined where it cannot be said in version 2, or the profile is damaged. */
export function asVersion2(bytes: Uint8Array): Uint8Array | undefined {
  const head = readIccProfile(bytes);
  const tags = tagsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!head || !CLASSES.includes(head.deviceClass)) return undefined;
  const colours = COLOURS.find((each) => each === head.colourSpace);
  const connection = CONNECTIONS.find((each) => each === connectionOf(bytes));
  const hasTables = [...tags.keys()].some((tag) => /^[AD]2B/.test(tag));
  const made = hasTables
    ? tablesOf(tags)
    : colours === 'CMYK'
      ? undefined
      : curvesOf(tags, colours === 'GRAY');
  if (!colours || !connection || !made) return undefined;
  const deviceClass = hasTables || head.deviceClass === 'scnr' ? 'scnr' : 'mntr';
  return iccProfile({ deviceClass, colours, connection }, [
    ['desc', descriptionTag('As version 2')],
    ['cprt', textTag('As in the profile it was made of')],
    ['wtpt', xyzTag(WHITE)],
    ...made,
  ]);
}

type Tags = [signature: string, data: Buffer][];

/** Tables that version 2 knows too mean the same there. */
function tablesOf(tags: ReadonlyMap<string, Buffer>): Tags | undefined {
  const tables = [...tags].filter(([tag]) => /^[AD]2B/.test(tag));
  const isOld = tables.every(([tag, data]) => tag.startsWith('A') && ['mft1', 'mft2'].includes(typeOf(data)));
  return isOld && tags.has('A2B0') ? tables : undefined;
}

function curvesOf(tags: ReadonlyMap<string, Buffer>, isGrey: boolean): Tags | undefined {
  const curves = (isGrey ? ['kTRC'] : ['rTRC', 'gTRC', 'bTRC']).map((tag) => {
    const curve = curveOf(tags.get(tag));
    return [tag, curve && curveTag(curve)] as const;
  });
  const primaries = (isGrey ? [] : ['rXYZ', 'gXYZ', 'bXYZ']).map(
    (tag) => [tag, xyzOf(tags.get(tag))] as const,
  );
  const made = [...primaries, ...curves];
  return made.every(([, data]) => data !== undefined) ? (made as Tags) : undefined;
}

function tagsOf(bytes: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = bytes.length >= HEADER_BYTES + 4 ? Math.min(MAX_TAGS, bytes.readUInt32BE(HEADER_BYTES)) : 0;
  for (let index = 0; index < count; index += 1) {
    const row = HEADER_BYTES + 4 + index * TAG_ROW_BYTES;
    if (row + TAG_ROW_BYTES > bytes.length) break;
    const [at, size] = [bytes.readUInt32BE(row + 4), bytes.readUInt32BE(row + 8)];
    tags.set(bytes.toString('latin1', row, row + 4), bytes.subarray(at, at + size));
  }
  return tags;
}

const connectionOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(20, 24)).toString('latin1');

const typeOf = (tag: Buffer | undefined): string => tag?.toString('latin1', 0, 4) ?? '';

function xyzOf(tag: Buffer | undefined): Buffer | undefined {
  if (!tag || typeOf(tag) !== 'XYZ ' || tag.length < 20) return undefined;
  return xyzTag([8, 12, 16].map((at) => tag.readInt32BE(at) / 65_536));
}

type Curve = (value: number) => number;

function curveOf(tag: Buffer | undefined): Curve | undefined {
  if (!tag || tag.length < 12) return undefined;
  if (typeOf(tag) === 'curv') return tableCurve(tag);
  return typeOf(tag) === 'para' ? parametricCurve(tag) : undefined;
}

function tableCurve(tag: Buffer): Curve | undefined {
  const count = tag.readUInt32BE(8);
  if (count === 0) return (value) => value;
  if (tag.length < 12 + count * 2) return undefined;
  if (count === 1) return (value) => value ** (tag.readUInt16BE(12) / 256);
  return (value) => {
    const place = Math.max(0, Math.min(1, value)) * (count - 1);
    const low = Math.min(count - 2, Math.floor(place));
    const [a, b] = [tag.readUInt16BE(12 + low * 2), tag.readUInt16BE(14 + low * 2)];
    return (a + (b - a) * (place - low)) / 65_535;
  };
}

/** How many numbers each of the five functions has (ICC.1:2010, 10.16). */
const PARAMETERS = [1, 3, 4, 5, 7];

function parametricCurve(tag: Buffer): Curve | undefined {
  const kind = tag.readUInt16BE(8);
  const count = PARAMETERS[kind];
  if (count === undefined || tag.length < 12 + count * 4) return undefined;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: count },
    (_, index) => tag.readInt32BE(12 + index * 4) / 65_536,
  );
  if (kind === 0) return (x) => x ** g;
  if (kind === 1) return (x) => (x >= -b / a ? (a * x + b) ** g : 0);
  if (kind === 2) return (x) => (x >= -b / a ? (a * x + b) ** g + c : c);
  if (kind === 3) return (x) => (x >= d ? (a * x + b) ** g : c * x);
  return (x) => (x >= d ? (a * x + b) ** g + e : c * x + f);
}
