import type { Finding } from '../../common/diagnosis.dto.js';
import { CONTROL_EXPLAINED, type ControlState } from '../../storage/control.rules.js';
import type { BucketOwner } from '../../storage/installation.js';
import type { Preflight } from './preflight.js';

export function inconsistentFinding(): Finding {
  return {
    cause: 'The store does not return the data that was written.',
    fix: 'Use a store with strong read-after-write consistency.',
  };
}

export function incompleteFinding(): Finding {
  return {
    cause: 'The store cannot complete a multipart upload.',
    fix: 'Use a store that supports multipart uploads.',
  };
}

/** The error code in a response of the store. */
export function codeIn(body: string): string {
  return /<Code>([A-Za-z]{1,80})<\/Code>/.exec(body)?.[1] ?? '';
}

/** Rows of the specification's error table (section 7), in its wording. */
export function settingsFinding(missing: readonly string[]): Finding {
  return {
    cause: `Upload session creation fails: storage settings are missing (${missing.join(', ')}), or the API server was not restarted after they were set.`,
    fix: `Set ${missing.join(', ')} and restart the API server.`,
  };
}

export function unreachableFinding(): Finding {
  return {
    cause: 'The object store cannot be reached.',
    fix: 'Check STORAGE_ENDPOINT (or STORAGE_ACCOUNT_ID, from which it is derived) and the network between the server and the store.',
  };
}

export function publiclyUnreachableFinding(): Finding {
  return {
    cause: 'The object store cannot be reached at its public address, which browsers receive in uploadUrl.',
    fix: 'Check STORAGE_PUBLIC_ENDPOINT. An address that only browsers can reach cannot be checked from the server.',
  };
}

/** For the marker in the bucket; null if no action is needed. `inUse` is null if the key may not list the bucket. */
export function installationFinding(owner: BucketOwner, inUse: boolean | null): Finding | null {
  if (owner === 'another') {
    return {
      cause: 'The bucket belongs to another installation, so uploads are rejected.',
      fix: 'Set STORAGE_BUCKET_NAME to a separate bucket. If the other installation is gone for good, run: npm run cli -- storage:claim --take-over',
    };
  }
  if (owner === 'unverified' || (owner === 'nobody' && inUse === true)) {
    return {
      cause:
        owner === 'nobody'
          ? "The bucket contains client objects but is not marked with this installation's id, so unused objects are never removed."
          : 'The bucket was claimed without permission to list it, so unused objects are never removed.',
      fix: 'If no other installation uses the bucket, run: npm run cli -- storage:claim --take-over',
    };
  }
  return null;
}

/** Null if no action is needed. */
export function controlFinding(state: ControlState): Finding | null {
  return ['ok', 'waiting', 'read_only'].includes(state)
    ? null
    : CONTROL_EXPLAINED[state as keyof typeof CONTROL_EXPLAINED];
}

const TOLERATED_SKEW_MS = 60_000;

const WRONG_REGION = [
  'AuthorizationHeaderMalformed',
  'AuthorizationQueryParametersError',
  'InvalidRegionName',
  'PermanentRedirect',
];

const BY_CODE: Readonly<Record<string, Finding>> = {
  NoSuchBucket: {
    cause:
      'Browser PUT to uploadUrl returns 403 or 404: storage credentials or bucket name are wrong (the bucket does not exist).',
    fix: 'Correct STORAGE_BUCKET_NAME and restart the API server.',
  },
  RequestTimeTooSkewed: {
    cause: "The server's clock and the store's clock differ too much.",
    fix: 'Synchronize the clock of the server (NTP).',
  },
};

/** Steps that need their own permission: the action, the S3 permission, and the consequence without it. */
const PERMISSIONS: Readonly<
  Record<string, readonly [action: string, permission: string, consequence: string]>
