import type { Config } from '../config/config.js';
import type { Target } from '../database/entities/target.entity.js';
import { SecretBox } from '../secrets/secret-box.js';
import { TargetConnections } from './target-connections.js';

const connectionsWith = (key: string) =>
  new TargetConnections(new SecretBox({ auth: { secretsKeys: [key] } } as unknown as Config));
const connections = connectionsWith('a key');
const OWNER = { id: 'one', clientId: 'demo' };
const target = (change: Partial<Target>) =>
  ({ ...OWNER, kind: 'http', settings: { url: 'https://a.example/' }, ...change }) as Target;

describe('The connection of a target', () => {
  it('has the stored settings and the decrypted secrets', () => {
    const credentials = connections.seal(OWNER, { bearerToken: 'secret' });
    expect(credentials).not.toContain('secret');
    expect(connections.open(target({ credentials }))).toEqual({
      url: 'https://a.example/',
      bearerToken: 'secret',
    });
  });

  it.each(['abcd efgh ijkl', '12345678', '"quoted"', '{"not":"ours"}', '{}', '{'])(
    'has a secret that version 0.1 encrypted: %s',
    (secret) => {
      const credentials = connections.encrypt(OWNER, secret);
      expect(connections.open(target({ credentials }))).toMatchObject({ bearerToken: secret });
      expect(connections.open(target({ kind: 'wordpress', credentials }))).toMatchObject({
        applicationPassword: secret,
      });
    },
  );

  it('keeps other secrets when one changes, unless they cannot be decrypted', () => {
    const credentials = connections.seal(OWNER, { bearerToken: 'secret', other: 'kept' });
    const open = (changed: string | null) => connections.open(target({ credentials: changed, settings: {} }));
    const changes = { bearerToken: 'new' };
    expect(open(connections.reseal(target({ credentials }), changes))).toEqual({ ...changes, other: 'kept' });
    const unreadable = target({ credentials: connectionsWith('another key').seal(OWNER, { other: 'lost' }) });
    expect(open(connections.reseal(unreadable, changes))).toEqual(changes);
  });

  it('has no credentials once the last secret is removed', () => {
    const credentials = connections.seal(OWNER, { bearerToken: 'secret' });
    expect(connections.reseal(target({ credentials }), { bearerToken: null })).toBeNull();
  });
});
