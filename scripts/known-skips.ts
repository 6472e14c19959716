// Why tests may be skipped. A test that is skipped for any other reason, or more tests than are known here, fail the
// run: a skip nobody counts is a test nobody runs. Who adds a test that needs the collection raises its number here.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export interface Skip {
  file: string;
  name: string;
  /** Empty where none is given. */
  reason: string;
}

export interface KnownSkip {
  reason: RegExp;
  /** As many tests, where all are run. */
  most: number;
  /** What shows that the reason does not hold here; undefined where it holds. */
  refuted?(reason: string): string | undefined;
}

const COLLECTION = resolve(import.meta.dirname, '../../shared/corpus');

/** What tests ask that the system may not have: programs, libraries and fonts by their packages. */
const MAY_BE_MISSING =
  /^(?:Chromium|LibreOffice|bash|curl|ebook-convert|epubcheck|fc-query|file|fonts-[\w-]+|groff|gs|helm|memcached|mutool|openapi-generator-cli|openapi-python-client|openapi-typescript|openssl|pdf(?:detach|fonts|images|info|sig|tocairo|toppm|tops|totext)|python3(?:-\w+)?|qpdf|redis-server|redocly|rsvg-convert|script|setpriv|soffice|spectral|systemd-analyze|tesseract(?:-ocr-deu)?|unzip)$/;

export const KNOWN_SKIPS: readonly KnownSkip[] = [
  {
    reason: /^no collection beside the clone$/,
    most: 75,
    refuted: () => (existsSync(COLLECTION) ? 'the collection is there' : undefined),
  },
  { reason: /^not installed: /, most: Number.POSITIVE_INFINITY, refuted: refuteMissing },
  // As engines say it, with the packages to install.
  { reason: /apt-get install|^No fonts are installed/, most: Number.POSITIVE_INFINITY },
  // Of this machine and its user.
  { reason: /^(?:bwrap|bwrap-landlock|landlock) does not work here/, most: 60 },
  { reason: /^the isolation is /, most: 1 },
  { reason: /^only root can /, most: 5 },
  { reason: /^root may$/, most: 1 },
  { reason: /^nobody cannot run this Node$/, most: 1 },
  { reason: /^a small file system cannot be mounted by this user$/, most: 20 },
  { reason: /^no network of our own can be made here$/, most: 1 },
  { reason: /^installed: ebook-convert$/, most: 1 },
  { reason: /^the npm registry cannot be reached$/, most: 4 },
  { reason: /^not Linux$/, most: 1 },
  { reason: /^sparse files are not sparse in a bucket$/, most: 1 },
];

function refuteMissing(reason: string): string | undefined {
  const names = reason.replace('not installed: ', '').split(', ');
  const unknown = names.find((name) => !MAY_BE_MISSING.test(name));
  if (unknown !== undefined) return `"${unknown}" is not among what may be missing`;
  const there = names.find(isOnPath);
  return there === undefined ? undefined : `${there} is installed`;
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What is wrong with these skips, as lines; none where all are known. */
export function unexpectedSkips(skips: readonly Skip[], known: readonly KnownSkip[] = KNOWN_SKIPS): string[] {
  const counts = new Map<KnownSkip, number>();
  const wrong: string[] = [];
  for (const { file, name, reason } of skips) {
    const entry = known.find((each) => each.reason.test(reason));
    const refuted =
      entry === undefined
        ? reason === ''
          ? 'no reason is given'
          : 'not a known reason'
        : entry.refuted?.(reason);
    if (refuted !== undefined) wrong.push(`${file} "${name}": ${reason || 'skipped'} (${refuted})`);
    if (entry) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  for (const [{ reason, most }, count] of counts)
    if (count > most) wrong.push(`${count} tests are skipped by ${reason.source}; ${most} are known`);
  return wrong;
}
