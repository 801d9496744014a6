import type { Preflight } from './preflight.js';

/** What is wrong, and what to do about it. */
export interface Finding {
  readonly cause: string;
  readonly mend: string;
}

/** Rows of the specification's error table (section 7), in its words. */
export function settingsFinding(missing: readonly string[]): Finding {
  return {
    cause: `Upload session creation fails: storage settings are missing (${missing.join(', ')}), or the API server was not restarted after they were set.`,
    mend: `Set ${missing.join(', ')} and restart the API server.`,
  };
}

export function unreachableFinding(): Finding {
  return {
    cause: 'The object store cannot be reached.',
    mend: 'Check STORAGE_ENDPOINT (or STORAGE_ACCOUNT_ID, from which it follows) and the network between server and store.',
  };
}

export function publiclyUnreachableFinding(): Finding {
  return {
    cause:
      'The object store cannot be reached at its public address, the one that browsers get in uploadUrl.',
    mend: 'Check STORAGE_PUBLIC_ENDPOINT; an address that only browsers can reach cannot be examined from the server.',
  };
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
      'Browser PUT to uploadUrl returns 403 or 404: storage credentials or bucket name are wrong (there is no such bucket).',
    mend: 'Correct STORAGE_BUCKET_NAME and restart the API server.',
  },
  RequestTimeTooSkewed: {
    cause: "The server's clock differs too much from the store's.",
    mend: 'Set the clock of the server (NTP).',
  },
};

/** Of what comes after the write: the key and its secret are right, or that would not have succeeded. */
export function deniedFinding(action: string, code: string): Finding {
  return {
    cause: `The access key may not ${action} what it has written${code ? ` (${code})` : ''}.`,
    mend: `Allow the access key to ${action} objects of the bucket; it needs to read, write, copy and delete them.`,
  };
}

/** Of the write, as a browser does it. `skewMs`: by how much our clock and the store's differ, where its answer says so. */
export function refusalFinding(status: number, body: string, skewMs = 0): Finding {
  const named = /<Code>([A-Za-z]{1,80})<\/Code>/.exec(body)?.[1] ?? '';
  // Of a URL from the past or the future stores only say that access is denied.
  const code =
    named === 'AccessDenied' && Math.abs(skewMs) > TOLERATED_SKEW_MS ? 'RequestTimeTooSkewed' : named;
  const known = BY_CODE[code];
  if (known) return known;
  if (WRONG_REGION.includes(code)) {
    const region = /<Region>([a-z0-9-]{1,40})<\/Region>/.exec(body)?.[1] ?? 'the region of the bucket';
    return {
      cause: 'The region is wrong.',
      mend: `Set STORAGE_REGION to ${region} and restart the API server.`,
    };
  }
  if (status === 403 || status === 401) {
    return {
      cause: `Browser PUT to uploadUrl returns 403: storage credentials or bucket name are wrong${code ? ` (${code})` : ''}.`,
      mend: 'Correct STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and STORAGE_BUCKET_NAME, and restart the API server.',
    };
  }
  return {
    cause: `The object store answers ${status}${code ? ` (${code})` : ''}.`,
    mend: 'Ask whoever runs the store; its own log knows more.',
  };
}

export function corsFinding(answer: Preflight, origin: string): Finding | null {
  const allowsOrigin = answer.allowOrigin === '*' || answer.allowOrigin === origin;
  const allowsPut = answer.allowMethods.includes('PUT');
  const mend = `Run: npm run cli -- storage:cors --origin ${origin}`;
  if (!allowsOrigin || !allowsPut) {
    return {
      cause:
        "Browser PUT fails with a cross-origin error: the frontend origin is missing from the bucket's cross-origin policy.",
      mend,
    };
  }
  if (!answer.exposeHeaders.includes('etag')) {
    return { cause: 'The bucket does not expose ETag: uploads in parts cannot name their parts.', mend };
  }
  return null;
}
