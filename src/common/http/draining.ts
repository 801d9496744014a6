import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Whether the service has been asked to stop and is no longer ready for new work. */
@Injectable()
export class Draining {
  private started = false;

  start(): void {
    this.started = true;
  }

  hasStarted(): boolean {
    return this.started;
  }

  /** While draining, tells clients to open their next connection elsewhere. */
  closeConnection(_request: Request, response: Response, next: NextFunction): void {
    if (this.started) response.setHeader('Connection', 'close');
    next();
  }
}
