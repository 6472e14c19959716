// The operation index, read from the tree: operations/convert/pdf/word.ts is 'convert/pdf/word'.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'service/src/operations';
const HEADER = '// Made by `npm run generate` from the files in this folder.\n';

/** Paths of all operations, sorted. Files directly in operations/ are the vocabulary, `_` files are parts of others. */
export async function operationPaths(root: string): Promise<string[]> {
  const entries = await readdir(join(root, FOLDER), { recursive: true });
  return entries
    .map((entry) => entry.replaceAll('\\', '/'))
    .filter((entry) => /^[^/]+\/.*\.ts$/.test(entry) && !/\.test\.ts$|(?:^|\/)_/.test(entry))
    .map((entry) => entry.slice(0, -'.ts'.length))
    .sort();
}

export async function operationIndex(root: string): Promise<string> {
  const paths = await operationPaths(root);
  const imports = paths.map((path) => `import ${identifier(path)} from './${path}.ts';\n`);
  const entries = paths.map((path) => `  '${path}': ${identifier(path)},\n`);
  return `${HEADER}import type { AnyOperation } from './define.ts';
${imports.join('')}
/** Every operation by its path. Importing this loads no engine. */
export const OPERATIONS: Readonly<Record<string, AnyOperation>> = {
${entries.join('')}};
`;
}

export async function operationLoaders(root: string): Promise<string> {
  const paths = await operationPaths(root);
  const entries = paths.map((path) => `  '${path}': () => import('./${path}.ts'),\n`);
  return `${HEADER}import type { AnyOperation } from './define.ts';

/** Every operation by its path, loaded when called: a worker loads only what it runs. */
export const LOADERS: Readonly<Record<string, () => Promise<{ default: AnyOperation }>>> = {
${entries.join('')}};
`;
}

/** general/rotate-pdf becomes general_rotatePdf: the slash stays visible, so that no two paths meet in one name. */
function identifier(path: string): string {
  return path.replaceAll('/', '_').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
