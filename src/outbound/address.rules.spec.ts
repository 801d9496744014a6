import { isPublicAddress, normalizeAddress, refusalOfUrl } from './address.rules.js';

describe('Public addresses', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'example.com',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  it('compare equal in any notation', () => {
    expect(normalizeAddress('::ffff:8.8.8.8')).toBe(normalizeAddress('8.8.8.8'));
    expect(normalizeAddress('2606:4700:0:0::1111')).toBe(normalizeAddress('2606:4700::1111'));
  });
});

describe('URLs', () => {
  const refusal = (url: string, allowPrivate = false) => refusalOfUrl(new URL(url), { allowPrivate });

  it.each([
    'https://example.com/',
    'http://example.com:8080/',
    'https://example.com:8443/a?b=c',
    'http://example.com:80/',
    'http://localhost.example.com/',
  ])('%s is allowed', (url) => expect(refusal(url)).toBeNull());

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'http://example.com:22/',
    'http://example.com:25/',
    'https://example.com:0/',
    'http://example.com:6667/',
    'http://example.com:10080/',
  ])('%s is rejected even when private addresses are allowed', (url) => {
    expect(refusal(url)).not.toBeNull();
    expect(refusal(url, true)).not.toBeNull();
  });

  it.each(['http://localhost:3000/', 'http://foo.localhost/', 'http://LOCALHOST./', 'http://[::1]/'])(
    '%s is rejected unless private addresses are allowed',
    (url) => {
      expect(refusal(url)).not.toBeNull();
      expect(refusal(url, true)).toBeNull();
    },
  );
});
