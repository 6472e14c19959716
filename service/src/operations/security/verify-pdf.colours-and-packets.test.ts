import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { packetOf, type Sample, sample } from '../../../testing/documents/pdfa-documents.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';

/** The rules that fail, by the standard that is declared. */
async function failedRules(bytes: Uint8Array, standard: string): Promise<string[]> {
  const ran = await runHere('security/verify-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
  const items = madeJson(ran) as { standard: string; failures: { ruleId: string }[] }[];
  const item = items.find((each) => each.standard === standard);
  assert.ok(item, `declares ${standard}, not ${items.map((each) => each.standard).join()}`);
  return [...new Set(item.failures.map(({ ruleId }) => ruleId))];
}

const PACKET = packetOf('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>');
const HEADER = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>';
const ID = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';

const withPacket = (packet: Buffer): Buffer =>
  pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
      streamOf(''),
      streamOf(packet.toString('latin1'), '/Type /Metadata /Subtype /XML'),
    ],
    { trailer: ID },
  );

function utf32(text: string, littleEndian: boolean): Buffer {
  const codes = [...text].map((each) => each.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [index, code] of codes.entries())
    littleEndian ? bytes.writeUInt32LE(code, index * 4) : bytes.writeUInt32BE(code, index * 4);
  return bytes;
}

test('packets in UTF-16 and UTF-32 are read, and told to be no UTF-8', async () => {
  const utf16 = Buffer.from(PACKET, 'utf16le');
  for (const packet of [
    utf32(PACKET, true),
    utf32(PACKET, false),
    utf32(`\ufeff${PACKET}`, true),
    utf32(`\ufeff${PACKET}`, false),
    utf16,
    Buffer.from(utf16).swap16(),
  ])
    assert.deepEqual(await failedRules(withPacket(packet), '2b'), ['6.6.2.1-5']);
  assert.deepEqual(await failedRules(withPacket(Buffer.from(`\ufeff${PACKET}`)), '2b'), []);
});

test('attributes of a packet header are found wherever they stand; words beside the packet are no XML', async () => {
  const id = 'id="W5M0MpCehiHzreSzNTczkc9d"';
  for (const [packet, rule] of [
    [PACKET.replace(HEADER, `<?xpacket ${id} begin="" bytes="1"?>`), '6.6.2.1-2'],
    [PACKET.replace(HEADER, `<?xpacket bytes='1' begin='' ${id}?>`), '6.6.2.1-2'],
    [PACKET.replace(HEADER, `<?xpacket begin="" ${id} encoding="UTF-8"?>`), '6.6.2.1-3'],
    [`words${PACKET}`, '6.6.2.1-4'],
    [`${PACKET}words`, '6.6.2.1-4'],
    [`\n${PACKET}\n`, undefined],
  ] as const)
    assert.equal((await failedRules(withPacket(Buffer.from(packet)), '2b'))[0], rule, packet.slice(0, 60));
});

const CAL = '[/CalRGB << /WhitePoint [0.95 1 1.09] >>]';
const tint = (red: number): string => `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0] /C1 [${red} 0 0] >>`;
const spot = (red: number): string => `[/Separation /Spot ${CAL} ${tint(red)}]`;
const several = (red: number): string =>
  `[/DeviceN [/Spot] ${CAL} ${tint(1)} << /Subtype /DeviceN /Colorants << /Spot ${spot(red)} >> >>]`;

const painted = (a: string, b: string, more: string[] = []): Sample => ({
  page: `/Resources << /ColorSpace << /A ${a} /B ${b} >> >>`,
  content: '/A cs 1 scn 0 0 9 9 re f /B cs 1 scn 0 0 9 9 re f',
  more,
});

test('separations of one name agree, those of Colorants too', async () => {
  const tinted = (range: string): string =>
    streamOf('{dup dup}', `/FunctionType 4 /Domain [0 1] /Range [${range}]`);
  const streams = [tinted('0 1 0 1 0 1'), tinted('0 1 0 1 0 0.5')];
  for (const [options, rules] of [
    [painted(spot(1), spot(1)), []],
    [painted(spot(1), spot(0)), ['6.2.4.4-2']],
    [painted(spot(1), several(1)), []],
    [painted(spot(1), several(0)), ['6.2.4.4-2']],
    [painted(several(1), several(0)), ['6.2.4.4-2']],
    [painted(`[/Separation /Spot ${CAL} 6 0 R]`, `[/Separation /Spot ${CAL} 7 0 R]`, streams), ['6.2.4.4-2']],
  ] as const)
    assert.deepEqual(await failedRules(sample(options), '2b'), rules, options.page);
});

/** A profile by its header, which is all that rules look at. */
function profile(mark: number): string {
  const bytes = Buffer.alloc(132);
  bytes.writeUInt32BE(132, 0);
  bytes.writeUInt16BE(0x0220, 8);
  for (const [word, at] of [
    ['prtr', 12],
    ['CMYK', 16],
    ['Lab ', 20],
    ['acsp', 36],
  ] as const)
    bytes.write(word, at);
  bytes[100] = mark;
  return streamOf(bytes.toString('latin1'), '/N 4');
}

test('part 4: inks do not repeat the profile of the intent in force, or of the group they are drawn in', async () => {
  const intent = (ref: number): string =>
    `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (x) /DestOutputProfile ${ref} 0 R >>]`;
  const group = (ref: number): string => `/Group << /S /Transparency /CS [/ICCBased ${ref} 0 R] >>`;
  for (const [catalog, page, rules] of [
    [intent(6), '', ['6.2.4.2-3']],
    [intent(7), '', []],
    [intent(7), intent(6), ['6.2.4.2-3']],
    [intent(6), intent(7), []],
    ['', group(6), ['6.2.4.2-3']],
    ['', group(7), []],
  ] as const) {
    const bytes = sample({
      part: '4',
      conformance: '',
      xmp: '<pdfaid:rev>2020</pdfaid:rev>',
      catalog,
      page: `${page} /Resources << /ColorSpace << /A [/ICCBased 6 0 R] >> >>`,
      content: '/A cs 0 0 0 1 scn 0 0 9 9 re f',
      more: [profile(0), profile(1)],
    });
    assert.deepEqual(await failedRules(bytes, '4'), rules, `${catalog} ${page}`);
  }
});

test('a metadata stream says that it is one', async () => {
  for (const [was, is] of [
    ['/Type /Metadata', '/Type /Metadaty'],
    ['/Subtype /XML', '/Subtype /XMX'],
  ] as const) {
    const bytes = Buffer.from(sample().toString('latin1').replace(was, is), 'latin1');
    assert.deepEqual(await failedRules(bytes, '2b'), ['6.6.2.1-1'], is);
  }
});
