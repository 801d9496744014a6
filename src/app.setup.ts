import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { ProblemFilter } from './common/errors/problem.filter.js';
import { BodyGuard } from './common/http/body.guard.js';
import { BoundedHttpAdapter } from './common/http/bounded-http-adapter.js';
import { Draining } from './common/http/draining.js';
import { useLimits } from './common/http/limit.decorators.js';
import { rejectOtherHosts } from './common/http/own-hosts.js';
import { requestId } from './common/http/request-id.middleware.js';
import { RequestValidationPipe } from './common/http/request-validation.pipe.js';
import { warnOfUntrustedProxy } from './common/http/untrusted-proxy.middleware.js';
import { urlHygiene } from './common/http/url-hygiene.middleware.js';
import { accessLog } from './common/logging/access-log.middleware.js';
import { NestLogger } from './common/logging/nest-logger.js';
import { setupOpenApi } from './openapi/openapi.js';
import type { Config } from './config/config.js';

/** The application exactly as it runs: for the process itself and for the export of its OpenAPI document. */
export async function createApp(
  config: Config,
  options: { preview?: boolean } = {},
): Promise<NestExpressApplication> {
  useLimits(config.limits);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.for(config),
    new BoundedHttpAdapter(config.http.timeouts),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(),
      preview: options.preview ?? false,
      // `assets/folders` must take precedence over `assets/:assetId`, whatever the order of modules.
      routeResolutionStrategy: 'specificity',
      routeConflictPolicy: { duplicate: 'error' },
    },
  );
  app.set('trust proxy', config.http.trustProxy);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  app.disable('etag');

  const draining = app.get(Draining);
  app.use(
    requestId,
    (request: Request, response: Response, next: NextFunction) =>
      draining.closeConnection(request, response, next),
    accessLog,
    securityHeaders(config),
    // With a configured database, the proxy is responsible for host names.
    ...(config.embedded ? [rejectOtherHosts(config.http)] : []),
    urlHygiene,
    ...(config.http.trustProxy === false ? [warnOfUntrustedProxy()] : []),
  );
  app.enableCors({
    origin: [...config.http.corsOrigins],
    exposedHeaders: ['ETag', 'X-Request-Id', 'Retry-After', 'Content-Disposition', 'Location'],
    maxAge: 600,
  });

  // After the access guard, which its module registers.
  app.useGlobalGuards(new BodyGuard(new Reflector()));
  app.useGlobalPipes(new RequestValidationPipe({ forbidNonWhitelisted: true, forbidUnknownValues: true }));
  app.useGlobalFilters(new ProblemFilter());
  setupOpenApi(app, config);
  return app;
}

function securityHeaders(config: Config): RequestHandler {
  const https = config.http.publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      directives: {
        // Swagger UI styles itself inline and shows images from data URLs.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'connect-src': ["'self'"],
        'upgrade-insecure-requests': https ? [] : null,
      },
    },
    strictTransportSecurity: https,
    crossOriginResourcePolicy: { policy: 'same-site' },
  });
}
