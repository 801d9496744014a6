import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { fileURLToPath } from 'node:url';
import { Public } from '../access/access.decorators.js';
import { Problem } from '../common/errors/problem.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { PageFiles } from './page-files.js';
import { PagePolicy } from './page-policy.js';

/** Next to `dist`, both in a checkout and in the image. */
const BUILT_PAGES = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Prefixes of the API: an unknown path below them is a problem, never a page. */
const API_SEGMENTS = new Set(['admin', 'agents', 'auth', 'docs', 'lp-api', 'portal', 'static']);

/** Serves the pages for every address that no other route handles. */
@ApiExcludeController()
@Controller()
export class PagesController {
  private readonly files: PageFiles;
  private readonly policy: PagePolicy;

  constructor(@InjectConfig() config: Config) {
    this.files = new PageFiles(config.pages.directory ?? BUILT_PAGES);
    this.policy = new PagePolicy(config);
  }

  @Get('{*path}')
  @Public()
  show(@Req() request: Request, @Res() response: Response): void {
    const path = decodeURIComponent(request.path);
    if (this.files.has(path)) return this.files.send(request, response, path);
    if (!isPage(path, request)) throw new Problem('route_not_found', `Cannot ${request.method} ${path}`);
    if (!this.files.exist)
      throw new Problem(
        'route_not_found',
        'The pages have not been built. Run "npm start" or "npm run build:web".',
      );
    for (const [name, value] of Object.entries(this.policy.headersOf(path)))
      if (value === null) response.removeHeader(name);
      else response.setHeader(name, value);
    response.vary('Accept');
    this.files.sendIndex(request, response);
  }
}

/** For `/`, any request is enough. Everywhere else the caller must accept HTML, so that programs get a problem for a wrong address. */
function isPage(path: string, request: Request): boolean {
  if (path === '/') return true;
  const first = path.split('/').find((segment) => segment !== '');
  if (API_SEGMENTS.has((first ?? '').toLowerCase())) return false;
  return /\btext\/html\b/i.test(request.headers.accept ?? '');
}
