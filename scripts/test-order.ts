// In which order and in how many processes the whole of the tests runs. Starting Node and loading every operation takes
// about a second of processor time: files that leave their process as they found it share one. The dearest begin first:
// one that began last would keep a single core busy while the others wait for it.
import { readFileSync } from 'node:fs';

/** What a file must not touch to be run beside others: what is the process's, or is measured of it. */
const OF_THE_PROCESS =
  /process\.(?:env|on|once|pid|kill|chdir|umask|exitCode|memoryUsage|cpuUsage|threadCpuUsage|resourceUsage)|processorMs|performance\.now|Date\.now|globalThis|\bmock\b|\/proc\/|\b(?:before|beforeEach|afterEach)\(|\b(?:spawn|fork|execFile|listen)\(|createServer|new Pool|Workspaces|startService|processes\.ts|NODE_/;

/** What workers run on many documents one after the other; not engines, whose tests break them on purpose. */
const MAY_SHARE = /^service\/src\/(?:contract|layout|mail|operations|pdf|procedures|writers)\//;

const FILES_OF_ONE_PROCESS = 12;

/** Those that take longest, the longest first, as the report at the end of a whole run told. */
export const DEAREST: readonly string[] = [
  'service/src/operations/laws.test.ts',
  'test/faults/workers.test.ts',
  'service/src/operations/laws-in-workers.test.ts',
  'test/web/tasks.test.ts',
  'service/src/operations/page-parts.test.ts',
  'service/src/jobs/parts.test.ts',
  'test/hostile-server/clients.test.ts',
  'service/src/operations/security/redaction.corpus.test.ts',
  'service/src/operations/convert/pdf/pdfa.corpus.test.ts',
  'service/src/operations/bounded-checks.test.ts',
  'cli/src/operations.test.ts',
  'service/src/operations/security/add-watermark.test.ts',
  'service/src/engines/qpdf/linearization/writer.test.ts',
  'test/sdk/large-upload.test.ts',
  'test/faults/fuzz.test.ts',
  'test/faults/supervisor.test.ts',
  'service/src/operations/security/hiding-places.test.ts',
  'service/src/jobs/pool.test.ts',
  'service/src/state/shared/shared-state.test.ts',
  'service/src/operations/general/page-operations.corpus.test.ts',
  'service/src/engines/office/remarks.test.ts',
  'test/faults/full-disk.test.ts',
  'service/src/operations/convert/file/comments.test.ts',
  'service/src/engines/browser/browser.test.ts',
  'service/src/operations/general/page-geometry.corpus.test.ts',
  'service/src/operations/convert/pdf/word.test.ts',
  'mcp/src/main.test.ts',
  'service/src/operations/convert/img/pdf.test.ts',
  'service/src/operations/convert/pdf/presentation.test.ts',
  'service/src/operations/convert/pdf/epub.test.ts',
  'service/src/operations/convert/pdf/pdfa.test.ts',
  'service/src/engines/qpdf/strict/parser.test.ts',
  'service/src/jobs/queued/queued.test.ts',
  'service/src/engines/office/office.test.ts',
  'cli/src/jobs.test.ts',
  'test/load/fetched-bytes.test.ts',
  'service/src/jobs/full-disk.test.ts',
  'test/mcp/mcp.test.ts',
  'scripts/new-operation.test.ts',
  'scripts/supervisor.test.ts',
  'service/src/operations/reproducible.test.ts',
];

export const mayShare = (path: string, source: string): boolean =>
  MAY_SHARE.test(path) && !DEAREST.includes(path) && !OF_THE_PROCESS.test(source);

/** The files of each process to start, in the order of starting. */
export function inProcesses(
  paths: readonly string[],
  sourceOf = (path: string): string => readFileSync(path, 'utf8'),
): string[][] {
  const there = new Set(paths);
  const dearest = DEAREST.filter((path) => there.has(path));
  const others = paths.filter((path) => !DEAREST.includes(path));
  const sharing = others.filter((path) => mayShare(path, sourceOf(path)));
  const shares = new Set(sharing);
  const groups: string[][] = [];
  // Dealt out like cards: neighbours are alike, and a folder of dear files is spread.
  const count = Math.ceil(sharing.length / FILES_OF_ONE_PROCESS);
  for (const [index, path] of sharing.entries()) {
    const group = groups[index % count] ?? [];
    groups[index % count] = group;
    group.push(path);
  }
  const alone = others.filter((path) => !shares.has(path)).map((path) => [path]);
  return [...dearest.map((path) => [path]), ...groups, ...alone];
}
