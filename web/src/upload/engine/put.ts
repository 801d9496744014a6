/** If no byte is transferred for this long, the connection is considered lost. */
const STALL_MS = 45_000;

export interface PutResult {
  /** 0 if there was no response, or the browser hides it. */
  readonly status: number;
  readonly etag: string | null;
}

export interface PutOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

/** Sends bytes to a presigned URL. Uses XMLHttpRequest, because fetch reports no upload progress. */
export function put(
  url: string,
  body: Blob,
  { headers = {}, signal, onProgress }: PutOptions,
): Promise<PutResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const request = new XMLHttpRequest();
    let stallTimer: ReturnType<typeof setTimeout>;
    const restartTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), STALL_MS);
    };
    const stop = () => request.abort();
    const settle = () => {
      clearTimeout(stallTimer);
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ status: request.status, etag: etagOf(request) });
    };
    request.upload.addEventListener('progress', ({ loaded }) => {
      restartTimer();
      onProgress(loaded);
    });
    request.addEventListener('loadend', settle);
    signal.addEventListener('abort', stop, { once: true });
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    restartTimer();
    request.send(body);
  });
}

/** Null if the store does not let the page read it; finalize then lists the parts in the store. */
function etagOf(request: XMLHttpRequest): string | null {
  return request.status >= 200 && request.status < 300 ? request.getResponseHeader('ETag') : null;
}
