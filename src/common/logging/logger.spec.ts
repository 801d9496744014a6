import { Writable } from 'node:stream';
import { configureLogger } from './logger.js';

function logged(write: (logger: ReturnType<typeof configureLogger>) => void): Record<string, any> {
  let text = '';
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  write(configureLogger('info', destination));
  return JSON.parse(text);
}

describe('The log', () => {
  it('contains the message of an error and its causes, but not their properties', () => {
    const cause = Object.assign(new Error('insert failed'), {
      code: '57P01',
      query: 'INSERT INTO users',
      parameters: ['eve@example.com', '$argon2id$secret'],
      driverError: { detail: 'Key (email)=(eve@example.com) exists.' },
    });
    const { err } = logged((logger) => logger.error({ err: new Error('request failed', { cause }) }));
    expect(err).toMatchObject({ type: 'Error', message: 'request failed', cause: { code: '57P01' } });
    expect(err.cause.stack).toContain('insert failed');
    expect(JSON.stringify(err)).not.toMatch(/eve@example|argon2id/);
  });

  it('redacts secrets by their names', () => {
    expect(logged((logger) => logger.info({ token: 'abc', user: { password: 'def' } }))).toMatchObject({
      token: '[hidden]',
      user: { password: '[hidden]' },
    });
  });
});
