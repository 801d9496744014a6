import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { RestoreService } from './restore.service.js';
import {
  TrashFolderDto,
  PurgeDto,
  PurgedDto,
  RestoreDto,
  RestoredDto,
  TrashedFolderDto,
  TrashItemDto,
  TrashPageDto,
} from './trash.dto.js';
import { TrashService } from './trash.service.js';

abstract class TrashController {
  constructor(
    private readonly trash: TrashService,
    private readonly restoring: RestoreService,
  ) {}

  @Delete('folders')
  @Requires('assets:write')
  @ApiQuery({ name: 'folderId', required: false })
  @ApiQuery({ name: 'force', required: false, example: false })
  @ApiBody({ type: TrashFolderDto, required: false })
  @Operation('Move a folder, with everything below, to the trash', [
    'folder_protected',
    'folder_not_found',
    'asset_in_use',
  ])
  async trashFolder(
    @Scope() scope: ClientScope,
    @Query() query: TrashFolderDto,
    @Body() body: TrashFolderDto,
  ): Promise<TrashedFolderDto> {
    const { folderId, force } = requireTrashFolder(query, body);
    const batch = await this.trash.trashFolder(scope, folderId, { force });
    return TrashedFolderDto.from(folderId, batch, this.trash.restorableUntil(batch));
  }

  @Get('trash')
  @Requires('assets:read')
  @Operation('What is in the trash, newest first')
  async list(@Scope() scope: ClientScope, @Query() query: PageQuery): Promise<TrashPageDto> {
    const page = await this.trash.list(scope, query);
    const items = page.items.map((batch) => TrashItemDto.from(batch, this.trash.restorableUntil(batch)));
    return { items, nextCursor: page.nextCursor };
  }

  @Post('trash/restore')
  @HttpCode(200)
  @Requires('assets:write')
  @Operation('Put a batch back', ['trash_batch_not_found'])
  async restore(@Scope() scope: ClientScope, @Body() body: RestoreDto): Promise<RestoredDto> {
    const { id, folders, assets } = await this.restoring.restore(scope, body.batchId);
    return { batchId: id, folders, assets };
  }

  @Delete('trash')
  @Requires('assets:write')
  @ApiQuery({ name: 'batchId', required: false })
  @ApiBody({ type: PurgeDto, required: false })
  @Operation('Delete a batch, or the whole trash, for good', ['trash_batch_not_found'])
  async purge(
    @Scope() scope: ClientScope,
    @Query() query: PurgeDto,
    @Body() body: PurgeDto,
  ): Promise<PurgedDto> {
    const batchId = oneOf('batchId', body.batchId, query.batchId);
    return { batches: await this.trash.purge(scope, batchId ?? null) };
  }
}

export function requireTrashFolder(
  query: TrashFolderDto,
  body: TrashFolderDto,
): { folderId: string; force: boolean } {
  const folderId = oneOf('folderId', body.folderId, query.folderId);
  if (folderId === undefined) throw Problem.validation('folderId', 'folderId must be given');
  return { folderId, force: body.force ?? query.force ?? false };
}

/** Some clients cannot send a body with DELETE, so an id may stand in either place; two different ones are a slip. */
function oneOf(name: string, inBody: string | undefined, inQuery: string | undefined): string | undefined {
  if (inBody && inQuery && inBody !== inQuery)
    throw Problem.validation(name, `${name} differs between body and query`);
  return inBody ?? inQuery;
}

@ApiTags('Trash')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets')
export class AdminTrashController extends TrashController {
  constructor(trash: TrashService, restoring: RestoreService) {
    super(trash, restoring);
  }
}

@ApiTags('Portal: trash')
@Controller('portal/assets')
export class PortalTrashController extends TrashController {
  constructor(trash: TrashService, restoring: RestoreService) {
    super(trash, restoring);
  }
}
