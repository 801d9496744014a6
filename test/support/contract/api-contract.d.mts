export interface ResponseHead {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string | null | undefined;
}

/** Holds responses to an OpenAPI document. */
export class ApiContract {
  constructor(document: any);
  /** Throws what is wrong; returns a check for the JSON of the body, which throws likewise. */
  checkHead(head: ResponseHead): ((body: any) => void) | null;
}
