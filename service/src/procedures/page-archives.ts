// A page and what belongs to it, in a ZIP: html/pdf and markdown/pdf.
import type { InputFile } from '../contract/files.ts';
import { KINDS, kindOf } from '../contract/kinds.ts';
import { MIB } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';
import type { Archive } from '../engines/archive/archive.ts';
import type { ArchiveEntry } from '../engines/archive/entry.ts';
import type { LocalPage } from '../engines/browser/print.ts';

/** No page is larger. */
const DOCUMENT_BYTES = 50 * MIB;
const RESOURCE_BYTES = 200 * MIB;

export interface FoundPage {
  bytes: Uint8Array;
  /** Where it lies among its resources. */
  path: string;
  resource: NonNullable<LocalPage['resource']>;
}

/**
 * The document itself, or that of an archive: an `index` at the shallowest level, else the first by name. Folders that
 * systems add for themselves do not count.
 */
export async function findPage(
  archive: Archive,
  file: InputFile,
  kind: 'html' | 'markdown',
): Promise<FoundPage> {
  if (kindOf(file.name, file.head()) !== 'zip') {
    if (file.size > DOCUMENT_BYTES)
      throw new Problem('unsupported_file_type', `${file.name} is larger than the 50 MB a page may have.`);
    return { bytes: file.bytes(), path: plainName(file.name), resource: async () => undefined };
  }
  const opened = await archive.open(file);
  const main = mainEntry(opened.entries, KINDS[kind].extensions);
  if (!main) throw new Problem('unsupported_file_type', `${file.name} holds no ${KINDS[kind].label} file.`);
  return {
    bytes: await opened.read(main, DOCUMENT_BYTES),
    path: main.path,
    async resource(path) {
      const entry = opened.find(path);
      // What cannot be read is as good as not there: the rest of the page is.
      const bytes = entry && (await opened.read(entry, RESOURCE_BYTES).catch(() => undefined));
      return bytes && { bytes };
    },
  };
}

const depth = (path: string): number => path.split('/').length;

function mainEntry(
  entries: readonly ArchiveEntry[],
  extensions: readonly string[],
): ArchiveEntry | undefined {
  const pages = entries.filter(({ path }) => {
    const [, extension = ''] = /\.([^./]+)$/.exec(path.toLowerCase()) ?? [];
    return extensions.includes(extension) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(path);
  });
  const byDepth = pages.toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  const isIndex = ({ path }: ArchiveEntry) => /(?:^|\/)index\.[^./]+$/i.test(path);
  return byDepth.find(isIndex) ?? pages.toSorted((a, b) => (a.path < b.path ? -1 : 1))[0];
}

/** The name of a file as a part of an address. */
const plainName = (name: string): string => name.replaceAll(/[/\\]/g, '_');
