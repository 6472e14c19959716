// Are two answers to one call the same? Bytes first; where they differ, what the bytes mean.
import sharp from 'sharp';
import { zipEntries } from '../../service/testing/oracles/archives.ts';
import { type Answer, different, type Likeness, type Run } from './answers.ts';
import { comparePdfs } from './compare-pdfs.ts';
import { firstDifference, mapTexts, withoutPassingValues } from './passing-values.ts';

/** Headers that belong to the moment, not to the result. The length of a result shows in its bytes. */
const OF_THE_MOMENT =
  /^(?:date|connection|keep-alive|content-length|x-request-id|.*ratelimit.*|server-timing)$/;

export async function compareAnswers(base: Answer, here: Answer, run: Run): Promise<Likeness> {
  if (base.status !== here.status)
    return different('status', `${base.status} -> ${here.status}: ${reasonOf(base)} -> ${reasonOf(here)}`);
  const steady = ({ headers }: Answer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.test(name)));
  const headers = firstDifference(steady(base), steady(here));
  if (headers !== undefined) return different('headers', headers);
  return compareBytes(base.bytes, here.bytes, run);
}

function reasonOf({ status, bytes }: Answer): string {
  if (status < 400) return 'made';
  const { reason, detail } = JSON.parse(bytes.toString('utf8')) as { reason?: string; detail?: string };
  return `${reason} (${detail})`;
}

export async function compareBytes(base: Buffer, here: Buffer, run: Run): Promise<Likeness> {
  if (base.equals(here)) return { state: 'byte-equal' };
  const shows = kindOf(base);
  if (shows !== kindOf(here)) return different('bytes', `${shows} -> ${kindOf(here)}`);
  if (shows === 'PDF') return comparePdfs(base, here, run);
  if (shows === 'ZIP') return compareArchives(base, here, run);
  if (shows === 'image') return comparePixels(base, here);
  if (shows === 'bytes') return different('bytes', firstByte(base, here));
  return compareTexts(base.toString('utf8'), here.toString('utf8'), run);
}

function kindOf(bytes: Buffer): 'PDF' | 'ZIP' | 'image' | 'text' | 'bytes' {
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('%PDF-')) return 'PDF';
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'ZIP';
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF....WEBP|....ftyp)/s.test(head)) return 'image';
  return bytes.includes(0) ? 'bytes' : 'text';
}

function firstByte(base: Buffer, here: Buffer): string {
  const shorter = Math.min(base.length, here.length);
  let at = 0;
  while (at < shorter && base[at] === here[at]) at += 1;
  return `from byte ${at} on; ${base.length} -> ${here.length} bytes`;
}

function compareTexts(base: string, here: string, run: Run): Likeness {
  const json = jsonOf(base);
  if (json !== undefined) {
    const steady = (value: unknown) => mapTexts(value, (text) => withoutPassingValues(text, run));
    const found = firstDifference(steady(json), steady(jsonOf(here)));
    return found === undefined ? { state: 'judged-equal' } : different('json', found);
  }
  const lines = withoutPassingValues(base, run).split('\n');
  const others = withoutPassingValues(here, run).split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  if (at < 0 && lines.length === others.length) return { state: 'judged-equal' };
  const line = at < 0 ? lines.length : at;
  return different(
    'text',
    `line ${line + 1}: ${firstDifference(lines[line], others[line])?.replace('the whole: ', '')}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function comparePixels(base: Buffer, here: Buffer): Promise<Likeness> {
  const read = async (bytes: Buffer) => {
    const { data, info } = await sharp(bytes, { limitInputPixels: false, pages: -1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, size: `${info.width}x${info.height}x${info.channels}` };
  };
  const one = await read(base);
  const other = await read(here);
  if (one.size !== other.size) return different('pixels', `${one.size} -> ${other.size}`);
  let unlike = 0;
  for (let at = 0; at < one.data.length; at += 1) if (one.data[at] !== other.data[at]) unlike += 1;
  if (unlike === 0) return { state: 'judged-equal' };
  return different('pixels', `${unlike} of ${one.data.length} samples differ`);
}

async function compareArchives(base: Buffer, here: Buffer, run: Run): Promise<Likeness> {
  const entries = await zipEntries(base);
  const others = await zipEntries(here);
  const names = firstDifference(
    entries.map(({ name }) => name),
    others.map(({ name }) => name),
  );
  if (names !== undefined) return different('entries', names);
  for (const [index, { name, bytes }] of entries.entries()) {
    const likeness = await compareBytes(bytes, others[index]?.bytes ?? Buffer.alloc(0), run);
    if (likeness.state === 'different') return different(likeness.kind, `${name}: ${likeness.what}`);
  }
  return { state: 'judged-equal' };
}
