// Paths that the written documents name are there: a glossary that leads nowhere is worse than none.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Documents by hand; generated ones are true by how they are made, decisions speak of their day. */
const DOCUMENTS = ['docs/glossary.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'README.md'];
/** Where a path may begin. */
const BASES = ['', 'service/src', 'service'];
/** The operation that CONTRIBUTING makes up. */
const EXAMPLES: ReadonlySet<string> = new Set(['service/src/operations/general/trim.ts']);

/** Names in backticks with a folder; patterns, addresses and names of files alone are none. */
export const pathsIn = (markdown: string): string[] =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([\w@.-]+\/(?:[\w@.-]+\/)*[\w@.-]*)`/g)]
    .map(([, path = '']) => path)
    .filter(
      (path) =>
        /\.(?:ts|cjs|md)$/.test(path) ||
        /^(?:service|sdk|cli|mcp|docs|scripts|layout|writers|engines|pdf|jobs|contract)\/.*\/$/.test(path),
    );

/** What a document names and is not there, as `document: path`. */
export function missingPaths(root: string, documents: readonly string[] = DOCUMENTS): string[] {
  return documents.flatMap((document) => {
    const named = new Set(pathsIn(readFileSync(join(root, document), 'utf8')));
    return [...named]
      .filter((path) => !EXAMPLES.has(path) && !BASES.some((base) => existsSync(join(root, base, path))))
      .map((path) => `${document}: ${path} is not there`);
  });
}

if (import.meta.main) {
  const missing = missingPaths(resolve(import.meta.dirname, '..'));
  for (const line of missing) console.log(line);
  if (missing.length > 0) process.exitCode = 1;
}
