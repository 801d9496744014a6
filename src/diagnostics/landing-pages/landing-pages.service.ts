import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import type { ClientScope } from '../../access/principal.js';
import { violatedUnique } from '../../common/errors/database-errors.js';
import { Problem } from '../../common/errors/problem.js';
import { unicodeHostOf } from '../../common/http/unicode-host.js';
import { decodeCursor, isText, type Page, type PageQuery, toPage } from '../../common/paging/page.js';
import { Database } from '../../database/database.js';
import type { LandingPage } from '../../database/entities/landing-page.entity.js';
import { type Attribution, attribute, CLICK_IDS, UTM_PARAMETERS } from './attribution.rules.js';
import { type CreateLandingPageDto, SLUG_PATTERN } from './landing-pages.dto.js';
import { LandingPagesRepository } from './landing-pages.repository.js';

const MAX_VALUE_LENGTH = 500;

@Injectable()
export class LandingPagesService {
  constructor(
    private readonly database: Database,
    private readonly pages: LandingPagesRepository,
    private readonly audit: AuditService,
  ) {}

  async list(scope: ClientScope, query: PageQuery): Promise<Page<LandingPage>> {
    const after = decodeCursor(query.cursor, isText);
    return toPage(await this.pages.findPage(scope, after, query.limit + 1), query.limit, (page) => page.slug);
  }

  async create(scope: ClientScope, request: CreateLandingPageDto): Promise<LandingPage> {
    const { slug, url, name } = request;
    // Not everything that looks like a URL is valid, for example http://xn--a
    if (!URL.canParse(url) || unicodeHostOf(new URL(url)) === null)
      throw Problem.validation('url', 'must be an http or https address');
    try {
      return await this.database.transaction(async (manager) => {
        const page = await this.pages.insert({ slug, url, name, clientId: scope.clientId }, manager);
        await this.audit.record(manager, {
          ...scope,
          action: 'landing_page.create',
          subject: ['landing_page', slug],
          after: { url, name },
        });
        return page;
      });
    } catch (error) {
      if (violatedUnique(error) === 'landing_pages_pkey') throw new Problem('slug_taken');
      throw error;
    }
  }

  /** How a request like this one would be attributed; nothing is recorded. */
  async attribute(
    slug: string,
    query: Readonly<Record<string, unknown>>,
    referrer: string | undefined,
  ): Promise<{ page: LandingPage; attribution: Attribution }> {
    const page = SLUG_PATTERN.test(slug) ? await this.pages.findBySlug(slug) : null;
    if (page === null) throw new Problem('landing_page_not_found');
    const ownHost = new URL(page.url).hostname;
    return { page, attribution: attribute(readParameters(query), referrer?.slice(0, 2000) ?? null, ownHost) };
  }
}

/** If a parameter is repeated, the first value counts, as in analytics tools. */
function readParameters(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const names = [...UTM_PARAMETERS, ...Object.keys(CLICK_IDS)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = query[name];
      const first: unknown = Array.isArray(given) ? given[0] : given;
      const value = typeof first === 'string' ? first.replace(/\p{Cc}/gu, '').trim() : '';
      return value === '' ? [] : [[name, value.slice(0, MAX_VALUE_LENGTH)]];
    }),
  );
}
