import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { bodyOrQuery } from '../common/http/body-or-query.js';
import { SendsFile } from '../common/openapi/file-response.decorator.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { PreviewSender } from '../preview/preview-sender.js';
import { contentTypeOf } from '../preview/rendition.rules.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';
import { TrashBatches } from '../trash-batches/trash-batches.js';
import { RestoreService } from './restore.service.js';
import { PurgeDto, PurgedDto, RestoreDto, RestoredDto, TrashItemDto, TrashPageDto } from './trash.dto.js';
import { TrashService } from './trash.service.js';

@ApiTags('Trash')
abstract class TrashController {
  constructor(
    private readonly trash: TrashService,
    private readonly batches: TrashBatches,
    private readonly restoring: RestoreService,
    private readonly previews: PreviewSender,
  ) {}

  @Get('trash')
  @Requires('assets:read')
  @Operation('List the trash, newest first')
  async listTrash(@Scope() scope: ClientScope, @Query() query: PageQuery): Promise<TrashPageDto> {
    const page = await this.trash.list(scope, query);
    const items = page.items.map(({ batch, previewAssetIds }) =>
      TrashItemDto.from(batch, this.batches.restorableUntil(batch), previewAssetIds),
    );
    return { items, nextCursor: page.nextCursor };
  }

  @Get('trash/:assetId/preview')
  @ApiParam({ name: 'assetId', description: 'One of the `previewAssetIds` of an item' })
  @Requires('assets:read')
  @SendsFile('The thumbnail', [contentTypeOf('webp')])
  @Operation(
    'Preview an asset in the trash; supports Range',
    ['asset_not_found', 'range_not_satisfiable', ...STORAGE_PROBLEMS],
    'Returns the thumbnail: a WebP of at most 256 pixels on the longer side. Only for assets that can be restored and already had one.',
  )
  async getTrashPreview(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.previews.sendTrashed(request, response, scope, assetId);
  }

  @Post('trash/restore')
  @HttpCode(200)
  @Requires('assets:write')
  @Operation('Restore a batch from the trash', ['trash_batch_not_found'])
  async restoreTrash(@Scope() scope: ClientScope, @Body() body: RestoreDto): Promise<RestoredDto> {
    const { id, folders, assets } = await this.restoring.restore(scope, body.batchId);
    return { batchId: id, folders, assets };
  }

  @Delete('trash')
  @Requires('assets:write')
  @ApiQuery({ name: 'batchId', required: false })
  @ApiBody({ type: PurgeDto, required: false })
  @Operation('Permanently delete a batch or the whole trash', ['trash_batch_not_found'])
  async purgeTrash(
    @Scope() scope: ClientScope,
    @Query() query: PurgeDto,
    @Body() body: PurgeDto,
  ): Promise<PurgedDto> {
    const batchId = bodyOrQuery('batchId', body.batchId, query.batchId);
    return { batches: await this.trash.purge(scope, batchId ?? null) };
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets')
export class AdminTrashController extends TrashController {}

@Controller('portal/assets')
export class PortalTrashController extends TrashController {}
