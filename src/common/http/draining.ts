import type { NextFunction, Request, Response } from 'express';

let draining = false;

/** Whether the process has received a stop signal and is no longer ready for new work. */
export function isDraining(): boolean {
  return draining;
}

/** From now on the process is no longer ready. */
export function startDraining(): void {
  draining = true;
}

/** While draining, tells clients to open their next connection elsewhere. */
export function closeWhenDraining(_request: Request, response: Response, next: NextFunction): void {
  if (draining) response.setHeader('Connection', 'close');
  next();
}
