/**
 * What is live: neither in the trash by itself nor in a folder that is. Trashing a folder marks folders only, so the
 * `batch_id` of an asset does not depend on its folder. Each function returns an SQL condition and takes the table or
 * its alias.
 */

/** A folder that is not in the trash. */
export const liveFolder = (folders = 'folders'): string => `${folders}.batch_id IS NULL`;

/** An asset that has not been trashed by itself: enough within folders that are known to be live. */
export const liveInItsFolder = (assets = 'assets'): string => `${assets}.batch_id IS NULL`;

/** A live asset, wherever it is. */
export const liveAsset = (assets = 'assets'): string =>
  `${liveInItsFolder(assets)} AND NOT EXISTS (SELECT 1 FROM folders trashed
     WHERE trashed.client_id = ${assets}.client_id AND trashed.id = ${assets}.folder_id AND trashed.batch_id IS NOT NULL)`;

/** An asset that can be restored, either by itself or with its folder. */
export const restorableAsset = (assets = 'assets'): string =>
  `EXISTS (SELECT 1 FROM trash_batches batches
     WHERE batches.client_id = ${assets}.client_id AND batches.purging_since IS NULL
       AND batches.id = coalesce(${assets}.batch_id, (SELECT trashed.batch_id FROM folders trashed
         WHERE trashed.client_id = ${assets}.client_id AND trashed.id = ${assets}.folder_id)))`;

/** The folders that are not live, for statements whose first parameter is the client. */
export const TRASHED_FOLDERS = 'SELECT id FROM folders WHERE client_id = $1 AND batch_id IS NOT NULL';
