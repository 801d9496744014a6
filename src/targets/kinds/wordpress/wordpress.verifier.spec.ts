import { OutboundClient, type OutboundOptions } from '../../../outbound/outbound-client.js';
import { verifyWordPress } from './wordpress.verifier.js';

const CONNECTION = {
  baseUrl: 'https://bakery.example',
  restRoot: null,
  username: 'u',
  applicationPassword: 'p',
};

/** Connects to nothing: every connection fails with this error. */
const verify = (lookup: OutboundOptions['lookup'], failure: Error = new Error('not dialled')) =>
  verifyWordPress(
    CONNECTION,
    {
      outbound: new OutboundClient({
        uploads: { minBytesPerSecond: 0, maxSeconds: 60 },
        allowPrivate: false,
        lookup,
        connector: () => (_options, callback) => callback(failure, null),
      }),
    },
    new AbortController().signal,
  );

const PUBLIC = () => Promise.resolve([{ address: '93.184.215.14', family: 4 }]);

describe('A site that cannot be reached', () => {
  it.each([
    ['has no address', () => Promise.reject(new Error('ENOTFOUND')), undefined, /could not be resolved/],
    ['refuses connections', PUBLIC, 'ECONNREFUSED', /does not accept connections/],
    ['does not respond', PUBLIC, 'UND_ERR_CONNECT_TIMEOUT', /did not respond in time/],
    ['has an expired certificate', PUBLIC, 'CERT_HAS_EXPIRED', /certificate has expired/],
    [
      'has the certificate of another host',
      PUBLIC,
      'ERR_TLS_CERT_ALTNAME_INVALID',
      /belongs to another host name/,
    ],
    ['does not speak TLS', PUBLIC, 'EPROTO', /does not speak TLS/],
  ])('fails the first step when it %s', async (_what, lookup, code, cause) => {
    const { ok, steps, refusal } = await verify(lookup, Object.assign(new Error('failed'), { code }));
    expect({ ok, refusal }).toEqual({ ok: false, refusal: null });
    expect(steps).toEqual([
      { step: 'address', ok: false, cause: expect.stringMatching(cause), fix: expect.stringMatching(/\w/) },
    ]);
  });

  it('is rejected as a whole when its address is not public', async () => {
    const { refusal, steps } = await verify(() => Promise.resolve([{ address: '10.0.0.1', family: 4 }]));
    expect(refusal).toMatch(/not on the public internet/);
    expect(steps).toHaveLength(1);
  });
});
