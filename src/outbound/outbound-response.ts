import type { Conceal } from './conceal.js';

export interface OutboundHead {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything in the response that is stored, shown or logged must pass this. */
  readonly conceal: Conceal;
}

export interface OutboundResponse extends OutboundHead {
  readonly body: Buffer;
}
