import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import { Database } from '../database/database.js';
import { liveAsset, liveFolder, liveInItsFolder } from '../database/live.js';
import type { SupportedMime } from '../media/file-types.js';

export interface ArchivedFolder {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  /** Seconds since 1970, like all dates here. */
  readonly date: number;
}

export interface ArchivedFile {
  readonly id: string;
  readonly folderId: string | null;
  readonly attempt: string;
  readonly originalFilename: string;
  readonly mimeType: SupportedMime;
  readonly sizeBytes: number;
  readonly date: number;
  /** As formatted by Postgres, with microseconds. */
  readonly createdAt: string;
}

const FOLDER = 'id, parent_id AS "parentId", name, extract(epoch FROM created_at)::float8 AS date';
const FILE = `id, folder_id AS "folderId", attempt, original_filename AS "originalFilename", mime_type AS "mimeType",
  size_bytes::float8 AS "sizeBytes", extract(epoch FROM coalesce(taken_at, created_at))::float8 AS date,
  created_at::text AS "createdAt"`;

/** Folders and files in one snapshot: what moves in the meantime is neither missed nor found twice. */
@Injectable()
export class ArchivesRepository {
  constructor(private readonly database: Database) {}

  inSnapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.manager.transaction('REPEATABLE READ', work);
  }

  /** A live folder and everything below it, ordered by name; empty if it does not exist. Null means all folders of the client. */
  findFolders(
    scope: ClientScope,
    folderId: string | null,
    manager: EntityManager,
  ): Promise<ArchivedFolder[]> {
    if (folderId === null)
      return manager.query(
        `SELECT ${FOLDER} FROM folders WHERE client_id = $1 AND ${liveFolder()} ORDER BY name_key`,
        [scope.clientId],
      );
    return manager.query(
      `WITH RECURSIVE below AS (
         SELECT * FROM folders WHERE client_id = $1 AND id = $2 AND ${liveFolder()}
         UNION ALL
         SELECT f.* FROM folders f JOIN below ON f.client_id = $1 AND f.parent_id = below.id WHERE ${liveFolder('f')}
       ) SELECT ${FOLDER} FROM below ORDER BY name_key`,
      [scope.clientId, folderId],
    );
  }

  /** The oldest files of each folder, at most `limit` per folder: one query for many small folders. */
  findOldestFiles(
    scope: ClientScope,
    folderIds: readonly string[],
    limit: number,
    manager: EntityManager,
  ): Promise<ArchivedFile[]> {
    return manager.query(
      `SELECT file.* FROM unnest($2::uuid[]) WITH ORDINALITY AS given (folder, position) CROSS JOIN LATERAL (
         SELECT ${FILE}, created_at FROM assets WHERE client_id = $1 AND folder_id = given.folder AND ${liveInItsFolder()}
          ORDER BY created_at, id LIMIT $3
       ) AS file ORDER BY position, created_at, id`,
      [scope.clientId, folderIds, limit],
    );
  }

  /** The next page of a folder's files, oldest first, so that the same library always gives the same archive. */
  findFilesAfter(
    scope: ClientScope,
    folderId: string | null,
    after: ArchivedFile | null,
    limit: number,
    manager: EntityManager,
  ): Promise<ArchivedFile[]> {
    const values: unknown[] = [scope.clientId, limit];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const place = folderId === null ? 'folder_id IS NULL' : `folder_id = ${bind(folderId)}`;
    const start =
      after === null
        ? 'true'
        : `(created_at, id) > (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`;
    // Ordered by folder first; otherwise Postgres would not recognize the order of the index if the folder is null.
    return manager.query(
      `SELECT ${FILE} FROM assets WHERE client_id = $1 AND ${liveInItsFolder()} AND ${place} AND ${start}
        ORDER BY folder_id, created_at, id LIMIT $2`,
      values,
    );
  }

  /** Those of the assets that are live, oldest first. */
  findFiles(
    scope: ClientScope,
    assetIds: readonly string[],
    manager: EntityManager,
  ): Promise<ArchivedFile[]> {
    return manager.query(
      `SELECT ${FILE} FROM assets WHERE client_id = $1 AND id = ANY($2::uuid[]) AND ${liveAsset()}
        ORDER BY assets.created_at, id`,
      [scope.clientId, assetIds],
    );
  }
}
