import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids.js';
import { Database } from '../database/database.js';

@Injectable()
export class InstallationRepository {
  constructor(private readonly database: Database) {}

  async findOrCreateId(): Promise<string> {
    const { manager } = this.database;
    // Two statements: if two processes start at the same time, a single statement would not see the other's row.
    await manager.query('INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING', [newId()]);
    const [row] = await manager.query<{ id: string }[]>('SELECT id FROM installation');
    return row!.id;
  }
}
