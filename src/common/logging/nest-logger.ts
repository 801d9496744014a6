import type { LoggerService } from '@nestjs/common';
import { logger } from './logger.js';

/** Sends what Nest itself has to say to the same log. Its start-up chatter is only of interest when debugging. */
export class NestLogger implements LoggerService {
  log(message: unknown, context?: string): void {
    logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    logger.error({ context, stack }, String(message));
  }
}
