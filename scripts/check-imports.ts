// Checks service/src against import-rules.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { isUnbound, NARROWER, PARTS, REFUSED_NAMES, RESERVED } from './import-rules.ts';

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
  for (const { path, isFile } of paths) {
    if (!isFile || !path.endsWith('.ts') || isUnbound(path)) continue;
    found.push(
      ...fileViolations(path, readFileSync(join(src, path), 'utf8')).map((wrong) => `${path}: ${wrong}`),
    );
  }
  return found.sort();
}

const isRefused = (path: string): boolean => REFUSED_NAMES.includes(posix.basename(path, '.ts'));

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
  if (target.startsWith('..')) return `imports ${specifier}, which is outside of service/src`;
  const from = partOf(path);
  const to = partOf(target);
  const rules = PARTS[from];
  if (rules === undefined) return `${from} has no place in import-rules.ts: say there what it may import`;
  if (from !== to && !rules.values.includes(to)) {
    if (!rules.types?.includes(to)) return `imports ${target}; ${from} may not import ${to}`;
    if (!typeOnly) return `imports values of ${target}; of ${to}, ${from} may only \`import type\``;
  }
  const narrower = NARROWER.find((rule) => rule.files.test(path) && rule.not.test(target));
  return narrower && `imports ${target}; ${narrower.why}`;
}

/** A folder of service/src, or a file directly in it. */
const partOf = (path: string): string => path.split('/')[0] ?? path;

if (import.meta.main) {
  const found = violations(resolve(dirname(import.meta.dirname), 'service', 'src'));
  for (const line of found) console.log(`service/src/${line}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log('imports keep the rules');
}
