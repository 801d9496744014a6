import { authenticate } from './authentication.js';
import { Query, type S3Request } from './s3-request.js';

// The worked examples of AWS's own documentation ("Signature Calculations for the Authorization Header" and
// "Authenticating Requests: Using Query Parameters").
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW = Date.parse('2013-05-24T00:00:00Z');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const CREDENTIAL = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';

function example(signature: string, signedHeaders: string, request: Partial<S3Request>): S3Request {
  return {
    method: 'GET',
    path: '/',
    bucket: '',
    key: '',
    query: new Query([]),
    ...request,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': EMPTY,
      'x-amz-date': '20130524T000000Z',
      ...request.headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${signedHeaders},Signature=${signature}`,
    },
  };
}

const getObject = example(
  'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  'host;range;x-amz-content-sha256;x-amz-date',
  { path: '/test.txt', headers: { range: 'bytes=0-9' } },
);
const putObject = example(
  '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
  {
    method: 'PUT',
    path: '/test$file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
  },
);
const lifecycle = example(
  'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  'host;x-amz-content-sha256;x-amz-date',
  { query: new Query([['lifecycle', '']]) },
);
const listObjects = example(
  '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  'host;x-amz-content-sha256;x-amz-date',
  { query: new Query([['max-keys', '2'], ['prefix', 'J']]) }, // prettier-ignore
);
const presigned: S3Request = {
  ...getObject,
  query: new Query([
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', CREDENTIAL],
    ['X-Amz-Date', '20130524T000000Z'],
    ['X-Amz-Expires', '86400'],
    ['X-Amz-SignedHeaders', 'host'],
    ['X-Amz-Signature', 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'],
  ]),
  headers: { host: 'examplebucket.s3.amazonaws.com' },
};

describe('authenticate', () => {
  it.each([
    ['GET object', getObject],
    ['PUT object', putObject],
    ['GET lifecycle', lifecycle],
    ['list objects', listObjects],
  ])("accepts AWS's example of %s", (_, request) => {
    expect(authenticate(request, credentials, NOW).payload).toBe(request.headers['x-amz-content-sha256']);
  });

  it("accepts AWS's example of a presigned URL until it expires", () => {
    const day = 24 * 60 * 60 * 1000;
    expect(authenticate(presigned, credentials, NOW).payload).toBe('UNSIGNED-PAYLOAD');
    expect(authenticate(presigned, credentials, NOW + day - 1).payload).toBe('UNSIGNED-PAYLOAD');
    expect(() => authenticate(presigned, credentials, NOW + day)).toThrow('Request has expired');
  });

  it.each<[string, Partial<S3Request>]>([
    ['method', { method: 'DELETE' }],
    ['path', { path: '/test.txt2' }],
    ['query', { query: new Query([['versionId', '1']]) }],
    ['range', { headers: { ...getObject.headers, range: 'bytes=0-99' } }],
    ['host', { headers: { ...getObject.headers, host: 'other.s3.amazonaws.com' } }],
    ['payload', { headers: { ...getObject.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }],
  ])('rejects a changed %s', (_, change) => {
    expect(() => authenticate({ ...getObject, ...change }, credentials, NOW)).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    );
  });

  it('rejects a signature that does not cover the host', () => {
    const [, , , , , signature] = presigned.query.pairs;
    const query = new Query([
      ...presigned.query.pairs.slice(0, 4),
      ['X-Amz-SignedHeaders', 'date'],
      signature!,
    ]);
    expect(() => authenticate({ ...presigned, query }, credentials, NOW)).toThrow(
      expect.objectContaining({ code: 'AccessDenied' }),
    );
  });
});
