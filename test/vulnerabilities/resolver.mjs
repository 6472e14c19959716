// Loaded into the service by NODE_OPTIONS: names that end in .names.test are answered here, as an attacker's name server
// would answer; each question is a line of standard error.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const PUBLIC = '93.184.216.34';
const ANSWERS = {
  'loopback.names.test': ['127.0.0.1'],
  'loopback6.names.test': ['::1'],
  'mapped.names.test': ['::ffff:127.0.0.1'],
  'metadata.names.test': ['169.254.169.254'],
  'unspecified.names.test': ['0.0.0.0'],
  'scoped.names.test': ['fe80::1%lo'],
  'public-then-private.names.test': [PUBLIC, '127.0.0.1'],
  'private-then-public.names.test': ['10.0.0.1', PUBLIC],
  'public-and-private6.names.test': [PUBLIC, '::1'],
};
/** Another address each time they are asked for. */
const CHANGING = [
  { names: /^rebinding/, first: '127.0.0.1', later: '127.0.0.2' },
  { names: /^turning/, first: PUBLIC, later: '127.0.0.1' },
];
const asked = new Map();

const lookup = dns.lookup;
dns.lookup = async (name, options) => {
  if (!name.endsWith('.names.test')) return lookup(name, options);
  process.stderr.write(`{"message":"asked for ${name}"}\n`);
  const times = (asked.get(name) ?? 0) + 1;
  asked.set(name, times);
  const changing = CHANGING.find(({ names }) => names.test(name));
  const addresses = changing ? [times === 1 ? changing.first : changing.later] : (ANSWERS[name] ?? []);
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
syncBuiltinESMExports();
