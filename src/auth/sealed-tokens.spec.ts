import { newId } from '../common/ids.js';
import { SealedTokens } from './sealed-tokens.js';

const tokensOf = (...jwtSecrets: string[]) => new SealedTokens({ auth: { jwtSecrets } } as never);

describe('SealedTokens', () => {
  const [id, other] = [newId(), newId()];
  const tokens = tokensOf('first-secret');

  it('recognizes its own refresh tokens, each different', () => {
    const [one, two] = [tokens.newRefreshToken(id), tokens.newRefreshToken(id)];
    expect(one).not.toBe(two);
    expect([tokens.signInOf(one), tokens.signInOf(two)]).toEqual([id, id]);
  });

  it('still recognizes tokens after a rotation of the secret, until the old one is gone', () => {
    const token = tokens.newRefreshToken(id);
    expect(tokensOf('second-secret', 'first-secret').signInOf(token)).toBe(id);
    expect(tokensOf('second-secret').signInOf(token)).toBeNull();
  });

  it('binds a device to its user, and keeps its id', () => {
    const token = tokens.newDeviceToken(id);
    const device = tokens.deviceOf(token, id)!;
    expect(tokens.deviceOf(token, other)).toBeNull();
    expect(tokens.deviceOf(tokens.newDeviceToken(id, device), id)).toBe(device);
  });

  it('does not confuse the kinds of tokens, and rejects modified ones', () => {
    const [refresh, device] = [tokens.newRefreshToken(id), tokens.newDeviceToken(id)];
    expect(tokens.signInOf(device)).toBeNull();
    expect(tokens.deviceOf(refresh, id)).toBeNull();
    for (const changed of ['', 'A', `${refresh}A`, refresh.slice(1), refresh.slice(0, -4), `A${refresh}`])
      expect(tokens.signInOf(changed)).toBeNull();
  });
});
