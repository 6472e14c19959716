// How well a document was read back, and small pages to read.
import yauzl from 'yauzl';
import { onePage as pageWith } from '../documents/written-pdf.ts';

export const wordsOf = (text: string): string[] => text.normalize('NFKC').split(/\s+/).filter(Boolean);

/** Of two sequences of words: twice the longest common one, by the length of both. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j += 1)
      next[j] = word === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    row = next;
  }
  return (2 * (row[b.length] ?? 0)) / (a.length + b.length);
}

/** A page with a font /F, Helvetica. */
export const writtenPage = (content: string): Buffer =>
  pageWith({
    content,
    page: '/Resources << /Font << /F 5 0 R >> >>',
    more: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  });

/** A chart of four bars with its labels and caption, between paragraphs. */
export function chartPage(): Buffer {
  const text = (x: number, y: number, words: string): string => `BT /F 10 Tf ${x} ${y} Td (${words}) Tj ET\n`;
  const prose = (top: number): string =>
    Array.from({ length: 6 }, (_, i) =>
      text(
        72,
        top - i * 13,
        'Growth went on in most regions of the country although its pace differed from year to year.',
      ),
    ).join('');
  const bars = [60, 110, 35, 140].map((height, i) => `${170 + i * 70} 430 45 ${height} re f\n`).join('');
  const names = ['Northland', 'Southland', 'Eastland', 'Westland'].map((name, i) =>
    text(170 + i * 70, 417, name),
  );
  const scale = ['0', '50', '100'].map((figure, i) => text(138, 428 + i * 60, figure));
  const caption = text(170, 390, 'Figure 1: Tonnes of apples by region.');
  return writtenPage(
    `${prose(720)}q 0.2 0.4 0.8 rg ${bars}Q 0.5 w 160 430 m 440 430 l S 160 430 m 160 580 l S\n` +
      `${names.join('')}${scale.join('')}${caption}${prose(350)}`,
  );
}

/** The files of a ZIP by name, in their order. */
export async function unzip(zip: Uint8Array): Promise<Record<string, Buffer>> {
  const opened = await yauzl.fromBufferPromise(Buffer.from(zip));
  const files: Record<string, Buffer> = {};
  for await (const entry of opened.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await opened.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files[entry.fileName] = Buffer.concat(chunks);
  }
  return files;
}
