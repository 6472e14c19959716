// `npm run drill [subject...] [numbers...]`: harm done to a real service under load, and whether callers came to harm.
import { drill as drillFuzz } from './fuzz.ts';
import { drillKill } from './kill.ts';

/** Each tells in words what went wrong; nothing where all went well. */
const DRILLS: Readonly<Record<string, (args: readonly string[]) => Promise<string[]>>> = {
  kill: drillKill,
  fuzz: drillFuzz,
};
/** Goes on for as long as it is told: only when asked for by its name. */
const ALONE = ['fuzz'];

const given = process.argv.slice(2);
const wanted = given.filter((word) => !/^\d+$/.test(word));
const numbers = given.filter((word) => /^\d+$/.test(word));
const unknown = wanted.filter((name) => !(name in DRILLS));
if (unknown.length > 0) {
  console.error(`No drill ${unknown.join(', ')}; there are ${Object.keys(DRILLS).join(', ')}.`);
  process.exit(1);
}

let failures = 0;
for (const [name, drill] of Object.entries(DRILLS)) {
  if (wanted.length > 0 ? !wanted.includes(name) : ALONE.includes(name)) continue;
  console.log(`Drill ${name}`);
  for (const failure of await drill(numbers)) {
    failures += 1;
    console.log(`  FAILED: ${failure}`);
  }
}
console.log(failures === 0 ? '\nNobody came to harm.' : `\n${failures} failure(s).`);
process.exitCode = failures === 0 ? 0 : 1;
