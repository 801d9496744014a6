import type { OutboundResponse } from '../../../outbound/outbound-response.js';
import { readApiError } from '../../api-error.js';
import type { DeliveryErrorCode } from '../../delivery-error.js';
import type { Reported } from '../../target-responses.rules.js';

/** Rejections of an upload, by the `code` in the response. */
const REJECTIONS = new Map<string, DeliveryErrorCode>(
  Object.entries({
    // A form larger than `post_max_size` arrives without its fields and its file.
    rest_upload_no_content_disposition: 'file_too_large_for_target',
    rest_upload_no_data: 'file_too_large_for_target',
    rest_upload_file_too_big: 'file_too_large_for_target',
    rest_upload_limited_space: 'file_too_large_for_target',
    rest_upload_image_type_not_supported: 'type_refused_by_target',
    rest_upload_hash_mismatch: 'checksum_mismatch',
    rest_upload_unknown_error: 'upload_refused_by_target',
  } as const),
);

/** For responses whose own message would mislead. */
const HINTS = {
  revoked: 'The application password may have been revoked.',
  role: 'The user needs a role that can upload files, such as Author.',
  postMaxSize: 'The limit is post_max_size in the PHP configuration of the site.',
  uploadMaxFilesize: 'The limit is upload_max_filesize in the PHP configuration of the site.',
};
const PERMISSION_CODES = [
  'rest_cannot_create',
  'rest_forbidden',
  'rest_forbidden_context',
  'rest_not_logged_in',
];
const POST_MAX_SIZE_CODES = ['rest_upload_no_content_disposition', 'rest_upload_no_data'];

/** What WordPress says about an upload. Null if the response does not come from WordPress. */
export function reportedBy(response: Pick<OutboundResponse, 'body' | 'conceal'>): Reported | null {
  const error = readApiError(response);
  if (error === null) return null;
  const { code, message } = error;
  const isOverUploadLimit = message.includes('upload_max_filesize');
  const known = REJECTIONS.get(code);
  const rejection =
    known === 'upload_refused_by_target' && isOverUploadLimit ? 'file_too_large_for_target' : known;
  return {
    message,
    ...(rejection && { rejection }),
    hint: (result) => {
      if (result === 'file_too_large_for_target') {
        if (POST_MAX_SIZE_CODES.includes(code)) return HINTS.postMaxSize;
        return isOverUploadLimit ? HINTS.uploadMaxFilesize : undefined;
      }
      if (!PERMISSION_CODES.includes(code)) return undefined;
      if (result === 'credentials_refused') return HINTS.revoked;
      return result === 'upload_not_permitted' ? HINTS.role : undefined;
    },
  };
}
