import type { RequestHandler } from 'express';

/**
 * Combines several middlewares into one Express layer, because Express takes longer to find the next layer than most of ours take to run.
 * As in Express, an error ends the chain. It is passed on in the context of the request.
 */
export function chain(...handlers: RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) => {
      try {
        void handler(request, response, (error?: unknown) => {
          if (error === undefined) void rest(request, response, next);
          else next(error);
        });
      } catch (error) {
        next(error);
      }
    },
    (_request, _response, next) => next(),
  );
}
