import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Permission } from './permissions.js';

/** What a route demands of its caller. A route that declares nothing stops the application from starting. */
export type AccessRule = 'public' | 'authenticated' | Permission;

export const ACCESS_RULE = Symbol('AccessRule');

/** Open to everyone. */
export const Public = () =>
  applyDecorators(SetMetadata(ACCESS_RULE, 'public'), ApiExtension('x-permission', 'public'));

/** Open to every active caller, whatever the role. */
export const Authenticated = () => demand('authenticated');

/** Open to callers whose role has the permission. `byCookie`: whether our own pages can do it too. */
export const Requires = (permission: Permission, { byCookie = true } = {}) => demand(permission, byCookie);

function demand(rule: AccessRule, byCookie = true) {
  return applyDecorators(
    SetMetadata(ACCESS_RULE, rule),
    ApiExtension('x-permission', rule),
    ApiSecurity('password'),
    ApiBearerAuth('bearer'),
    ApiSecurity('apiKey'),
    ...(byCookie ? [ApiCookieAuth('cookie')] : []),
  );
}

/** The caller. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().principal;
});

/** The client the request is about, and who acts on it. */
export const Scope = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().scope;
});
