import type { LoggerService } from '@nestjs/common';
import { logger } from './logger.js';

/** Sends Nest's own messages to the same log. Its startup messages are only useful for debugging. */
export class NestLogger implements LoggerService {
  log(message: unknown, context?: string): void {
    logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: string): void {
    logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    // Nest throws these errors too, and `runProcess` reports why a process cannot start.
    const level = context === 'ExceptionHandler' ? 'debug' : 'error';
    logger[level]({ context, stack }, String(message));
  }
}
