import { errorOfResponse } from '../../target-responses.rules.js';
import { reportedBy } from './wordpress-responses.rules.js';

function uploadError(status: number, code: string, message = 'Sorry.') {
  const body = Buffer.from(JSON.stringify({ code, message, data: null }));
  const response = { status, headers: {}, conceal: (text: string) => text, body };
  return errorOfResponse(response, { step: 'upload', sizeBytes: 12_400_000 }, reportedBy(response));
}

describe('An error that WordPress reports', () => {
  it.each([
    [401, 'rest_cannot_create', 'credentials_refused', /may have been revoked/],
    [403, 'rest_cannot_create', 'upload_not_permitted', /role that can upload/],
    [400, 'rest_upload_no_content_disposition', 'file_too_large_for_target', /12\.4 MB\. .*post_max_size/],
    [400, 'rest_upload_no_data', 'file_too_large_for_target', /post_max_size/],
    [400, 'rest_upload_limited_space', 'file_too_large_for_target', /Its message: “Sorry”/],
    [412, 'rest_upload_hash_mismatch', 'checksum_mismatch', /Its message/],
    [422, 'rest_other', 'target_refused', /Its message/],
  ])('%i %s is %s', (status, reported, code, message) => {
    expect(uploadError(status, reported)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('may only be the limit of PHP', () => {
    const error = uploadError(500, 'rest_upload_unknown_error', 'exceeds the upload_max_filesize directive');
    expect(error).toMatchObject({ code: 'file_too_large_for_target', message: expect.stringMatching(/PHP/) });
    const other = uploadError(500, 'rest_upload_unknown_error', 'Nicht erlaubt');
    expect(other.code).toBe('upload_refused_by_target');
  });

  it('is ambiguous unless it means that nothing was stored', () => {
    expect(uploadError(500, 'rest_upload_unknown_error').ambiguous).toBe(false);
    expect(uploadError(500, 'internal_server_error').ambiguous).toBe(true);
  });
});
