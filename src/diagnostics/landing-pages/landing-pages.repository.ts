import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import type { ClientScope } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { LandingPage } from '../../database/entities/landing-page.entity.js';

@Injectable()
export class LandingPagesRepository {
  constructor(private readonly database: Database) {}

  findBySlug(slug: string): Promise<LandingPage | null> {
    return this.database.manager.findOneBy(LandingPage, { slug });
  }

  findPage(scope: ClientScope, after: string | null, take: number): Promise<LandingPage[]> {
    return this.database.manager.find(LandingPage, {
      where: { clientId: scope.clientId, ...(after === null ? {} : { slug: MoreThan(after) }) },
      order: { slug: 'ASC' },
      take,
    });
  }

  async insert(page: Omit<LandingPage, 'createdAt'>, manager: EntityManager): Promise<LandingPage> {
    await manager.insert(LandingPage, page);
    return manager.findOneByOrFail(LandingPage, { clientId: page.clientId, slug: page.slug });
  }
}
