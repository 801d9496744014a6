import { Controller, Get, Post } from '@nestjs/common';
import { DiscoveryModule, Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Authenticated, Public, Requires } from '../access/access.decorators.js';
import { AccessGuard, sideOf } from './access.guard.js';
import { RouteRules } from './route-rules.js';

@Controller('admin/things')
class DeclaredController {
  @Get()
  @Requires('clients:read')
  list() {}

  @Post(':thingId/open')
  @Authenticated()
  open() {}

  @Get('about')
  @Public()
  about() {}
}

abstract class SharedController {
  @Get('shared')
  shared() {}
}

@Controller('admin/others')
class UndeclaredController extends SharedController {
  @Get()
  @Public()
  list() {}

  @Post('forgotten')
  forgotten() {}
}

async function start(...controllers: (new () => unknown)[]) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [RouteRules],
  }).compile();
  return module.init();
}

describe('RouteRules', () => {
  it('lists every route with its rule', async () => {
    const rules = (await start(DeclaredController)).get(RouteRules).list();
    expect(rules.map(({ method, path, rule, side }) => [method, path, rule, side])).toEqual([
      ['GET', '/admin/things', 'clients:read', 'platform:access'],
      ['POST', '/admin/things/:thingId/open', 'authenticated', 'platform:access'],
      ['GET', '/admin/things/about', 'public', 'platform:access'],
    ]);
  });

  it('stops the application when a route, inherited or not, declares no rule', async () => {
    await expect(start(DeclaredController, UndeclaredController)).rejects.toThrow(
      /UndeclaredController\.forgotten \(POST \/admin\/others\/forgotten\), UndeclaredController\.shared \(GET \/admin\/others\/shared\)/,
    );
  });
});

describe('AccessGuard', () => {
  const guardFor = (role: string) =>
    new AccessGuard(
      new Reflector(),
      { authenticate: () => Promise.resolve({ role }) } as never,
      {} as never,
      { add: () => undefined } as never,
    );
  const contextOf = (controller: { prototype: object }, name: string) =>
    ({
      getHandler: () => (controller.prototype as Record<string, unknown>)[name],
      getClass: () => controller,
      switchToHttp: () => ({ getRequest: () => ({ params: {} }), getResponse: () => ({}) }),
    }) as never;

  it('rejects a route without a rule even for an owner', async () => {
    const context = contextOf(UndeclaredController, 'forgotten');
    await expect(guardFor('owner').canActivate(context)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('keeps portal roles off the platform, whatever the route requires', async () => {
    const context = contextOf(DeclaredController, 'open');
    await expect(guardFor('client_manager').canActivate(context)).rejects.toMatchObject({
      code: 'permission_denied',
      options: { extra: { permission: 'platform:access' } },
    });
    await expect(guardFor('agent').canActivate(context)).resolves.toBe(true);
  });
});

describe('sideOf', () => {
  it.each([
    ['admin/clients', 'platform:access'],
    ['/admin', 'platform:access'],
    ['agents/seo', 'platform:access'],
    ['portal', 'portal:access'],
    ['portal/assets', 'portal:access'],
    ['auth', null],
    ['', null],
    ['administration', null],
  ])('%s belongs to %s', (path, side) => expect(sideOf(path)).toBe(side));
});
