// `npm run drill [subject...]`: harm done to a real service under load, and whether callers came to harm.
import { drillKill } from './kill.ts';

/** Each tells in words what went wrong; nothing where all went well. */
const DRILLS: Readonly<Record<string, () => Promise<string[]>>> = { kill: drillKill };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in DRILLS));
if (unknown.length > 0) {
  console.error(`No drill ${unknown.join(', ')}; there are ${Object.keys(DRILLS).join(', ')}.`);
  process.exit(1);
}

let failures = 0;
for (const [name, drill] of Object.entries(DRILLS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`Drill ${name}`);
  for (const failure of await drill()) {
    failures += 1;
    console.log(`  FAILED: ${failure}`);
  }
}
console.log(failures === 0 ? '\nNobody came to harm.' : `\n${failures} failure(s).`);
process.exitCode = failures === 0 ? 0 : 1;
