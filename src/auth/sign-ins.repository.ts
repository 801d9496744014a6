import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { SignIn } from '../database/entities/sign-in.entity.js';

const COLUMNS = columnsOf(SignIn);
const IS_OPEN = 'revoked_at IS NULL AND expires_at > now()';

/** The sign-ins of one user, for that user. */
@Injectable()
export class SignInsRepository {
  constructor(private readonly database: Database) {}

  /** Only open ones, newest first. */
  findPage(userId: string, beforeId: string | null, take: number): Promise<SignIn[]> {
    return this.database.manager.query(
      `SELECT ${COLUMNS} FROM sign_ins WHERE user_id = $1 AND ${IS_OPEN}
          AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $3`,
      [userId, beforeId, take],
    );
  }

  /** False if the user has no such open sign-in. */
  async end(userId: string, id: string, manager: EntityManager): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE sign_ins SET revoked_at = now() WHERE user_id = $1 AND id = $2 AND ${IS_OPEN}`,
      [userId, id],
    );
    return count === 1;
  }
}
