import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { FolderIdDto } from '../folders/folders.dto.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';
import { ArchiveSender } from './archive-sender.js';
import { SendsArchive } from './sends-archive.decorator.js';

@ApiTags('Folders')
abstract class ArchivesController {
  constructor(private readonly sender: ArchiveSender) {}

  @Get('download')
  @Requires('assets:read')
  @SendsArchive()
  @Operation(
    'Download a folder or the whole library as a zip archive',
    ['folder_not_found', 'too_many_downloads', 'server_busy', ...STORAGE_PROBLEMS],
    'Without `folderId`, the whole library. HEAD returns the size.',
  )
  async downloadFolder(
    @Scope() scope: ClientScope,
    @Query() query: FolderIdDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sender.send(request, response, scope, { folderId: query.folderId ?? null });
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/folders')
export class AdminArchivesController extends ArchivesController {}

@Controller('portal/assets/folders')
export class PortalArchivesController extends ArchivesController {}
