// What a browser loads before the page can be used stays small: part of `npm run check`.
import { buildWeb, type Manifest } from './build-web.ts';

/** Bytes, compressed as they are sent. */
export const MOST_SCRIPT = 80_000;
export const MOST_STYLE = 15_000;

const sent = ({ files }: Manifest, paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (files[path]?.gzip?.size ?? files[path]?.size ?? 0), 0);

export function firstLoadSizes(manifest: Manifest): { script: number; style: number } {
  const { scripts, styles } = manifest.firstLoad;
  return { script: sent(manifest, scripts), style: sent(manifest, styles) };
}

if (import.meta.main) {
  const { script, style } = firstLoadSizes(await buildWeb());
  console.log(
    `${script} bytes of script (at most ${MOST_SCRIPT}), ${style} of style (at most ${MOST_STYLE})`,
  );
  if (script > MOST_SCRIPT || style > MOST_STYLE) process.exitCode = 1;
}
