import { Readable } from 'node:stream';
import { ChunkSignatures, decodeChunked } from './chunked-body.js';
import { deriveSigningKey } from './sigv4.js';

// The worked example of AWS's documentation ("Transferring Payload in Multiple Chunks"): 65 KiB of the letter a.
const authentication = {
  payload: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  timestamp: '20130524T000000Z',
  scope: '20130524/us-east-1/s3/aws4_request',
  signingKey: deriveSigningKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '20130524', 'us-east-1', 's3'),
  signature: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
};
const body =
  '10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n' +
  `${'a'.repeat(65536)}\r\n` +
  '400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n' +
  `${'a'.repeat(1024)}\r\n` +
  '0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n';

async function decode(text: string, pieceSize: number): Promise<string> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceSize) pieces.push(bytes.subarray(at, at + pieceSize));
  const decoded: Buffer[] = [];
  const source = Readable.from(pieces) as AsyncIterable<Buffer>;
  for await (const piece of decodeChunked(source, {}, new ChunkSignatures(authentication)))
    decoded.push(piece);
  return Buffer.concat(decoded).toString();
}

describe('decodeChunked', () => {
  it.each([100_000, 65_536, 1_000, 7, 1])(
    "accepts AWS's signed example arriving %i bytes at a time",
    async (size) => {
      expect(await decode(body, size)).toBe('a'.repeat(66_560));
    },
  );

  it.each([
    ['a changed byte', body.replace('aaa\r\n0;', 'aab\r\n0;')],
    ['chunks in another order', body.replace(/^(10000.*\r\na+\r\n)(400.*\r\na+\r\n)/, '$2$1')],
  ])('rejects %s', async (_, changed) => {
    expect(changed).not.toBe(body);
    await expect(decode(changed, 4096)).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
  });

  it('rejects a truncated body', async () => {
    for (const length of [3, 90, 50_000, body.length - 90, body.length - 1]) {
      await expect(decode(body.slice(0, length), 4096)).rejects.toMatchObject({ code: 'IncompleteBody' });
    }
  });
});
