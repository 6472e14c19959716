// Which licences a package may have whose code runs in our process. Anything else is refused by name.

const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  // That of Python, which argparse was written after; permissive, with a list of changes asked for.
  'PSF-2.0',
]);

/** Packages under another licence, and why they may be used. */
export const EXCEPTIONS: readonly { name: RegExp; licences: readonly string[]; why: string }[] = [
  {
    name: /^@img\/sharp-(?:libvips-.+|wasm32|win32-.+)$/,
    licences: ['LGPL-3.0-or-later'],
    why: 'libvips is a dynamic library of its own, unchanged, that sharp loads and that may be replaced by another build',
  },
];

export interface Package {
  name: string;
  version: string;
  /** An SPDX expression, as the package declares it. */
  licence: string;
  /** For some machines only: it may not be installed here. */
  optional: boolean;
}

/** What is wrong with a package's licence; undefined where it may be used. */
export function licenceFault({
  name,
  version,
  licence,
}: Pick<Package, 'name' | 'version' | 'licence'>): string | undefined {
  const more = EXCEPTIONS.filter((exception) => exception.name.test(name)).flatMap(
    ({ licences }) => licences,
  );
  const isAllowed = (each: string): boolean => PERMISSIVE.has(each) || more.includes(each);
  if (licence === '') return `${name} ${version} declares no licence`;
  // SPDX: AND binds more closely than OR; brackets around the whole are all that packages write.
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(/ OR /i);
  if (choices.some((choice) => choice.split(/ AND /i).every((each) => isAllowed(each.trim()))))
    return undefined;
  return `${name} ${version} is under ${licence}, which is not among the licences we use in process`;
}

interface Lock {
  packages: Record<
    string,
    {
      version?: string;
      license?: string;
      dev?: boolean;
      devOptional?: boolean;
      optional?: boolean;
      link?: boolean;
    }
  >;
}

/** All that production installs, each version once, by name. Packages of this project are not among them. */
export function productionPackages(lock: Lock): Package[] {
  const found = new Map<string, Package>();
  for (const [path, { version = '', license = '', dev, devOptional, optional, link }] of Object.entries(
    lock.packages,
  )) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (!path.includes('node_modules/') || dev || devOptional || link) continue;
    found.set(`${name} ${version}`, { name, version, licence: license, optional: optional === true });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
