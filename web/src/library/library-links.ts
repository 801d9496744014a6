import { stringifySearch } from '../browser/search-params';
import type { Scope } from '../scope/scope';
import type { LibrarySearch } from './library-search';

/** A link that both sides can open: clients are redirected to their own pages. */
export function libraryLink({ clientId }: Pick<Scope, 'clientId'>, search: LibrarySearch): string {
  return `${location.origin}/clients/${encodeURIComponent(clientId)}/assets${stringifySearch({ ...search })}`;
}
