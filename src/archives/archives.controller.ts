import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../auth/access.decorators.js';
import type { ClientScope } from '../auth/principal.js';
import { sendStream } from '../common/http/send-stream.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { StorageService } from '../storage/storage.service.js';
import { FolderIdDto } from '../trash/trash.dto.js';
import { ArchiveSlots } from './archive-slots.js';
import { archiveStream } from './archive-stream.js';
import { ArchivesService } from './archives.service.js';

abstract class ArchivesController {
  constructor(
    private readonly archives: ArchivesService,
    private readonly slots: ArchiveSlots,
    private readonly storage: StorageService,
  ) {}

  @Get('download')
  @Requires('assets:read')
  @ApiOkResponse({
    description: 'A zip archive',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  })
  @Operation(
    'Download a folder, or the whole library, as a zip archive',
    ['validation_failed', 'folder_not_found', 'too_many_downloads', 'storage_unavailable'],
    'Without `folderId`: the whole library. HEAD tells the size.',
  )
  async download(
    @Scope() scope: ClientScope,
    @Query() query: FolderIdDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const archive = await this.archives.plan(scope, query.folderId ?? null);
    const sendHeaders = () => {
      response.setHeader('Content-Type', 'application/zip');
      response.setHeader('Content-Length', archive.sizeBytes);
      response.setHeader('Content-Disposition', contentDisposition.create(archive.filename));
      response.setHeader('Cache-Control', 'private, no-store');
    };
    if (request.method === 'HEAD') {
      sendHeaders();
      response.end();
      return;
    }
    await this.slots.use(scope.clientId, () => {
      sendHeaders();
      return sendStream(response, (signal) =>
        Promise.resolve(
          archiveStream(
            archive.entries,
            (key, reading) => this.storage.read(key, undefined, reading),
            signal,
          ),
        ),
      );
    });
  }
}

@ApiTags('Folders')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/folders')
export class AdminArchivesController extends ArchivesController {
  constructor(archives: ArchivesService, slots: ArchiveSlots, storage: StorageService) {
    super(archives, slots, storage);
  }
}

@ApiTags('Portal: folders')
@Controller('portal/assets/folders')
export class PortalArchivesController extends ArchivesController {
  constructor(archives: ArchivesService, slots: ArchiveSlots, storage: StorageService) {
    super(archives, slots, storage);
  }
}
