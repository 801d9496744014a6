import { UploadFailure } from './failure';
import { put, type PutResult } from './put';
import { Patience, type Retries } from './retry';
import type { OpenUpload } from './session-memory';
import type { OpenedSession } from './types';

const PARTS_AT_A_TIME = 3;
/** After this many requests without a readable response from a reachable store, its cross-origin policy is considered the cause. */
const UNREADABLE_RESPONSES = 3;

export interface Transfer extends Retries {
  readonly file: File;
  readonly session: OpenedSession;
  readonly upload: OpenUpload;
  renew: () => Promise<OpenedSession>;
  onProgress: (sentBytes: number) => void;
  /** Called after each part, so that it is never sent again. */
  onPart: () => void;
}

/** Sends the file to the object store: in one request, or in parts. */
export async function sendFile(transfer: Transfer): Promise<void> {
  const urls = new SessionUrls(transfer);
  if (urls.session.multipart) await sendParts(transfer, urls);
  else {
    const { file, onProgress } = transfer;
    const { headers } = urls.session;
    await sendBytes(transfer, urls, file, (session) => session.uploadUrl, { headers, onProgress });
  }
}

async function sendParts(transfer: Transfer, urls: SessionUrls): Promise<void> {
  const { file, upload, onProgress, onPart } = transfer;
  const { partSizeBytes, parts } = urls.session.multipart!;
  const bytesOf = (partNumber: number) =>
    file.slice((partNumber - 1) * partSizeBytes, Math.min(partNumber * partSizeBytes, file.size));
  const sent = new Map<number, number>();
  const report = () => onProgress([...sent.values()].reduce((sum, bytes) => sum + bytes, 0));
  const open: number[] = [];
  for (const { partNumber } of parts) {
    if (partNumber in upload.parts) sent.set(partNumber, bytesOf(partNumber).size);
    else open.push(partNumber);
  }
  report();
  const sendNext = async (): Promise<void> => {
    for (let partNumber = open.shift(); partNumber !== undefined; partNumber = open.shift()) {
      const number = partNumber;
      const urlOf = ({ multipart }: OpenedSession) =>
        multipart?.parts.find((part) => part.partNumber === number)?.uploadUrl ?? '';
      const { etag } = await sendBytes(transfer, urls, bytesOf(number), urlOf, {
        onProgress: (bytes) => {
          sent.set(number, bytes);
          report();
        },
      });
      upload.parts[number] = etag;
      onPart();
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_A_TIME }, sendNext));
}

/** The upload URLs of the session. If several parts find them expired, they are renewed once. */
class SessionUrls {
  session: OpenedSession;
  private renewing: Promise<void> | null = null;

  constructor(private readonly transfer: Transfer) {
    this.session = transfer.session;
  }

  async renew(outdated: OpenedSession): Promise<void> {
    if (this.session !== outdated) return;
    this.renewing ??= this.transfer
      .renew()
      .then((session) => void (this.session = session))
      .finally(() => (this.renewing = null));
    await this.renewing;
  }
}

async function sendBytes(
  transfer: Transfer,
  urls: SessionUrls,
  body: Blob,
  urlOf: (session: OpenedSession) => string,
  options: { headers?: Readonly<Record<string, string>>; onProgress: (sentBytes: number) => void },
): Promise<PutResult> {
  const patience = new Patience(transfer);
  let isRenewed = false;
  let unreadable = 0;
  for (;;) {
    const { session } = urls;
    const result = await put(urlOf(session), body, { ...options, signal: transfer.signal });
    if (result.status >= 200 && result.status < 300) return result;
    options.onProgress(0);
    if (result.status === 403 && !isRenewed) {
      isRenewed = true;
      await urls.renew(session);
    } else if (result.status === 0 && !(await isReadable(body))) {
      throw new UploadFailure('transfer', 'file_unreadable');
    } else if (
      result.status === 0 &&
      ++unreadable >= UNREADABLE_RESPONSES &&
      (await isReachable(urlOf(session)))
    ) {
      throw new UploadFailure('transfer', 'cross_origin', {
        origin: location.origin,
        requestId: session.requestId,
      });
    } else if (!(await patience.afterFailure(result.status))) {
      throw refusal(result.status, new URL(urlOf(session)).origin, session);
    }
  }
}

/** A file that was changed or moved on disk can no longer be sent; browsers report this as a network error. */
async function isReadable(body: Blob): Promise<boolean> {
  try {
    await body.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function refusal(status: number, origin: string, { requestId }: OpenedSession): UploadFailure {
  const reason = status === 0 ? 'store_unreachable' : status === 403 ? 'put_forbidden' : 'put_refused';
  return new UploadFailure('transfer', reason, { status, origin, requestId });
}

/** A request that does not read the response shows whether the store can be reached. */
async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(new URL(url).origin, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' });
    return true;
  } catch {
    return false;
  }
}
