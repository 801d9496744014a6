import { Injectable } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import type { ClientScope } from '../access/principal.js';
import { closeSignal } from '../common/http/close-signal.js';
import { NOT_STORED } from '../common/http/not-stored.js';
import { sendStream } from '../common/http/send-stream.js';
import { logger } from '../common/logging/logger.js';
import { StorageService } from '../storage/storage.service.js';
import type { ArchiveContents, Plan } from './archive-planner.js';
import { archiveStream } from './archive-stream.js';
import { type Archive, ArchivesService } from './archives.service.js';

/** Responds to GET with an archive, and to HEAD with its size. */
@Injectable()
export class ArchiveSender {
  constructor(
    private readonly archives: ArchivesService,
    private readonly storage: StorageService,
  ) {}

  /** Returns whether the whole archive was sent. */
  async send(
    request: Request,
    response: Response,
    scope: ClientScope,
    contents: ArchiveContents,
  ): Promise<boolean> {
    const signal = closeSignal(response);
    try {
      if (request.method === 'HEAD') {
        setHeaders(response, await this.archives.measure(scope, contents, signal));
        response.end();
        return false;
      }
      await this.archives.download(scope, contents, signal, (archive) =>
        this.stream(response, archive, signal),
      );
      return response.writableFinished;
    } catch (error) {
      const leftWhilePlanning = response.closed && !response.headersSent;
      if (!leftWhilePlanning) throw error;
      logger.debug({ err: error }, 'client disconnected while the archive was being planned');
      return false;
    }
  }

  private stream(response: Response, archive: Archive, closed: AbortSignal): Promise<boolean> {
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
