// web/dist: the page as the service sends it, with a list of its files. Every name but the list's changes with the
// content, so a service that runs on an older build goes on with it. Does nothing where nothing has changed.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type OutputFile } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const WEB = join(ROOT, 'web');
const DIST = join(WEB, 'dist');
const WASM = join(ROOT, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm');
/** Where the files of the page are served. */
const PREFIX = '/workbench/';
/** A service that was started before may still send what an older list named. */
const KEPT_MS = 24 * 3600 * 1000;

interface ListedFile {
  file: string;
  type: string;
  etag: string;
  size: number;
  gzip?: { file: string; size: number };
}

export interface Manifest {
  /** Of what it was made. */
  inputs: string;
  files: Record<string, ListedFile>;
  /** Paths that a browser loads before the page can be used. */
  firstLoad: { scripts: string[]; styles: string[] };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
};

/** Files, sizes and times: as good as their content, and quicker. */
function inputsOf(): string {
  const hash = createHash('sha256');
  const note = (path: string): void => {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${relative(ROOT, path)} ${mtimeMs} ${size}\n`);
  };
  for (const folder of ['web/src', 'sdk/src'])
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (!name.endsWith('.test.ts') && /\.\w+$/.test(name)) note(join(ROOT, folder, name));
  for (const path of ['package-lock.json', 'scripts/build-web.ts']) note(join(ROOT, path));
  return hash.digest('hex');
}

export function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The list of files; they are made anew where one of their sources has changed. */
export async function buildWeb(): Promise<Manifest> {
  const inputs = inputsOf();
  const present = readManifest();
  if (
    present?.inputs === inputs &&
    Object.values(present.files).every(({ file }) => existsSync(join(DIST, file)))
  )
    return present;
  mkdirSync(DIST, { recursive: true });
  const files: Manifest['files'] = {};
  const add = (path: string, name: string, content: Uint8Array): void => {
    files[path] = written(name, content);
  };
  const wasm = readFileSync(WASM);
  const wasmPath = `${PREFIX}pdfium-${hashOf(wasm).slice(0, 8)}.wasm`;
  add(wasmPath, nameOf(wasmPath), wasm);

  const worker = await bundle(['pdfium/worker.ts'], { WASM_PATH: wasmPath });
  for (const output of worker.outputFiles) add(pathOf(output), nameOf(pathOf(output)), output.contents);
  const workerPath = entryPath(worker.metafile, 'worker.ts');

  const pages = await bundle(['main.tsx', 'docs.tsx', 'style.css'], {
    WORKER_PATH: workerPath,
    SUMMARIES: await summaries(),
  });
  for (const output of pages.outputFiles) add(pathOf(output), nameOf(pathOf(output)), output.contents);
  const style = entryPath(pages.metafile, 'style.css');
  const icon = readFileSync(join(WEB, 'src/icon.svg'));
  const iconPath = `${PREFIX}icon-${hashOf(icon).slice(0, 8)}.svg`;
  add(iconPath, nameOf(iconPath), icon);
  add('/favicon.ico', 'favicon.ico', await windowsIcon(icon));

  const first = scriptsOf(pages.metafile, 'main.tsx');
  const template = readFileSync(join(WEB, 'src/index.html'), 'utf8');
  for (const [path, entry, title] of [
    ['/', 'main.tsx', 'Bindery'],
    ['/docs', 'docs.tsx', 'Bindery API'],
  ] as const) {
    const scripts = scriptsOf(pages.metafile, entry);
    const html = template
      .replaceAll('{{title}}', title)
      .replaceAll('{{icon}}', iconPath)
      .replaceAll('{{style}}', style)
      .replaceAll('{{script}}', scripts[0] ?? '')
      .replaceAll(
        '{{preloads}}',
        scripts
          .slice(1)
          .map((each) => `<link rel="modulepreload" href="${each}">`)
          .join(''),
      );
    const bytes = Buffer.from(html);
    add(path, `${entry.split('.')[0]}-${hashOf(bytes).slice(0, 8)}.html`, bytes);
  }
  const manifest: Manifest = { inputs, files, firstLoad: { scripts: first, styles: [style] } };
  const draft = join(DIST, `manifest.${process.pid}.json`);
  writeFileSync(draft, JSON.stringify(manifest));
  renameSync(draft, join(DIST, 'manifest.json'));
  removeOld(manifest);
  return manifest;
}

function bundle(entries: readonly string[], constants: Record<string, unknown>) {
  return build({
    entryPoints: entries.map((entry) => join(WEB, 'src', entry)),
    absWorkingDir: ROOT,
    outdir: DIST,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    // What the SDK does with files of its own machine is never called here.
    external: ['node:*'],
    define: Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Names of operations are shown at once; all else of the catalogue is loaded when it is wanted. */
async function summaries(): Promise<Record<string, string>> {
  const { CATALOGUE } = await import('../sdk/src/catalogue.ts');
  return Object.fromEntries(Object.entries(CATALOGUE).map(([path, { summary }]) => [path, summary]));
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const nameOf = (path: string): string => path.slice(PREFIX.length);
const pathOf = ({ path }: OutputFile): string => PREFIX + relative(DIST, path);

function written(name: string, content: Uint8Array): ListedFile {
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  writeFileSync(join(DIST, name), content);
  const listed = { file: name, type, etag: `"${hashOf(content).slice(0, 27)}"`, size: content.length };
  const packed = gzipSync(content, { level: 9 });
  if (packed.length > content.length * 0.95) return listed;
  writeFileSync(join(DIST, `${name}.gz`), packed);
  return { ...listed, gzip: { file: `${name}.gz`, size: packed.length } };
}

function outputOf(metafile: Metafile, entry: string): string {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith(`/${entry}`),
  );
  if (!found) throw new Error(`${entry} was not built`);
  return found[0];
}

const servedAt = (output: string): string => PREFIX + relative('web/dist', output);
const entryPath = (metafile: Metafile, entry: string): string => servedAt(outputOf(metafile, entry));

/** An entry and all that it imports before it can run; what is imported later is not among them. */
function scriptsOf(metafile: Metafile, entry: string): string[] {
  const found = new Set<string>();
  const follow = (output: string): void => {
    if (found.has(output)) return;
    found.add(output);
    for (const { path, kind } of metafile.outputs[output]?.imports ?? [])
      if (kind === 'import-statement' && path in metafile.outputs) follow(path);
  };
  follow(outputOf(metafile, entry));
  return [...found].map(servedAt);
}

/** An icon file may hold a PNG as it is: a list of one, then its bytes. */
async function windowsIcon(svg: Uint8Array): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const png = await sharp(svg, { density: 192 }).resize(48, 48).png().toBuffer();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([48, 48, 0, 0], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function removeOld({ files }: Manifest): void {
  const current = new Set(Object.values(files).flatMap(({ file, gzip }) => [file, gzip?.file]));
  for (const name of readdirSync(DIST)) {
    if (current.has(name) || name === 'manifest.json') continue;
    if (Date.now() - statSync(join(DIST, name)).mtimeMs > KEPT_MS) rmSync(join(DIST, name), { force: true });
  }
}

if (import.meta.main) await buildWeb();
