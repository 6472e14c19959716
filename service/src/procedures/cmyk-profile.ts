// What PDFium shows for colours of printing presses, or of a profile, as an ICC profile.
import type { Pdfium } from '../engines/pdfium/pdfium.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import { Dict, name } from '../pdf/objects.ts';
import { cmykProfile, sampledColours } from '../pdf/pdfa-conversion/cmyk-profile.ts';
import {
  type Components,
  lookProfile,
  type Rgb,
  sampledValues,
} from '../pdf/pdfa-conversion/look-profile.ts';
import { pressProfile } from '../pdf/pdfx/output-profile.ts';

/** One square of this size for each colour; its middle is looked at. */
const SQUARE = 3;
const COLUMNS = 81;

let looks: Rgb[] | undefined;
let shown: Uint8Array | undefined;
let printed: Uint8Array | undefined;

/** For colours of a press in a document that is not printed. */
export function cmykProfileForScreen(engine: { qpdf: Qpdf; pdfium: Pdfium }): Uint8Array {
  looks ??= looksOf(engine);
  shown ??= cmykProfile(looks);
  return shown;
}

/** For the press itself: other colours can be made into its inks. */
export function cmykProfileForPress(engine: { qpdf: Qpdf; pdfium: Pdfium }): Uint8Array {
  looks ??= looksOf(engine);
  printed ??= pressProfile(looks);
  return printed;
}

/** A profile that shows what another one shows. */
export function shownProfile(
  engine: { qpdf: Qpdf; pdfium: Pdfium },
  profile: Uint8Array,
  components: Components,
): Uint8Array {
  const colours = looksOf(engine, sampledValues(components), profile);
  return lookProfile(colours, components, 'Colours as shown on screens');
}

/** The look of colours of a profile, or, where there is none, of a press. */
function looksOf(
  { qpdf, pdfium }: { qpdf: Qpdf; pdfium: Pdfium },
  colours: readonly (readonly number[])[] = sampledColours(),
  profile?: Uint8Array,
): Rgb[] {
  const rows = Math.ceil(colours.length / COLUMNS);
  const squares = colours.map((values, index) => {
    const [x, y] = [(index % COLUMNS) * SQUARE, Math.floor(index / COLUMNS) * SQUARE];
    return `${values.join(' ')} ${profile ? 'sc' : 'k'} ${x} ${y} ${SQUARE} ${SQUARE} re f`;
  });
  const sheet = qpdf.create();
  const entries = Dict.of({ N: colours[0]?.length ?? 0 });
  const space = profile && [name('ICCBased'), sheet.addStream(entries, profile)];
  const page = Dict.of({
    Type: name('Page'),
    MediaBox: [0, 0, COLUMNS * SQUARE, rows * SQUARE],
    Resources: space ? Dict.of({ ColorSpace: Dict.of({ Own: space }) }) : new Dict(),
    Contents: sheet.addStream(
      new Dict(),
      Buffer.from(`${space ? '/Own cs\n' : ''}${squares.join('\n')}`, 'latin1'),
    ),
  });
  sheet.setPages([sheet.add(page)]);
  using view = pdfium.open({ name: 'colours.pdf', content: sheet.save() });
  qpdf.close(sheet);
  const { width, height, rgba } = view.render(0, { dpi: 72, maxPixels: 1_000_000 });
  return colours.map((_, index) => {
    const x = (index % COLUMNS) * SQUARE + 1;
    const y = height - 2 - Math.floor(index / COLUMNS) * SQUARE;
    const at = (y * width + x) * 4;
    return [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
  });
}
