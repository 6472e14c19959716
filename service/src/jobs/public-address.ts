// Which addresses belong to the public internet (IANA special-purpose registries). Anything else may be a machine
// of the operator, and is not to be reached through this service.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Inside the global range 2000::/3: tunnels that hide an IPv4 address, documentation, tests. */
const PRIVATE_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const closed = new BlockList();
for (const [net, bits] of PRIVATE_V4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of PRIVATE_V6) closed.addSubnet(net, bits, 'ipv6');
/** IPv4-mapped, loopback, link-local, unique local and NAT64 addresses all lie outside. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4');
  const plain = address.split('%')[0] ?? '';
  return isIPv6(plain) && plain === address && global.check(plain, 'ipv6') && !closed.check(plain, 'ipv6');
}
