// Small images of every kind, made when asked for.
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" viewBox="0 0 80 60">
<rect x="2" y="2" width="76" height="56" fill="#ffe080" stroke="#804000" stroke-width="4"/>
<circle cx="60" cy="20" r="12" fill="#c00000"/><text x="8" y="48" font-size="16" font-family="Liberation Sans">vector</text></svg>`;

/** A red quarter at the top left, green right of it, blue and yellow below. */
function quarters(width: number, height: number, channels: 3 | 4): Buffer {
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const right = x >= width / 2;
      const low = y >= height / 2;
      const colour = low ? (right ? [255, 220, 0] : [0, 0, 255]) : right ? [0, 160, 0] : [255, 0, 0];
      // The lower right quarter fades out.
      data.set(channels === 4 ? [...colour, right && low ? 90 : 255] : colour, (y * width + x) * channels);
    }
  }
  return data;
}

let made: Promise<Record<string, Buffer>> | undefined;

/** By name; those called broken cannot be read. */
export const IMAGES = (): Promise<Record<string, Buffer>> => {
  made ??= make();
  return made;
};

async function make(): Promise<Record<string, Buffer>> {
  const plain = () => sharp(quarters(48, 32, 3), { raw: { width: 48, height: 32, channels: 3 } });
  const clear = () => sharp(quarters(48, 32, 4), { raw: { width: 48, height: 32, channels: 4 } });
  const png = await clear().png().toBuffer();
  const jpeg = await plain().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
  const grey = () => plain().greyscale().toColourspace('b-w');
  return {
    'plain.png': await plain().png().toBuffer(),
    'alpha.png': png,
    'interlaced.png': await plain().png({ progressive: true }).toBuffer(),
    'palette.png': await plain().png({ palette: true, colours: 8 }).toBuffer(),
    'palette-alpha.png': await clear().png({ palette: true, colours: 16 }).toBuffer(),
    'grey.png': await grey().png().toBuffer(),
    'deep.png': await plain().toColourspace('rgb16').png().toBuffer(),
    'plain.jpg': jpeg,
    'grey.jpg': await grey().jpeg().toBuffer(),
    'progressive.jpg': await plain().jpeg({ progressive: true }).toBuffer(),
    'cmyk.jpg': await plain().toColourspace('cmyk').jpeg().toBuffer(),
    'turned.jpg': await plain().rotate(-90).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    'plain.gif': await plain().gif().toBuffer(),
    'plain.webp': await plain().webp({ lossless: true }).toBuffer(),
    'alpha.webp': await clear().webp({ lossless: true }).toBuffer(),
    'plain.tiff': await plain().tiff({ compression: 'lzw' }).toBuffer(),
    'fax.tiff': await grey().threshold(128).tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer(),
    'plain.bmp': bmp24(48, 32, quarters(48, 32, 3)),
    'drawing.svg': Buffer.from(SVG),
    'broken.png': png.subarray(0, png.length - 60),
    'broken.jpg': jpeg.subarray(0, Math.floor(jpeg.length / 2)),
    'broken.gif': Buffer.from('GIF89a rubbish'),
    'broken.webp': Buffer.concat([Buffer.from('RIFF\x10\x00\x00\x00WEBP', 'latin1'), Buffer.alloc(20)]),
    'broken.tiff': Buffer.concat([Buffer.from('II*\0', 'latin1'), Buffer.alloc(30, 0xff)]),
    'broken.bmp': bmp24(48, 32, quarters(48, 32, 3)).subarray(0, 900),
    'broken.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'),
  };
}

/** A JPEG file that no longer says that it is written by Adobe's rules. */
export function withoutAdobeMark(file: Buffer): Buffer {
  const at = file.indexOf(Buffer.from('Adobe')) - 4;
  if (at < 2) throw new Error('no mark of Adobe in it');
  return Buffer.concat([file.subarray(0, at), file.subarray(at + 2 + file.readUInt16BE(at + 2))]);
}

function bmp24(width: number, height: number, rgb: Buffer): Buffer {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + rowBytes * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = ((height - 1 - y) * width + x) * 3;
      const to = 54 + y * rowBytes + x * 3;
      for (let channel = 0; channel < 3; channel += 1) file[to + channel] = rgb[from + 2 - channel] ?? 0;
    }
  }
  return file;
}

/** A PNG that claims a size and holds next to nothing. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const all = Buffer.alloc(body.length + 8);
    all.writeUInt32BE(data.length, 0);
    body.copy(all, 4);
    all.writeUInt32BE(crc32(body), body.length + 4);
    return all;
  };
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    mark,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(20)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
