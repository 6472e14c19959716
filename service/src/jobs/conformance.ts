// What results claim to conform to is made true before they are sent. Only what is sent is looked at: steps between may
// break and repair it again.
import type { Log } from '../contract/log.ts';
import { openEngines } from '../engines/load.ts';
import { claimsOfContent } from '../engines/qpdf/claimed-content.ts';
import { CLAIMS_HEADER } from '../operations/define.ts';
import type { JobDirectory } from './job-directory.ts';
import type { StepFile } from './step-files.ts';

export interface Settled {
  files: StepFile[];
  headers: Record<string, string>;
}

export async function settleConformance(
  files: StepFile[],
  directory: JobDirectory,
  log: Log,
): Promise<Settled> {
  if (!files.some(({ file }) => claimsOfContent(file.content))) return { files, headers: {} };
  const { settleClaims } = await import('../procedures/conformance-claims.ts');
  const newFile = (extension: string) => directory.newFile(extension);
  const session = await openEngines(['qpdf', 'verapdf'], { passwords: [], newFile, log });
  try {
    const settled: StepFile[] = [];
    const told = new Set<string>();
    for (const each of files) {
      const claimed = claimsOfContent(each.file.content);
      if (!claimed) {
        settled.push(each);
        continue;
      }
      const isSealed = claimed.isSealed || each.attested === true;
      const { content, words } = await settleClaims(session.engines, each.file, { ...claimed, isSealed });
      for (const word of words) told.add(word);
      settled.push(content === each.file.content ? each : { ...each, file: each.file.with(content) });
    }
    const words = [...told].sort().slice(0, MOST_WORDS);
    return { files: settled, headers: words.length > 0 ? { [CLAIMS_HEADER]: words.join(', ') } : {} };
  } finally {
    session.close();
  }
}

/** Of an archive with many kinds of claims. */
const MOST_WORDS = 20;
