// Images put on pages of their own, pixel for point, so that a renderer decodes them: codecs, colour spaces,
// decode arrays and masks are then as they are seen in the document.
import type { PdfDocument } from './document.ts';
import type { DrawnImage } from './drawn-images.ts';
import { Dict, name } from './objects.ts';

const IMPLIED = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'];

/** The document becomes one page for each of the images, and nothing else. */
export function becomeImages(doc: PdfDocument, images: readonly DrawnImage[]): void {
  const pages = images.map(({ ref, width, height, resources }) => {
    // A layer that is switched off would hide it.
    doc.edit(ref).delete('OC');
    const spaces = doc.dict(resources.get('ColorSpace'));
    const implied = Dict.of(Object.fromEntries(IMPLIED.map((key) => [key, spaces?.get(key)])));
    return doc.add(
      Dict.of({
        Type: name('Page'),
        MediaBox: [0, 0, width, height],
        Resources: Dict.of({ XObject: Dict.of({ I: ref }), ColorSpace: implied }),
        Contents: doc.addStream(new Dict(), Buffer.from(`${width} 0 0 ${height} 0 0 cm /I Do`)),
      }),
    );
  });
  const root = doc.add(new Dict());
  doc.replace(doc.catalogRef, Dict.of({ Type: name('Catalog'), Pages: root }));
  doc.linkPages(pages);
}

export interface LeanPixels {
  channels: 1 | 3 | 4;
  data: Uint8Array;
}

/** Pixels without the channels that say nothing; undefined where nothing at all is seen. Four bytes a pixel. */
export function leanPixels(rgba: Uint8Array): LeanPixels | undefined {
  let opaque = true;
  let grey = true;
  let seen = false;
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = rgba[at + 3];
    if (opacity !== 255) opaque = false;
    if (opacity !== 0) seen = true;
    if (grey && (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2])) grey = false;
    if (!grey && !opaque && seen) break;
  }
  if (!seen) return undefined;
  if (!opaque) return { channels: 4, data: rgba };
  const channels = grey ? 1 : 3;
  const data = new Uint8Array((rgba.length / 4) * channels);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += channels) {
    data[to] = rgba[from] ?? 0;
    if (grey) continue;
    data[to + 1] = rgba[from + 1] ?? 0;
    data[to + 2] = rgba[from + 2] ?? 0;
  }
  return { channels, data };
}
