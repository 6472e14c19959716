// Networks as an operator names them: addresses, 10.0.0.0/8, and words for those that are the same everywhere.
import { BlockList, isIP } from 'node:net';

const NETWORK_WORDS = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '169.254.0.0/16', 'fe80::/10']],
]);

/** An address, a network of at most as many bits as an address has, or a word for some. */
export function isNetworkName(name: string): boolean {
  if (NETWORK_WORDS.has(name)) return true;
  const [, address = '', bits] = /^([\da-f.:]{2,45})(?:\/(\d{1,3}))?$/.exec(name) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 6 ? 128 : 32);
}

/** Whether an address lies in one of these networks. */
export function networkCheck(names: readonly string[]): (address: string) => boolean {
  const networks = new BlockList();
  for (const network of names.flatMap((name) => NETWORK_WORDS.get(name) ?? [name])) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** An IPv4 address as such, though it came over a socket of both kinds; without a zone. */
export const plainAddress = (address: string): string =>
  address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
