import type { Request, RequestHandler, Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { chain } from './chain.js';

describe('A chain of middlewares', () => {
  const run = (...handlers: RequestHandler[]) => {
    const next = jest.fn();
    void chain(...handlers)({} as Request, {} as Response, next);
    return next;
  };

  it('runs them in order and continues', () => {
    const order: string[] = [];
    const note =
      (name: string): RequestHandler =>
      (_request, _response, next) => {
        order.push(name);
        next();
      };
    expect(run(note('first'), note('second'))).toHaveBeenCalledWith();
    expect(order).toEqual(['first', 'second']);
  });

  it('ends with the first error, thrown or passed on, within the context of the request', () => {
    const context = new AsyncLocalStorage<string>();
    const error = new Error('refused');
    const later = jest.fn();
    const failures: RequestHandler[] = [
      () => {
        throw error;
      },
      (_request, _response, next) => next(error),
    ];
    for (const failing of failures) {
      let seen: unknown;
      const inContext: RequestHandler = (_request, _response, next) => context.run('request', next);
      void chain(inContext, failing, later)({} as Request, {} as Response, (reason) => {
        seen = { reason: reason as unknown, context: context.getStore() };
      });
      expect(seen).toEqual({ reason: error, context: 'request' });
    }
    expect(later).not.toHaveBeenCalled();
  });
});
