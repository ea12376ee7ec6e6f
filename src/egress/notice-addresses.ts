import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** `never` leads to no person's machine: link-local addresses (a cloud's metadata), multicast, reserved, translated. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'never';

const listOf = (...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
};

const LOOPBACK = listOf('127.0.0.0/8', '::1/128');
/** Metadata services that stand at private addresses. */
const METADATA = listOf('100.100.100.200/32', 'fd00:ec2::/32');
const PRIVATE = listOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7');
/** IANA's special-purpose registries, as far as they are not global. */
const SPECIAL = listOf(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);
/** What is global in IPv6 at all; of it, what is assigned to protocols, examples and tunnels to other addresses. */
const GLOBAL_V6 = listOf('2000::/3');
const SPECIAL_V6 = listOf('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** What an IP address leads to. IPv4 within IPv6 (`::ffff:10.0.0.1`) is what it stands for. */
export function kindOfAddress(address: string): AddressKind {
  const bare = address.split('%', 1)[0] ?? '';
  const family = isIPv6(bare) ? 'ipv6' : 'ipv4';
  const within = (list: BlockList): boolean => list.check(bare, family);
  if (isIP(bare) === 0) return 'never';
  if (within(LOOPBACK)) return 'loopback';
  if (within(METADATA)) return 'never';
  if (within(PRIVATE)) return 'private';
  if (within(SPECIAL)) return 'never';
  if (family === 'ipv4') return 'public';
  if (/^::ffff:/i.test(bare)) return 'public';
  return within(GLOBAL_V6) && !within(SPECIAL_V6) ? 'public' : 'never';
}

/** Whether a notice may go to such an address; plain HTTP never leaves the operator's own networks. */
export function mayReach(
  kind: AddressKind,
  { secure, allowPrivate }: { readonly secure: boolean; readonly allowPrivate: boolean },
): boolean {
  if (kind === 'never') return false;
  return kind === 'public' ? secure : allowPrivate;
}
