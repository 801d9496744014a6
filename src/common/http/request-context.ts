import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  readonly requestId: string;
}

/** Provides the request id to every log line and audit event without passing it through every call. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

export function currentRequestId(): string | null {
  return requestContext.getStore()?.requestId ?? null;
}
