// Documents that are a burden: bombs, slow ones, and large ones that hold real data.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { onePage, pdfOf, streamOf } from '../service/testing/documents/written-pdf.ts';

const MIB = 1024 * 1024;
const BLOCK = 64 * MIB;
const ADLER = 65521;

/** A zlib stream of so many zeros, put together from equal blocks: no time is spent on deflating them all. */
function deflatedZeros(blocks: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(BLOCK), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE((BLOCK * blocks) % ADLER, 0);
  checksum.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array(blocks).fill(block),
    Buffer.from([0x03, 0x00]),
    checksum,
  ]);
}

/** One page whose content unpacks to `gib` GiB. Packed twice it is a few kilobytes, else some megabytes. */
export function bomb(gib: number, packed: 'once' | 'twice'): Uint8Array<ArrayBuffer> {
  const once = deflatedZeros(gib * 16);
  const data = packed === 'once' ? once : deflateSync(once, { level: 9 });
  const filter = packed === 'once' ? '/FlateDecode' : '[/FlateDecode /FlateDecode]';
  return bytesOf(
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
      streamOf(data.toString('latin1'), `/Filter ${filter}`),
    ]),
  );
}

/** One whose cross-reference table must be found anew, between lines of comments: the library tries from each of them. */
export function slowToOpen(): Uint8Array<ArrayBuffer> {
  return bytesOf(Buffer.concat([onePage(), Buffer.alloc(2 * MIB, '%comment\n')]));
}

/** Pages with images of noise, which nothing can pack: `mib` MiB in parts of one MiB each. Written without holding it. */
export function writeLargePdf(path: string, mib: number): void {
  const out = openSync(path, 'w');
  const noise = randomBytes(MIB);
  const places: number[] = [];
  let at = 0;
  const write = (data: string | Buffer): void => {
    at += writeSync(out, typeof data === 'string' ? Buffer.from(data, 'latin1') : data);
  };
  const object = (body: string, data?: Buffer): void => {
    places.push(at);
    write(`${places.length} 0 obj\n${body}\n`);
    if (data) {
      write('stream\n');
      write(data);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  write('%PDF-1.7\n');
  object('<< /Type /Catalog /Pages 2 0 R >>');
  object(
    `<< /Type /Pages /Count ${mib} /Kids [${Array.from({ length: mib }, (_, n) => `${3 + 2 * n} 0 R`).join(' ')}] >>`,
  );
  for (let n = 0; n < mib; n += 1) {
    const image = `${4 + 2 * n} 0 R`;
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << /XObject << /I ${image} >> >> >>`,
    );
    // No two parts are equal.
    noise.writeUInt32BE(n);
    object(
      `<< /Type /XObject /Subtype /Image /Width 1024 /Height 1024 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${MIB} >>`,
      noise,
    );
  }
  const start = at;
  write(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n`);
  write(places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join(''));
  write(`trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  closeSync(out);
}

const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
