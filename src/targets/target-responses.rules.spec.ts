import { OutboundError } from '../outbound/outbound-error.js';
import { DeliveryError } from './delivery-error.js';
import { errorOfResponse, errorOfFailure, retryAfter, remoteAddress } from './target-responses.rules.js';

const response = (status: number, body: unknown = '', headers: Record<string, string> = {}) => ({
  status,
  headers,
  conceal: (text: string) => text,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('errorOfResponse', () => {
  it.each([
    [response(401), 'credentials_refused'],
    [response(401, '<html>', { 'www-authenticate': 'Basic realm="Staging"' }), 'target_behind_password'],
    [response(403), 'upload_not_permitted'],
    [response(412), 'checksum_mismatch'],
    [response(413, '<html>Too large'), 'file_too_large_for_target'],
    [response(415), 'type_refused_by_target'],
    [response(301, '', { location: 'https://other.example/x' }), 'target_moved'],
    [response(404, '<html>'), 'target_endpoint_missing'],
    [response(422), 'target_refused'],
    [response(429), 'target_busy'],
    [response(500, '<html>'), 'target_error'],
    [response(502, '<html>'), 'target_error'],
    [response(503, '<html>', { 'retry-after': '600' }), 'target_maintenance'],
  ])('of %j is %s', (given, code) => {
    expect(errorOfResponse(given, { step: 'upload' }).code).toBe(code);
  });

  it('is ambiguous only when the target may have stored the file', () => {
    const isAmbiguous = (given: ReturnType<typeof response>) =>
      errorOfResponse(given, { step: 'upload' }).ambiguous;
    expect([500, 502, 503, 504].map((status) => isAmbiguous(response(status)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([400, 401, 403, 412, 413].map((status) => isAmbiguous(response(status)))).toEqual(
      Array(5).fill(false),
    );
    expect(errorOfResponse(response(502), { step: 'look_up' }).ambiguous).toBe(false);
  });

  it('quotes rejections briefly and without HTML, and nothing of an internal error', () => {
    const refusal = { code: 'forbidden_word', message: `<b>Nein</b><script>x</script> ${'a'.repeat(500)}` };
    expect(errorOfResponse(response(400, refusal), { step: 'upload' }).message).toMatch(
      /Its message: “Nein a{190,}…”\./,
    );
    const trace = { code: 'internal_server_error', message: 'in /var/www/html/wp-config.php:12' };
    expect(errorOfResponse(response(500, trace), { step: 'upload' }).message).not.toMatch(/wp-config/);
  });

  it('obeys Retry-After', () => {
    expect(
      errorOfResponse(response(503, '', { 'retry-after': '600' }), { step: 'upload' }).retryAfterSeconds,
    ).toBe(600);
  });
});

describe('errorOfFailure', () => {
  it.each([
    ['dns_failed', 'target_unreachable'],
    ['connection_lost', 'target_unreachable'],
    ['timeout', 'target_timeout'],
    ['address_refused', 'target_address_not_allowed'],
    ['body_failed', 'storage_unavailable'],
    ['aborted', 'interrupted'],
  ] as const)('of %s is %s', (code, expected) => {
    const failure = errorOfFailure(new OutboundError(code, { ambiguous: true }), 'upload');
    expect([failure.code, failure.ambiguous]).toEqual([expected, true]);
    expect(errorOfFailure(new OutboundError(code, { ambiguous: true }), 'look_up').ambiguous).toBe(false);
  });

  it('leaves other errors alone', () => {
    const known = new DeliveryError('target_busy', 'upload');
    expect(errorOfFailure(known, 'look_up')).toBe(known);
    expect(() => errorOfFailure(new Error('a bug'), 'upload')).toThrow('a bug');
  });
});

describe('retryAfter', () => {
  it('parses both forms, up to an hour', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfter('600', now)).toBe(600);
    expect(retryAfter('Thu, 01 Jan 2026 00:02:00 GMT', now)).toBe(120);
    expect(retryAfter('Thu, 01 Jan 2025 00:00:00 GMT', now)).toBe(0);
    expect(retryAfter('99999999', now)).toBe(3600);
    expect([retryAfter(undefined, now), retryAfter('soon', now)]).toEqual([null, null]);
  });
});

describe('remoteAddress', () => {
  it('is a web address without our credentials', () => {
    const said = { conceal: (text: string) => text.replace('secret', '[hidden]') };
    expect(remoteAddress('/files/7', said, 'https://api.example/upload')).toBe('https://api.example/files/7');
    for (const wrong of ['', 'javascript:alert(1)', 'https://site.example/?token=secret'])
      expect(remoteAddress(wrong, said)).toBeNull();
  });
});
