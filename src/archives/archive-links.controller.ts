import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';
import { ArchiveLinkDto, CreateArchiveDto } from './archive-links.dto.js';
import { ArchiveLinksService } from './archive-links.service.js';
import { ArchiveSender } from './archive-sender.js';
import { SendsArchive } from './sends-archive.decorator.js';

@ApiTags('Assets')
abstract class ArchiveLinksController {
  constructor(
    private readonly links: ArchiveLinksService,
    private readonly sender: ArchiveSender,
  ) {}

  @Post()
  @Requires('assets:read')
  @Operation(
    'Get a link to a zip archive of some assets',
    ['asset_not_found'],
    'Only you can use the link, for 10 minutes and until the archive has been downloaded completely. A later link replaces the oldest of 20. If some of the assets do not exist or are in the trash, the request fails and `results` lists them.',
  )
  async createArchive(
    @Scope() scope: ClientScope,
    @Body() { assetIds }: CreateArchiveDto,
    @Req() request: Request,
  ): Promise<ArchiveLinkDto> {
    const { id, expiresAt } = await this.links.create(scope, assetIds);
    return { url: `${request.path}/${id}`, expiresAt };
  }

  @Get(':archiveId')
  @Requires('assets:read')
  @SendsArchive()
  @Operation(
    'Download the zip archive of some assets',
    [
      'archive_not_found',
      'archive_expired',
      'asset_not_found',
      'too_many_downloads',
      'server_busy',
      ...STORAGE_PROBLEMS,
    ],
    'Leaves out assets that have been trashed since the link was made. The first complete download ends the link; one that breaks off does not, and neither does HEAD, which returns the size. Downloads that have started may finish.',
  )
  async downloadArchive(
    @Scope() scope: ClientScope,
    @Param('archiveId') archiveId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { id, assetIds } = await this.links.get(scope, archiveId);
    if (await this.sender.send(request, response, scope, { assetIds })) await this.links.end(scope, id);
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/archive')
export class AdminArchiveLinksController extends ArchiveLinksController {}

@Controller('portal/assets/archive')
export class PortalArchiveLinksController extends ArchiveLinksController {}
