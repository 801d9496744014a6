import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { LibraryChange } from './library-change.js';

/** Changes are kept for this long, so that streams can continue. */
const RETENTION = '1 day';

const COLUMNS = `id, position::float8 AS position, client_id AS "clientId", subject_kind AS kind,
  after->'ids' AS ids, after->'folderIds' AS "folderIds"`;

/** The changes of the libraries, in commit order. */
@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  /** Reads all clients, oldest first. */
  findAfter(position: number, take: number): Promise<LibraryChange[]> {
    return this.database.manager.query(
      `SELECT ${COLUMNS} FROM events WHERE actor_kind IS NULL AND position > $1 ORDER BY position LIMIT $2`,
      [position, take],
    );
  }

  /** Those of one client between two positions, including the last one. */
  findOfClient(clientId: string, after: number, last: number, take: number): Promise<LibraryChange[]> {
    return this.database.manager.query(
      `SELECT ${COLUMNS} FROM events
        WHERE client_id = $1 AND actor_kind IS NULL AND position > $2 AND position <= $3 ORDER BY position LIMIT $4`,
      [clientId, after, last, take],
    );
  }

  async findNewest(): Promise<LibraryChange | null> {
    const [newest] = await this.database.manager.query<LibraryChange[]>(
      `SELECT ${COLUMNS} FROM events
        WHERE actor_kind IS NULL AND position IS NOT NULL ORDER BY position DESC LIMIT 1`,
    );
    return newest ?? null;
  }

  /** Null if there is no such change, or no longer. */
  async findPosition(id: string): Promise<number | null> {
    const [change] = await this.database.manager.query<LibraryChange[]>(
      `SELECT ${COLUMNS} FROM events WHERE id = $1 AND actor_kind IS NULL`,
      [id],
    );
    return change?.position ?? null;
  }

  /**
   * Deletes at most `limit` of the oldest changes and returns their number. Never leaves a gap: a stream would miss what was in it. The
   * newest one stays, so that streams can continue after a quiet day.
   */
  async deleteOld(limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM events WHERE id IN (
         SELECT id FROM (
           SELECT id, position, bool_and(at < now() - $2::interval) OVER (ORDER BY position) AS is_old FROM (
             SELECT id, at, position FROM events WHERE actor_kind IS NULL AND position IS NOT NULL
              ORDER BY position LIMIT $1) AS oldest) AS known
          WHERE is_old AND position < (SELECT max(position) FROM events WHERE actor_kind IS NULL))`,
      [limit, RETENTION],
    );
    return count;
  }
}
