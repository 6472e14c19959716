// What of the machine and of the project a worker may read: programs, libraries, fonts, code. Nothing that an operator
// may have laid elsewhere.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SYSTEM = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/share',
  '/usr/local/share/fonts',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/etc/papersize',
  '/var/cache/fontconfig',
  '/etc/libreoffice',
  '/var/lib/libreoffice',
  '/etc/ImageMagick-6',
  '/etc/chromium',
  '/etc/chromium.d',
  '/etc/passwd',
  '/etc/nsswitch.conf',
  '/etc/mime.types',
  // Whom the machine trusts: signatures are held against it.
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];

/** What of the project a worker needs to read; not its history, not files an operator laid beside it. */
const CODE = ['../../../node_modules', '../../../service'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Programs of engines, which an operator may have put where packages do not go. */
const PROGRAMS = [
  'ebook-convert',
  'gs',
  'libreoffice',
  'pdftocairo',
  'pdftops',
  'pdftotext',
  'rsvg-convert',
  'soffice',
  'tesseract',
  'verapdf',
];
const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const CHROME = '/opt/google/chrome';
const LOCAL_LIBRARIES = '/usr/local/lib';
const TESSERACT_DATA = '/usr/local/share/tessdata';
/** A program brings the folder it was unpacked into. */
const UNPACKED = /^(?:\/opt|\/usr\/local)\/(?!bin\/|lib\/|share\/)[^/]+/;

export const readablePaths = (): string[] =>
  [...SYSTEM, ...CODE, ...local()].filter((path) => existsSync(path));

/** Of /usr/local and /opt, what engines use. */
function local(): string[] {
  const programs = PROGRAM_FOLDERS.flatMap((folder) => PROGRAMS.map((name) => join(folder, name)))
    .filter((path) => existsSync(path))
    .flatMap((path) => [path, realpathSync(path)]);
  const unpacked = programs.flatMap((path) => UNPACKED.exec(path)?.[0] ?? []);
  const own = programs.filter((path) => path.startsWith('/usr/local/bin/'));
  return [...new Set([CHROME, TESSERACT_DATA, ...own, ...unpacked, ...localLibraries()])];
}

/** The loader of programs would find libraries there. */
function localLibraries(): string[] {
  try {
    const hasLibraries = readdirSync(LOCAL_LIBRARIES).some((name) => /\.so(?:\.|$)/.test(name));
    return hasLibraries ? [LOCAL_LIBRARIES] : [];
  } catch {
    return [];
  }
}
