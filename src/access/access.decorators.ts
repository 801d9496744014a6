import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Permission } from './permissions.js';

/** The rule that a route declares for its callers. If a route declares none, the application does not start. */
export type AccessRule = 'public' | 'authenticated' | Permission;

export const ACCESS_RULE = Symbol('AccessRule');

export const PICKER_ROUTE = Symbol('PickerRoute');

/** Also open to pickers in other pages, which no other route is. The service must respect `surfaces` of the caller. */
export const InPicker = () =>
  applyDecorators(SetMetadata(PICKER_ROUTE, true), ApiExtension('x-picker', true));

/** Open to everyone. */
export const Public = () =>
  applyDecorators(SetMetadata(ACCESS_RULE, 'public'), ApiExtension('x-permission', 'public'));

/** Open to every active caller, whatever the role. */
export const Authenticated = () => demand('authenticated');

/** Open to callers whose role has the permission. `byCookie`: whether the session cookie is accepted. */
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

/** The client of the request and the actor. */
export const Scope = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().scope;
});
