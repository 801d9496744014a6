import type { HttpConfig } from '../../config/config.js';
import { ownHosts } from './own-hosts.js';

const accepts = (settings: Partial<HttpConfig>, header: string | undefined) =>
  ownHosts({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:3000', ...settings } as HttpConfig)(header);

describe('ownHosts', () => {
  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:8080', 'LOCALHOST', '[::1]', '[::1]:3000'])(
    'accepts %s',
    (header) => expect(accepts({}, header)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'localhost:3000:80',
    'localhost:',
    '127.0.0.2',
    '192.168.1.5:3000',
    '[::2]:3000',
    ' localhost',
  ])('rejects %j', (header) => expect(accepts({}, header)).toBe(false));

  it('accepts the names in HOST and PUBLIC_URL', () => {
    const settings = { host: 'Box.local', publicUrl: 'https://Assets.example:8443' };
    expect(accepts(settings, 'box.local:3000')).toBe(true);
    expect(accepts(settings, 'assets.example')).toBe(true);
    expect(accepts(settings, 'other.example')).toBe(false);
    expect(accepts({ host: '::1', publicUrl: 'http://[fd00::5]:3000' }, '[FD00::5]:3000')).toBe(true);
  });

  it('accepts any address, but no other name, when bound to all interfaces', () => {
    for (const host of ['0.0.0.0', '::']) {
      expect(accepts({ host }, '192.168.1.5:3000')).toBe(true);
      expect(accepts({ host }, '[fe80::1]:3000')).toBe(true);
      expect(accepts({ host }, 'evil.example:3000')).toBe(false);
    }
  });
});
