import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Global unicast. Outside of it ipaddr.js takes some spellings of IPv4 addresses for unicast, such as `::7f00:1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its range, but answered by the host of every Azure machine. */
const AZURE_INTERNAL = '168.63.129.16';

/** Ports below 1024 where HTTP is served. Everything else there belongs to another protocol. */
const LOW_HTTP_PORTS = [80, 443];

/** Further ports of other protocols, blocked by the Fetch standard: a request to them could be taken for theirs. */
const OTHER_PROTOCOL_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
];

/**
 * Whether the address belongs to the public internet. An allow list: loopback, private, link-local, metadata, unique-local, NAT64,
 * 6to4, Teredo, reserved and multicast addresses are all refused, as is anything that is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Turns IPv4-mapped IPv6 addresses into the IPv4 addresses they stand for.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return parsed.toString() !== AZURE_INTERNAL;
  return parsed.match(GLOBAL_IPV6);
}

/** One spelling for each address, so that two can be compared. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toNormalizedString() : address;
}

/** The address in a URL's host, or null when the host is a name. URL has resolved spellings such as `127.1` and `0x7f.1` already. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

/** Why a request to this URL is refused before anything is looked up, or null. */
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

/** RFC 6761: always this machine, although not every resolver says so. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}
