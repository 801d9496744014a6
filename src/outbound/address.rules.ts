import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Global unicast. Outside of it, ipaddr.js treats some notations of IPv4 addresses as unicast, such as `::7f00:1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** In a public range, but served by the host of every Azure machine. */
const AZURE_INTERNAL = '168.63.129.16';

/** Ports below 1024 on which HTTP is served. All others belong to other protocols. */
const LOW_HTTP_PORTS = [80, 443];

/** Further ports of other protocols, blocked by the Fetch standard, because a request could be mistaken for theirs. */
const OTHER_PROTOCOL_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
];

/**
 * Whether the address belongs to the public internet. An allow list: loopback, private, link-local, metadata, unique-local, NAT64, 6to4,
 * Teredo, reserved and multicast addresses are all rejected, as is anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Converts IPv4-mapped IPv6 addresses to IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return parsed.toString() !== AZURE_INTERNAL;
  return parsed.match(GLOBAL_IPV6);
}

/** Normalizes an address, so that two can be compared. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toNormalizedString() : address;
}

/** The address in a URL's host, or null if the host is a name. URL has already resolved notations such as `127.1` and `0x7f.1`. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

/** Why a request to this URL is rejected before any lookup, or null. */
export function refusalOfUrl(url: URL, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Only http and https are allowed.';
  if (url.username !== '' || url.password !== '') return 'The URL must not contain credentials.';
  if (!isAllowedPort(url)) return `Port ${url.port} is not allowed.`;
  if (allowPrivate) return null;
  const literal = literalAddress(url.hostname);
  const isPublic = literal === null ? !isLocalName(url.hostname) : isPublicAddress(literal);
  return isPublic ? null : 'The host is not on the public internet.';
}

function isAllowedPort({ port }: URL): boolean {
  if (port === '') return true;
  const number = Number(port);
  return number < 1024 ? LOW_HTTP_PORTS.includes(number) : !OTHER_PROTOCOL_PORTS.includes(number);
}

/** RFC 6761: always this machine, although not every resolver knows it. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}
