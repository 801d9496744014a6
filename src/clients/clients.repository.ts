import { Injectable } from '@nestjs/common';
import { type EntityManager, In, MoreThan } from 'typeorm';
import { AccessPool } from '../database/access-pool.js';
import { Database } from '../database/database.js';
import { Client } from '../database/entities/client.entity.js';

const CLIENT_EXISTS = { name: 'client-exists', text: 'SELECT 1 FROM clients WHERE id = $1' };

@Injectable()
export class ClientsRepository {
  constructor(
    private readonly access: AccessPool,
    private readonly database: Database,
  ) {}

  /** Used by the guard, so it runs on the guard's connections. */
  async exists(id: string): Promise<boolean> {
    return (await this.access.find(CLIENT_EXISTS, [id])).length > 0;
  }

  findById(id: string, manager: EntityManager = this.database.manager): Promise<Client | null> {
    return manager.findOneBy(Client, { id });
  }

  lock(id: string, manager: EntityManager): Promise<Client | null> {
    return manager.findOne(Client, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Ordered by id. `among`: null means all. `text`: a part of the name or id, ignoring case. */
  findPage(
    among: readonly string[] | null,
    afterId: string | null,
    take: number,
    text = '',
  ): Promise<Client[]> {
    return this.database.manager
      .createQueryBuilder(Client, 'client')
      .where(among === null ? {} : { id: In([...among]) })
      .andWhere(afterId === null ? {} : { id: MoreThan(afterId) })
      .andWhere(
        text === '' ? 'true' : `position(lower(:text) IN lower(client.name || ' ' || client.id)) > 0`,
        { text },
      )
      .orderBy('client.id')
      .take(take)
      .getMany();
  }

  async insert(client: Pick<Client, 'id' | 'name'>, manager: EntityManager): Promise<void> {
    await manager.insert(Client, client);
  }

  async update(id: string, change: Partial<Pick<Client, 'name'>>, manager: EntityManager): Promise<void> {
    await manager.update(Client, { id }, change);
  }

  /** The ids for which no client exists. */
  async findUnknown(
    ids: readonly string[],
    manager: EntityManager = this.database.manager,
  ): Promise<string[]> {
    const rows = await manager.find(Client, {
      where: { id: In([...ids]) },
      select: { id: true },
    });
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }
}
