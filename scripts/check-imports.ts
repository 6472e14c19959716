// Checks service/src against import-rules.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { circlesAmong } from './import-circles.ts';
import {
  BEGINNINGS,
  isUnbound,
  NAMED_ALL_THE_SAME,
  NARROWER,
  PARTS,
  PDF_FLOORS,
  REFUSED_NAMES,
  RESERVED,
  TYPE_CIRCLES,
} from './import-rules.ts';

export interface Import {
  specifier: string;
  typeOnly: boolean;
}

/** Comments go, so that prose may speak of what code may not do. The text of strings stays. */
export function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** `import { type T }` is no type import: under verbatimModuleSyntax the module is still loaded. */
export function importsOf(source: string): Import[] {
  const code = withoutComments(source);
  const found: Import[] = [];
  const statements =
    /^\s*(?:import|export)\s+(type\s+(?!from\b))?(?:[\w*${}\s,]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm;
  for (const [, type, specifier = ''] of code.matchAll(statements))
    found.push({ specifier, typeOnly: type !== undefined });
  for (const [, type, specifier = ''] of code.matchAll(/(\btypeof\s+)?\bimport\(\s*['"`]([^'"`\n]+)['"`]/g)) {
    found.push({ specifier, typeOnly: type !== undefined });
  }
  return found;
}

/** Every violation under a service/src folder, as `file: what is wrong`. */
export function violations(src: string): string[] {
  const entries = readdirSync(src, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({
    path: posix.normalize(
      join(entry.parentPath, entry.name)
        .slice(src.length + 1)
        .replaceAll('\\', '/'),
    ),
    isFile: entry.isFile(),
  }));
  const found = paths
    .filter(({ path }) => isRefused(path))
    .map(({ path }) => `${path}: no folder or file is named so; say what it holds`);
  const imports = new Map<string, Import[]>();
  for (const { path, isFile } of paths) {
    if (!isFile || !path.endsWith('.ts') || isUnbound(path)) continue;
    const source = readFileSync(join(src, path), 'utf8');
    imports.set(path, importsOf(source));
    found.push(...fileViolations(path, source).map((wrong) => `${path}: ${wrong}`));
  }
  return [...found, ...circleViolations(imports)].sort();
}

/** Files that import one another in a circle cannot be understood, moved or loaded one at a time. */
function circleViolations(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const arrows = (isWanted: (wanted: Import) => boolean) =>
    new Map(
      [...imports].map(([path, all]) => [
        path,
        all.filter(isWanted).map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
      ]),
    );
  const byValue = circlesAmong(arrows(({ typeOnly }) => !typeOnly));
  const circles = circlesAmong(arrows(() => true)).filter(
    (circle) => !byValue.some(([one]) => circle.includes(one ?? '')),
  );
  const isInOneFolder = (circle: readonly string[]): boolean =>
    new Set(circle.map((path) => posix.dirname(path))).size === 1;
  const byType = circles.filter((circle) => !isInOneFolder(circle));
  const inside = circles.filter(isInOneFolder);
  return [
    ...byValue.map((circle) => `${circle[0]}: imports itself by way of ${circle.slice(1).join(', ')}`),
    ...byType.map((circle) => `${circle[0]}: a circle of types over several folders: ${circle.join(', ')}`),
    ...(inside.length > TYPE_CIRCLES ? inside : []).map(
      (circle) => `${circle[0]}: one of ${inside.length} circles of types: ${circle.join(', ')}`,
    ),
  ];
}

/** What nothing of the product names: it is for tests, or for nobody. */
export function unreached(src: string, beginnings: readonly string[] = BEGINNINGS): string[] {
  const reached = new Set<string>();
  const waiting = [...beginnings];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !existsSync(join(src, path))) continue;
    reached.add(path);
    // Programs and worker threads are named by a text as well.
    const code = withoutComments(readFileSync(join(src, path), 'utf8'));
    for (const [, named = ''] of code.matchAll(/['"`](\.{1,2}\/[^'"`\n]+\.ts)['"`]/g))
      waiting.push(posix.join(posix.dirname(path), named));
  }
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !isUnbound(path) && !reached.has(path))
    .sort()
    .map((path) => `${path}: nothing of the product uses it; what only tests use stands in service/testing`);
}

const isRefused = (path: string): boolean =>
  REFUSED_NAMES.includes(posix.basename(path, '.ts')) && !NAMED_ALL_THE_SAME.includes(path);

function fileViolations(path: string, source: string): string[] {
  const code = withoutComments(source);
  const reserved = RESERVED.filter((rule) => rule.what.test(code) && !rule.only.test(path)).map(
    (rule) => rule.why,
  );
  return [...reserved, ...importsOf(source).flatMap((wanted) => importViolation(path, wanted) ?? [])];
}

function importViolation(path: string, { specifier, typeOnly }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (target.startsWith('../testing/'))
    return `imports ${specifier}; product code never imports service/testing`;
  if (target.startsWith('..')) return `imports ${specifier}, which is outside of service/src`;
  const from = partOf(path);
  const to = partOf(target);
  const rules = PARTS[from];
  if (rules === undefined) return `${from} has no place in import-rules.ts: say there what it may import`;
  if (from !== to && !rules.values.includes(to)) {
    if (!rules.types?.includes(to)) return `imports ${target}; ${from} may not import ${to}`;
    if (!typeOnly) return `imports values of ${target}; of ${to}, ${from} may only \`import type\``;
  }
  if (floorOf(path) === undefined)
    return `${posix.dirname(path)} has no place in PDF_FLOORS of import-rules.ts`;
  const above = from === 'pdf' && (floorOf(target) ?? 0) > (floorOf(path) ?? 0);
  if (above) return `imports ${target}, which stands above it in PDF_FLOORS of import-rules.ts`;
  const narrower = NARROWER.find((rule) => rule.files.test(path) && rule.not.test(target));
  return narrower && `imports ${target}; ${narrower.why}`;
}

/** How far above the ground of pdf/ a file stands: its top is the ground, what is beside pdf/ is not asked. */
function floorOf(path: string): number | undefined {
  const [part, folder, file] = path.split('/');
  if (part !== 'pdf' || folder === undefined || file === undefined) return 0;
  const floor = PDF_FLOORS.indexOf(folder);
  return floor === -1 ? undefined : floor;
}

/** A folder of service/src, or a file directly in it. */
const partOf = (path: string): string => path.split('/')[0] ?? path;

if (import.meta.main) {
  const src = resolve(dirname(import.meta.dirname), 'service', 'src');
  const found = [...violations(src), ...unreached(src)];
  for (const line of found) console.log(`service/src/${line}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log('imports keep the rules');
}
