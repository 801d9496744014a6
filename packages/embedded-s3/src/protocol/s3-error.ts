import { element, xmlDocument } from './xml.js';

/** The S3 errors of this store: status and default message per code. */
const catalogue = {
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: This CORS request is not allowed.'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The query-string authentication parameters are malformed.'],
  BadDigest: [400, 'The checksum you specified did not match what was received.'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyOwnedByYou: [409, 'The bucket already exists and you own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed object size.'],
  IncompleteBody: [400, 'The number of bytes in the body does not match the declared length.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument.'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The checksum you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRange: [416, 'The requested range is not satisfiable.'],
  InvalidRequest: [400, 'Invalid request.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  InvalidURI: [400, 'Could not parse the specified URI.'],
  KeyTooLongError: [400, 'Your key is too long.'],
  MalformedTrailerError: [400, 'The request contained trailing data that was not well-formed.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our schema.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified upload does not exist. It may have been aborted or completed.'],
  NotImplemented: [501, 'A header or query you provided implies functionality that is not implemented.'],
  PreconditionFailed: [412, 'At least one of the preconditions you specified did not hold.'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [403, 'The request signature we calculated does not match the one you provided.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 you specified did not match what was received.'],
} as const satisfies Record<string, readonly [number, string]>;

export type S3ErrorCode = keyof typeof catalogue;

export interface S3ErrorExtras {
  /** Further elements of the error document, such as `HeadersNotSigned`. */
  details?: Record<string, string>;
  headers?: Record<string, string>;
}

export class S3Error extends Error {
  readonly status: number;

  constructor(
    readonly code: S3ErrorCode,
    message?: string,
    readonly extras: S3ErrorExtras = {},
  ) {
    const [status, defaultMessage] = catalogue[code];
    super(message ?? defaultMessage);
    this.status = status;
  }

  toXml(resource: string, requestId: string): string {
    return xmlDocument(
      'Error',
      element('Code', this.code),
      element('Message', this.message),
      ...Object.entries(this.extras.details ?? {}).map(([name, value]) => element(name, value)),
      element('Resource', resource),
      element('RequestId', requestId),
    );
  }
}
