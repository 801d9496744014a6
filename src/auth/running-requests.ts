import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../access/principal.js';
import { logger } from '../common/logging/logger.js';
import { AuthRepository } from './auth.repository.js';
import { lostAccess, type Need } from './current-access.rules.js';

const CHECK_MS = 2_000;
/** Shorter requests are not worth a check; those that take away the access of their own caller get to respond. */
const LONG_MS = 5_000;

interface RunningRequest {
  readonly caller: Principal;
  readonly need: Need;
  readonly since: number;
}

/**
 * Ends requests that take long, such as downloads and calls that wait, soon after their caller has lost access. The connection is aborted, so
 * that part of a file is never mistaken for all of it.
 */
@Injectable()
export class RunningRequests implements OnModuleInit, OnApplicationShutdown {
  private readonly running = new Map<Response, RunningRequest>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly auth: AuthRepository) {}

  onModuleInit(): void {
    this.timer = setTimeout(() => void this.check(), CHECK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  add(response: Response, caller: Principal, need: Need): void {
    if (response.closed) return;
    this.running.set(response, { caller, need, since: performance.now() });
    response.once('close', () => this.remove(response));
  }

  /** For a response that is checked in another way. */
  remove(response: Response): void {
    this.running.delete(response);
  }

  private async check(): Promise<void> {
    const longSince = performance.now() - LONG_MS;
    const long = [...this.running].filter(([, { since }]) => since <= longSince);
    try {
      if (long.length > 0) await this.endRefused(long);
    } catch (error) {
      logger.warn({ err: error }, 'could not check access of running requests');
    }
    this.timer?.refresh();
  }

  private async endRefused(requests: readonly [Response, RunningRequest][]): Promise<void> {
    const callers = new Map(requests.map(([, { caller }]) => [caller.signInId ?? caller.id, caller]));
    const accesses = await this.auth.findCurrentAccess([...callers.values()]);
    for (const [response, { caller, need }] of requests) {
      const reason = lostAccess(accesses.get(caller.signInId ?? caller.id), caller, need);
      if (reason === null) continue;
      logger.info({ callerId: caller.id, reason }, 'request aborted: its caller has lost access');
      this.remove(response);
      response.destroy();
    }
  }
}