> = {
  head: ['get the size of an object', 's3:GetObject', 'uploads cannot be finalized'],
  'multipart-create': ['start a multipart upload', 's3:PutObject', 'multipart uploads fail'],
  'multipart-part': ['upload a part', 's3:PutObject', 'multipart uploads fail'],
  'multipart-parts': [
    'list the parts of a multipart upload',
    's3:ListMultipartUploadParts',
    'multipart uploads cannot be finalized',
  ],
  'multipart-complete': [
    'complete a multipart upload',
    's3:PutObject',
    'multipart uploads cannot be finalized',
  ],
  'multipart-abort': [
    'abort a multipart upload',
    's3:AbortMultipartUpload',
    'the parts of cancelled uploads remain in the bucket',
  ],
  'multipart-list': [
    'list the multipart uploads of the bucket',
    's3:ListBucketMultipartUploads',
    'the parts of abandoned uploads remain in the bucket',
  ],
  'bulk-delete': ['delete several objects at once', 's3:DeleteObject', 'the trash cannot be purged'],
  list: [
    'list the bucket',
    's3:ListBucket',
    'uploads and purging work, but unused objects are never removed',
  ],
  bucket: [
    'get information about the bucket',
    's3:ListBucket',
    'uploads work, but the store is reported as unhealthy',
  ],
  installation: ["read the bucket's mark", 's3:GetObject', 'uploads are rejected'],
};

/** For steps after the write: the key and its secret are correct, or the write would have failed. */
export function deniedFinding(step: string, code: string): Finding {
  const known = PERMISSIONS[step];
  if (known) {
    const [may, permission, consequence] = known;
    return {
      cause: `The access key is not allowed to ${may}${code ? ` (${code})` : ''}: ${consequence}.`,
      fix: `Grant ${permission} to the access key.`,
    };
  }
  const action = step === 'range' ? 'read' : step;
  return {
    cause: `The access key is not allowed to ${action} the object it has written${code ? ` (${code})` : ''}.`,
    fix: `Allow the access key to ${action} objects in the bucket. It must be able to read, write, copy and delete them.`,
  };
}

/** For the write, as a browser does it. `skewMs`: the difference between our clock and the store's, if its response shows it. */
export function refusalFinding(status: number, body: string, skewMs = 0): Finding {
  const named = codeIn(body);
  // For a URL from the past or the future, stores only report that access is denied.
  const code =
    named === 'AccessDenied' && Math.abs(skewMs) > TOLERATED_SKEW_MS ? 'RequestTimeTooSkewed' : named;
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known) return known;
  if (WRONG_REGION.includes(code)) {
    const region = /<Region>([a-z0-9-]{1,40})<\/Region>/.exec(body)?.[1] ?? 'the region of the bucket';
    return {
      cause: 'The region is wrong.',
      fix: `Set STORAGE_REGION to ${region} and restart the API server.`,
    };
  }
  if (status === 403 || status === 401) {
    return {
      cause: `Browser PUT to uploadUrl returns 403: storage credentials or bucket name are wrong${code ? ` (${code})` : ''}.`,
      fix: 'Correct STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and STORAGE_BUCKET_NAME, and restart the API server.',
    };
  }
  return {
    cause: `The object store responds with status ${status}${code ? ` (${code})` : ''}.`,
    fix: "Contact the store's operator and check its logs.",
  };
}

export function corsFinding(response: Preflight, origin: string): Finding | null {
  const allowsOrigin = response.allowOrigin === '*' || response.allowOrigin === origin;
  const allowsPut = response.allowMethods.includes('PUT');
  const fix = `Run: npm run cli -- storage:cors --origin ${origin}`;
  if (!allowsOrigin || !allowsPut) {
    return {
      cause:
        "Browser PUT fails with a cross-origin error: the frontend origin is missing from the bucket's cross-origin policy.",
      fix,
    };
  }
  if (!response.exposeHeaders.includes('etag')) {
    return {
      cause: 'The bucket does not expose the ETag header, which browsers need for multipart uploads.',
      fix,
    };
  }
  return null;
}
