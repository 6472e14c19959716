import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { differingColour, toArchive, validArchive } from '../../../../testing/oracles/pdfa-likeness.ts';
import { missing, qpdfObjects } from '../../../../testing/oracles/programs.ts';
import {
  descriptionTag,
  iccProfile,
  textTag,
  typedTag,
  WHITE,
  xyzTag,
} from '../../../pdf/pdfa-conversion/icc-writer.ts';
import { lookTable, sampledValues } from '../../../pdf/pdfa-conversion/look-profile.ts';

const skip = missing('gs', 'pdftoppm', 'qpdf');

/** A profile like those of browsers: version 4, with curves told by a formula. */
function newer(profile: Uint8Array): Buffer {
  const bytes = Buffer.from(profile);
  bytes.writeUInt32BE(0x04300000, 8);
  return bytes;
}

/** Wide colours and a steep curve: whoever takes them for sRGB shows something else. */
function byFormula(): Buffer {
  const curve = typedTag('para', 4 + 4 + 16);
  curve.writeUInt16BE(3, 8);
  for (const [index, value] of [2.6, 1, 0, 0.1, 0.02].entries())
    curve.writeInt32BE(Math.round(value * 65_536), 12 + index * 4);
  const tags: [string, Buffer][] = [
    ['desc', descriptionTag('wide')],
    ['cprt', textTag('none')],
    ['wtpt', xyzTag(WHITE)],
    ['rXYZ', xyzTag([0.7977, 0.288, 0])],
    ['gXYZ', xyzTag([0.1352, 0.7119, 0])],
    ['bXYZ', xyzTag([0.0313, 0.0001, 0.8249])],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  return newer(iccProfile({ deviceClass: 'mntr', colours: 'RGB ', connection: 'XYZ ' }, tags));
}

/** Inks that are not those of presses. */
function byTable(): Buffer {
  const looks = sampledValues(4).map(([c = 0, m = 0, y = 0, k = 0]): [number, number, number] => [
    255 * (1 - m) * (1 - k),
    255 * (1 - y) * (1 - k),
    255 * (1 - c) * (1 - k),
  ]);
  const tags: [string, Buffer][] = [
    ['desc', descriptionTag('odd inks')],
    ['cprt', textTag('none')],
    ['wtpt', xyzTag(WHITE)],
    ['A2B0', lookTable(looks, 4)],
  ];
  return newer(iccProfile({ deviceClass: 'scnr', colours: 'CMYK', connection: 'Lab ' }, tags));
}

const page = (profile: Buffer, components: number): Buffer => {
  const samples = Array.from({ length: 16 * 16 * components }, (_, at) => (at * 37) % 256);
  const hex = Buffer.from(samples).toString('hex');
  const squares = Array.from({ length: 8 }, (_, index) => {
    const values = Array.from({ length: components }, (_, bit) => 0.15 + 0.7 * ((index >> bit) & 1));
    return `${values.join(' ')} sc ${60 + index * 60} 600 60 60 re f`;
  });
  return onePage({
    page: '/Resources << /ColorSpace << /C [/ICCBased 5 0 R] >> /XObject << /I 6 0 R >> >>',
    content: `/C cs ${squares.join(' ')} q 300 0 0 300 60 200 cm /I Do Q`,
    more: [
      streamOf(`${profile.toString('hex')}>`, `/N ${components} /Filter /ASCIIHexDecode`),
      streamOf(
        `${hex}>`,
        '/Type /XObject /Subtype /Image /Width 16 /Height 16 /BitsPerComponent 8 /ColorSpace [/ICCBased 5 0 R] /Filter /ASCIIHexDecode',
      ),
    ],
  });
};

test('part 1 has profiles of version 2, and colours look as they did', { skip }, async (t) => {
  for (const [what, source] of [
    ['told by formulas', page(byFormula(), 3)],
    ['told by tables', page(byTable(), 4)],
  ] as const)
    await t.test(what, async () => {
      const bytes = await validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');
      assert.ok(differingColour(source, bytes) <= 3, `${differingColour(source, bytes)}`);
      const spaces = Object.values(qpdfObjects(bytes)).filter(
        ({ stream }) => (stream?.dict as Record<string, unknown> | undefined)?.['/N'] !== undefined,
      );
      assert.ok(spaces.length >= 2);
    });
});
