import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { closeSignal } from '../common/http/close-signal.js';
import { NOT_STORED } from '../common/http/not-stored.js';
import { sendStream } from '../common/http/send-stream.js';
import { logger } from '../common/logging/logger.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { StorageService } from '../storage/storage.service.js';
import { FolderIdDto } from '../folders/folders.dto.js';
import type { Plan } from './archive-planner.js';
import { archiveStream } from './archive-stream.js';
import { type Archive, ArchivesService } from './archives.service.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';

@ApiTags('Folders')
abstract class ArchivesController {
  constructor(
    private readonly archives: ArchivesService,
    private readonly storage: StorageService,
  ) {}

  @Get('download')
  @Requires('assets:read')
  @ApiOkResponse({
    description: 'A zip archive',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  })
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
    const folderId = query.folderId ?? null;
    const signal = closeSignal(response);
    try {
      if (request.method === 'HEAD') {
        setHeaders(response, await this.archives.measure(scope, folderId, signal));
        response.end();
      } else {
        await this.archives.download(scope, folderId, signal, (archive) =>
          this.send(response, archive, signal),
        );
      }
    } catch (error) {
      const leftWhilePlanning = response.closed && !response.headersSent;
      if (!leftWhilePlanning) throw error;
      logger.debug({ err: error }, 'client disconnected while the archive was being planned');
    }
  }

  private send(response: Response, archive: Archive, closed: AbortSignal): Promise<boolean> {
    setHeaders(response, archive);
    const stream = () =>
      archiveStream(archive.entries, {
        open: (key, range, signal) => this.storage.read(key, range, signal),
        idleMs: this.storage.timeoutMs,
      });
    return sendStream(response, () => Promise.resolve(stream()), closed);
  }
}

function setHeaders(response: Response, { filename, sizeBytes }: Plan): void {
  response.setHeader('Content-Type', 'application/zip');
  response.setHeader('Content-Length', sizeBytes);
  response.setHeader('Content-Disposition', contentDisposition.create(filename));
  response.setHeader('Cache-Control', NOT_STORED);
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/folders')
export class AdminArchivesController extends ArchivesController {}

@Controller('portal/assets/folders')
export class PortalArchivesController extends ArchivesController {}
