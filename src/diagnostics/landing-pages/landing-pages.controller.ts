import { Body, Controller, Get, Headers, Ip, Param, Post, Query, Req } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PageQuery } from '../../common/paging/page.js';
import { PublicLimiter } from '../public-limiter.js';
import {
  AttributionDto,
  CreateLandingPageDto,
  LandingPageDto,
  LandingPagePageDto,
} from './landing-pages.dto.js';
import { LandingPagesService } from './landing-pages.service.js';

@ApiTags('Landing pages')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/landing-pages')
export class LandingPagesController {
  constructor(private readonly pages: LandingPagesService) {}

  @Get()
  @Requires('diagnostics:read')
  @Operation('List landing pages')
  async listLandingPages(
    @Scope() scope: ClientScope,
    @Query() query: PageQuery,
  ): Promise<LandingPagePageDto> {
    const page = await this.pages.list(scope, query);
    return { landingPages: page.items.map((each) => LandingPageDto.from(each)), nextCursor: page.nextCursor };
  }

  @Post()
  @Requires('diagnostics:manage')
  @Operation('Create a landing page', ['slug_taken'])
  async createLandingPage(
    @Scope() scope: ClientScope,
    @Body() body: CreateLandingPageDto,
  ): Promise<LandingPageDto> {
    return LandingPageDto.from(await this.pages.create(scope, body));
  }
}

@ApiTags('Landing pages')
@ApiParam({ name: 'slug', example: 'autumn-bread' })
@Controller('lp-api/:slug')
export class AttributionController {
  constructor(
    private readonly pages: LandingPagesService,
    private readonly limiter: PublicLimiter,
  ) {}

  @Get()
  @Public()
  @Operation(
    'Test landing page attribution: returns how this request would be attributed, without recording it',
    ['landing_page_not_found', 'too_many_requests', 'database_unavailable'],
  )
  async testAttribution(
    @Param('slug') slug: string,
    @Req() request: Request,
    @Headers('referer') referrer: string | undefined,
    @Ip() address: string,
  ): Promise<AttributionDto> {
    await this.limiter.count('lp-api', address);
    const { page, attribution } = await this.pages.attribute(slug, request.query, referrer);
    return { slug: page.slug, clientId: page.clientId, ...attribution };
  }
}
