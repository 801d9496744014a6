import { Injectable } from '@nestjs/common';
import { AssetsService } from './assets.service.js';
import type { ClientScope } from '../access/principal.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import type { Usage } from '../database/entities/usage.entity.js';
import { UsagesRepository } from '../usages/usages.repository.js';

@Injectable()
export class UsagesService {
  constructor(
    private readonly assets: AssetsService,
    private readonly usages: UsagesRepository,
  ) {}

  /** Newest first. */
  async list(scope: ClientScope, idOrRef: string, query: PageQuery): Promise<Page<Usage>> {
    const before = decodeCursor(query.cursor, isUuidText);
    const { id } = await this.assets.get(scope, idOrRef);
    const rows = await this.usages.findOfAsset(scope, id, before, query.limit + 1);
    return toPage(rows, query.limit, (usage) => usage.id);
  }
}
