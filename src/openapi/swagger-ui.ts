import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** What plugin.js adds to the page. */
type Browser = typeof globalThis & { libraryPlugin: (system: unknown) => object };

/** Our plugin and theme. */
const FILES = fileURLToPath(new URL('./swagger-ui/', import.meta.url));

export function setupSwaggerUi(app: NestExpressApplication, describe: () => OpenAPIObject): void {
  app.useStaticAssets(FILES, { prefix: '/docs/', redirect: false });
  SwaggerModule.setup('docs', app, describe, {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Client Asset Library API',
    customJs: '/docs/plugin.js',
    customCssUrl: '/docs/theme.css',
    swaggerOptions: {
      // Runs in the browser, where plugin.js has defined it.
      plugins: [(system: unknown) => (globalThis as Browser).libraryPlugin(system)],
      // It would keep the password in the browser's local storage.
      persistAuthorization: false,
      displayRequestDuration: true,
      displayOperationId: true,
      docExpansion: 'none',
      filter: true,
      defaultModelsExpandDepth: 0,
    },
  });
}
