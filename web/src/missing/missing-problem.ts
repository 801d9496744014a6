import { ApiProblem } from '../api/problem';

/** The problem of an address that names nothing, or something in the trash. */
export interface Missing {
  readonly isInTrash: boolean;
}

/** A malformed folder id is rejected before anything is looked up. */
export function missingFolder(error: unknown): Missing | null {
  return missing(error, 'folder_not_found', 'folderId');
}

export function missingAsset(error: unknown): Missing | null {
  return missing(error, 'asset_not_found', 'assetId');
}

function missing(error: unknown, code: ApiProblem['code'], field: string): Missing | null {
  if (!(error instanceof ApiProblem)) return null;
  if (error.code !== code && !error.errors.some(({ path }) => path === field)) return null;
  return { isInTrash: error.document['inTrash'] === true };
}
