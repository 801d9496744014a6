import { serviceHost } from '../services/service-host.js';

export interface RequestLists {
  /** The number of request classes. */
  readonly requests: number;
  readonly lists: readonly {
    readonly list: string;
    readonly limit: number | string | null;
    /** Inside an element of another list that is not a `@ListOf`. */
    readonly nested: boolean;
  }[];
}

/** Every list that a request to the built application can contain. */
export async function requestLists(): Promise<RequestLists> {
  return (await serviceHost.run('contract/list-request-lists.mjs')) as RequestLists;
}
