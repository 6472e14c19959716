// Office documents and books as other programs read them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';

const EPUBCHECK = ['/usr/bin/epubcheck', '/usr/share/java/epubcheck.jar'];
/** Debian's libraries are seen by the system's own Python, others by the first on the path. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

const pythons = new Map<string, string | undefined>();
function pythonWith(module: string): string | undefined {
  if (!pythons.has(module))
    pythons.set(
      module,
      PYTHONS.find((python) => spawnSync(python, ['-c', `import ${module}`]).status === 0),
    );
  return pythons.get(module);
}

export const noOffice = (): string | false =>
  spawnSync('soffice', ['--version']).error !== undefined && 'not installed: soffice';

export const noEpubcheck = (): string | false =>
  (!EPUBCHECK.some((path) => existsSync(path)) || spawnSync('java', ['-version']).error !== undefined) &&
  'not installed: epubcheck';

/** Reason to skip tests that ask a library of Python, or false where it is there. */
export const noPython = (module: string): string | false =>
  pythonWith(module) === undefined && `not installed: python3-${module}`;

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-office-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The document as LibreOffice prints it. */
export function printed(bytes: Uint8Array, extension: string): Buffer {
  return inFolder((folder) => {
    const path = join(folder, `document.${extension}`);
    writeFileSync(path, bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, path];
    const { status, stderr } = spawnSync('soffice', args, { encoding: 'utf8', timeout: 120_000 });
    if (status !== 0) throw new Error(`soffice ended with ${status}: ${stderr.slice(0, 500)}`);
    return readFileSync(join(folder, 'document.pdf'));
  });
}

/** Several documents, printed by one start of LibreOffice; undefined for those it prints nothing of. */
export function printedAll(paths: readonly string[], keepIn?: string): (Buffer | undefined)[] {
  return inFolder((folder) => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, '--headless', '--convert-to', 'pdf', '--outdir', keepIn ?? folder, ...paths];
    spawnSync('soffice', args, { timeout: 120_000 * Math.max(1, paths.length) });
    return paths.map((path) => {
      const pdf = join(keepIn ?? folder, `${basename(path, extname(path))}.pdf`);
      return existsSync(pdf) ? readFileSync(pdf) : undefined;
    });
  });
}

/** What a script of Python that uses a library says of the document; `path` is its place. */
export function pythonSays(module: string, script: string, bytes: Uint8Array, extension: string): string {
  return inFolder((folder) => {
    const path = join(folder, `document.${extension}`);
    writeFileSync(path, bytes);
    const { status, stdout, stderr } = spawnSync(
      pythonWith(module) ?? 'python3',
      ['-c', `import sys, ${module}\npath = sys.argv[1]\n${script}`, path],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr.slice(-1000));
    return stdout.trim();
  });
}

/** Errors and warnings of epubcheck; empty where the book is sound. */
export function bookFaults(bytes: Uint8Array): string[] {
  return inFolder((folder) => {
    const path = join(folder, 'book.epub');
    writeFileSync(path, bytes);
    const jar = EPUBCHECK.find((each) => existsSync(each)) ?? '';
    // Code that runs once is not worth being compiled twice: half the processor time.
    const args = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar, path];
    const { stdout, stderr } = spawnSync('java', args, { encoding: 'utf8', timeout: 120_000 });
    const said = `${stdout}${stderr}`;
    if (/No errors or warnings detected/.test(said)) return [];
    const faults = said.split('\n').filter((line) => /^(?:ERROR|FATAL|WARNING)/.test(line));
    return faults.length > 0 ? faults : [said.slice(0, 500)];
  });
}
