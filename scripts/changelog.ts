// Versions, and the changelog of which each takes the part that nobody has released yet.

export type Step = 'major' | 'minor' | 'patch';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** The version after `current`: by a step, or one that is named and higher. */
export function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = numbersOf(current);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  const next = numbersOf(wanted);
  const [a, b] = [next, [major, minor, patch]].map(([x = 0, y = 0, z = 0]) => x * 1e12 + y * 1e6 + z);
  if ((a ?? 0) < (b ?? 0)) throw new Error(`${wanted} is not after ${current}`);
  return wanted;
}

function numbersOf(version: string): [number, number, number] {
  const found = VERSION.exec(version);
  if (!found) throw new Error(`"${version}" is neither major, minor or patch nor a version such as 1.2.3`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}

const HEAD = '## Unreleased\n';

/** What stands under Unreleased goes under the version; refused where there is nothing, or the version is there. */
export function releaseChangelog(
  changelog: string,
  version: string,
  date: string,
): { changelog: string; notes: string } {
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`);
  const at = changelog.indexOf(HEAD);
  if (at < 0) throw new Error('CHANGELOG.md has no "## Unreleased"');
  const rest = changelog.slice(at + HEAD.length);
  const end = rest.search(/^## /m);
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (notes === '')
    throw new Error('nothing stands under Unreleased in CHANGELOG.md: say what changed for callers');
  const older = end < 0 ? '' : `\n${rest.slice(end)}`;
  return {
    changelog: `${changelog.slice(0, at)}${HEAD}\n## ${version} (${date})\n\n${notes}\n${older}`,
    notes,
  };
}
