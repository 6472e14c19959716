// `npm run drill <name> [arguments]`: harm done to a real service, and whether callers came to harm. On loopback only,
// and bounded in time.

interface Drill {
  /** Tells in words what went wrong; nothing where all went well. */
  drill(args: readonly string[]): Promise<string[]>;
}

/** One file each. Those under `npm run drill all` take a minute or two. */
const DRILLS: Readonly<Record<string, { about: string; load(): Promise<Drill>; alone?: true }>> = {
  overload: {
    about: 'all cores busy: status, refusals and turns of keys',
    load: () => import('./overload.ts'),
  },
  kill: { about: 'API process, workers and engines killed under load', load: () => import('./kill.ts') },
  disk: { about: 'a small file system that is full', load: () => import('./disk.ts') },
  clock: { about: 'the clock jumps forward and back', load: () => import('./clock.ts') },
  slow: { about: 'slow headers, bodies and readers', load: () => import('./slow.ts') },
  disconnect: { about: 'callers gone in body, work and answer', load: () => import('./disconnect.ts') },
  proxy: {
    about: 'the proxies of deploy/ before two services, which are replaced under calls',
    load: () => import('./proxy.ts'),
    alone: true,
  },
  async: {
    about:
      'jobs through deaths of the service, and a recognition of [pages] followed through cut connections',
    load: () => import('./async.ts'),
    alone: true,
  },
  image: {
    about: 'the container images built from Debian packages and run, kept in a [folder] or removed',
    load: () => import('./image.ts'),
    alone: true,
  },
  many: {
    about:
      'nodes that share their work: killed, stopped, without Redis or S3; [seconds] of kills, [seconds] of each outage',
    load: () => import('./many.ts'),
    alone: true,
  },
  fuzz: {
    about: 'files changed at random to every operation, for [minutes] from a [seed]',
    load: () => import('./fuzz.ts'),
    alone: true,
  },
  soak: {
    about: 'mixed traffic for [minutes], memory measured',
    load: () => import('./soak.ts'),
    alone: true,
  },
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = Object.entries(DRILLS).filter(([each, { alone }]) =>
  name === 'all' ? !alone : each === name,
);
if (chosen.length === 0) {
  const width = Math.max(...Object.keys(DRILLS).map((each) => each.length));
  const lines = Object.entries(DRILLS).map(([each, { about }]) => `  ${each.padEnd(width)}  ${about}`);
  console.error(`npm run drill <name>, or all:\n${lines.join('\n')}`);
  process.exit(1);
}

let failures = 0;
for (const [each, { load }] of chosen) {
  console.log(`Drill ${each}`);
  const begun = performance.now();
  for (const failure of await (await load()).drill(args)) {
    failures += 1;
    console.log(`  FAILED: ${failure}`);
  }
  console.log(`  took ${Math.round((performance.now() - begun) / 1000)} s`);
}
console.log(failures === 0 ? '\nNobody came to harm.' : `\n${failures} failure(s).`);
process.exitCode = failures === 0 ? 0 : 1;
