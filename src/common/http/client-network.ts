import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * The network by which limits count. An IPv4 address counts as itself, also when mapped into IPv6. An IPv6 address counts as its /64,
 * because the holder of one address usually has all of them.
 */
export function networkOf(address: string): string {
  const bare = withoutPort(address).split('%')[0]!;
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Some proxies forward `203.0.113.7:1234` or `[2001:db8::1]:1234`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](:\d+)?$/, '$1');
}

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' });
  const [head, tail] = canonical.split('::').map(partsOf) as [number[], number[] | undefined];
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function partsOf(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap((part) => {
      if (!isIPv4(part)) return [parseInt(part, 16)];
      const [a, b, c, d] = part.split('.').map(Number) as [number, number, number, number];
      return [a * 256 + b, c * 256 + d];
    });
}
