// OpenDocument packages as LibreOffice writes them, without what differs from one time to the next: dates of entries,
// the numbers of an editing session, where its window stood, and which of two fonts of one family goes by which name.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { type Content, InputFile } from '../../contract/files.ts';
import { sniff } from '../../contract/kinds.ts';
import { openArchive } from '../archive/archive.ts';

const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true } as const;

/** Documents that are no package tell nothing of when they were made. */
export async function settledPackage(
  job: { newFile(extension: string): string },
  content: Content,
): Promise<Content> {
  const file = new InputFile('made.zip', content);
  if (sniff(file.head()) !== 'zip') return content;
  const archive = await openArchive(file);
  try {
    const path = job.newFile('zip');
    const zip = new yazl.ZipFile();
    const written = pipeline(zip.outputStream, createWriteStream(path));
    for (const entry of archive.entries) {
      const bytes = await archive.read(entry);
      const settled = entry.path.endsWith('.xml') ? Buffer.from(settledXml(bytes.toString('utf8'))) : bytes;
      // The first entry tells the kind of document by where it stands in the file.
      zip.addBuffer(settled, entry.path, { ...ENTRY, compress: entry.path !== 'mimetype' });
    }
    zip.end();
    await written;
    return { path };
  } finally {
    archive.close();
  }
}

const settledXml = (xml: string): string =>
  fontsByContent(
    xml
      .replaceAll(/(<config:config-item config:name="Rsid(?:Root)?" config:type="int">)\d+(?=<)/g, '$11')
      .replaceAll(WINDOW, ''),
  );

/** Where the window of LibreOffice stood. */
const WINDOW =
  /<config:config-item config:name="(?:View|Visible)(?:Area)?(?:Top|Left|Right|Bottom|Width|Height)" [^>]*>[^<]*<\/config:config-item>/g;

const FACE = /<style:font-face style:name="([^"]*)"([^>]*)\/>/g;
const FACE_NAME = /(?<=<style:font-face style:name="|style:font-name(?:-asian|-complex)?=")[^"]*(?=")/g;

/** Fonts that differ in kind alone are numbered in no order: `Sans` and `Sans1`, or the other way round. */
function fontsByContent(xml: string): string {
  const faces = [...xml.matchAll(FACE)].map(([, name = '', rest = '']) => ({ name, rest }));
  const families = Map.groupBy(faces, ({ rest }) => /svg:font-family="([^"]*)"/.exec(rest)?.[1] ?? '');
  const renamed = new Map<string, string>();
  for (const alike of families.values()) {
    const names = alike.map(({ name }) => name).sort();
    const inOrder = [...alike].sort((a, b) => (a.rest < b.rest ? -1 : 1));
    for (const [index, { name }] of inOrder.entries()) renamed.set(name, names[index] ?? name);
  }
  const settled = xml.replaceAll(FACE_NAME, (name) => renamed.get(name) ?? name);
  const sorted = (settled.match(FACE) ?? []).sort();
  let next = 0;
  return settled.replaceAll(FACE, () => sorted[next++] ?? '');
}
