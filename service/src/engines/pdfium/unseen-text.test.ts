import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inMemory, onePagePdf, quiet, stream } from '../../../testing/documents/small-pdf.ts';
import { createPdfium } from './pdfium.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

const words = (x: number, text: string): string => `BT /F 10 Tf ${x} 50 Td (${text}) Tj ET `;

function read(content: string, more: Parameters<typeof onePagePdf>[1] = {}): string[] {
  using document = pdfium.open(inMemory('page.pdf', onePagePdf(content, more)));
  // Both ways of reading see the same.
  const [all, text] = (['all', 'text'] as const).map((what) => {
    const { codes, count } = document.readPage(0, what).glyphs;
    return String.fromCodePoint(...codes.subarray(0, count)).trim();
  });
  assert.equal(all, text);
  return all ? all.split(/\s+/) : [];
}

test('text under an opaque box painted later is not seen', () => {
  const box = '0 g 18 45 60 20 re f 1 g ';
  assert.deepEqual(read(`${words(20, 'secret ')}${box}${words(100, 'open')}`), ['open']);
  // Written on the box, it is.
  assert.deepEqual(read(`${box}${words(20, 'label')}`), ['label']);
  // A box that covers only a part, or lets through what is below, hides nothing.
  assert.deepEqual(read(`${words(20, 'secretsecretsecret')}${box}`), ['secretsecretsecret']);
  const glass = { resources: '/ExtGState << /G << /ca 0.5 >> /M << /BM /Multiply >> >>' };
  assert.deepEqual(read(`${words(20, 'seen')}/G gs ${box}`, glass), ['seen']);
  assert.deepEqual(read(`${words(20, 'seen')}/M gs 1 1 0 rg 18 45 60 20 re f`, glass), ['seen']);
  // Nor does one that is cut off by its own clip, or turned.
  assert.deepEqual(read(`${words(20, 'seen')}q 18 45 5 20 re W n ${box} Q`), ['seen']);
  assert.deepEqual(read(`${words(20, 'seen')}18 55 m 48 75 l 78 55 l 48 35 l f`), ['seen']);
});

test('text outside its clip is not seen', () => {
  assert.deepEqual(read(`q 0 0 50 30 re W n ${words(20, 'lost ')}Q ${words(100, 'open')}`), ['open']);
  assert.deepEqual(read(`q 10 40 90 30 re W n ${words(20, 'kept')}Q`), ['kept']);
});

test('text without paint counts over an image only', () => {
  assert.deepEqual(read(`3 Tr ${words(20, 'hidden ')} 0 Tr ${words(100, 'open')}`), ['open']);
  const image = {
    resources: '/XObject << /I 6 0 R >>',
    further: [
      stream(
        'x',
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      ),
    ],
  };
  const scan = 'q 200 0 0 100 0 0 cm /I Do Q ';
  assert.deepEqual(read(`${scan}3 Tr ${words(20, 'recognised')}`, image), ['recognised']);
  const stamp = 'q 20 0 0 20 170 5 cm /I Do Q ';
  assert.deepEqual(read(`${stamp}3 Tr ${words(20, 'hidden')}`, image), []);
});

test('text without paint is all there is where the image was taken away', () => {
  assert.deepEqual(read(`3 Tr ${words(20, 'recognised')}`), ['recognised']);
});

test('text on a layer that is off is not seen, in a form neither', () => {
  const layers = {
    catalog: '/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] /Order [6 0 R 7 0 R] >> >>',
    resources: '/Properties << /On 6 0 R /Off 7 0 R >> /XObject << /X 8 0 R >>',
    further: [
      '<< /Type /OCG /Name (on) >>',
      '<< /Type /OCG /Name (off) >>',
      stream(
        words(20, 'inform '),
        '/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Resources << /Font << /F 5 0 R >> >>',
      ),
    ],
  };
  const on = `/OC /On BDC ${words(20, 'on ')} EMC `;
  const off = `/OC /Off BDC ${words(80, 'off ')} EMC `;
  assert.deepEqual(read(`${on}${off}${words(140, 'open')}`, layers), ['on', 'open']);
  assert.deepEqual(read(`/OC /Off BDC /X Do EMC ${words(140, 'open')}`, layers), ['open']);
  assert.deepEqual(read('/OC /On BDC /X Do EMC', layers), ['inform']);
});

test('layers are off in every way there is', () => {
  const seen = (config: string, layer: string, group = '/Type /OCG /Name (a)') =>
    read(`/OC /L BDC ${words(20, 'layer ')} EMC ${words(140, 'open')}`, {
      catalog: `/OCProperties << /OCGs [6 0 R] /D << ${config} >> >>`,
      resources: '/Properties << /L 7 0 R >>',
      further: [`<< ${group} >>`, `<< ${layer} >>`],
    });
  const member = '/Type /OCMD /OCGs [6 0 R]';
  for (const layer of [member, `${member} /P /AnyOn`])
    assert.deepEqual(seen('', layer), ['layer', 'open'], layer);
  for (const [config, layer, group] of [
    ['/OFF [6 0 R]', member],
    ['/BaseState /OFF', member],
    ['', `${member} /P /AllOff`],
    ['', `${member} /P /AnyOff`],
    ['', '/Type /OCMD /VE [/Not 6 0 R]'],
    ['', member, '/Type /OCG /Name (a) /Usage << /View << /ViewState /OFF >> >>'],
  ] as const)
    assert.deepEqual(seen(config, layer, group), ['open'], `${config} ${layer} ${group ?? ''}`);
});
