import type { Config } from '../config/config.js';
import { SecretBox, SecretUnreadableError } from './secret-box.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const boxOf = (...secretsKeys: string[]) => new SecretBox({ auth: { secretsKeys } } as unknown as Config);

describe('Encrypted secrets', () => {
  const box = boxOf(OLD);
  const encrypted = box.encrypt('pass wörd', 'target/a/1');
  const parts = encrypted.split('.');
  const replacePart = (index: number, value: string) => parts.with(index, value).join('.');
  const flip = (index: number) => {
    const bytes = Buffer.from(parts[index]!, 'base64url');
    bytes[0]! ^= 1;
    return replacePart(index, bytes.toString('base64url'));
  };

  it('can be decrypted, look different every time, and name their key', () => {
    expect(box.decrypt(encrypted, 'target/a/1')).toBe('pass wörd');
    expect(box.decrypt(box.encrypt('', 'x'), 'x')).toBe('');
    expect(encrypted).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
    expect(box.encrypt('pass wörd', 'target/a/1')).not.toBe(encrypted);
    expect(encrypted.startsWith(box.currentPrefix)).toBe(true);
  });

  it.each([
    ['moved to another record', encrypted, 'target/a/2'],
    ['moved to another client', encrypted, 'target/b/1'],
    ['with another IV', flip(2), 'target/a/1'],
    ['with a changed bit', flip(3), 'target/a/1'],
    ['with another tag', flip(4), 'target/a/1'],
    ['with a shortened tag', replacePart(4, parts[4]!.slice(0, 16)), 'target/a/1'],
    ['without a tag', parts.slice(0, 4).join('.'), 'target/a/1'],
    ['with another key id', replacePart(1, '00000000'), 'target/a/1'],
    ['of another version', replacePart(0, 'v2'), 'target/a/1'],
    ['that are not encrypted secrets', 'nonsense', 'target/a/1'],
    ['that are empty', '', 'target/a/1'],
  ])('are rejected %s', (_what, text, context) => {
    expect(() => box.decrypt(text, context)).toThrow(SecretUnreadableError);
  });

  it('stay readable while their key is in the list, at any position', () => {
    const rotated = boxOf(NEW, OLD);
    expect(rotated.decrypt(encrypted, 'target/a/1')).toBe('pass wörd');
    expect(encrypted.startsWith(rotated.currentPrefix)).toBe(false);
    const anew = rotated.encrypt('pass wörd', 'target/a/1');
    expect(anew.startsWith(rotated.currentPrefix)).toBe(true);
    expect(boxOf(NEW).decrypt(anew, 'target/a/1')).toBe('pass wörd');
    expect(() => boxOf(NEW).decrypt(encrypted, 'target/a/1')).toThrow(SecretUnreadableError);
  });
});
