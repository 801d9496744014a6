import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Problem } from '../common/errors/problem.js';
import { ACCESS_RULE, type AccessRule, PICKER_ROUTE } from '../access/access.decorators.js';
import { ClientScopes } from './client-scopes.js';
import { Authenticator } from './authenticator.js';
import { RunningRequests } from './running-requests.js';
import { type Permission, effectivePermissions, permissionsOf } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';

/**
 * Checks every request, in this order: who is calling (401), whether their role has the permission (403), and whether they have access to
 * the client (404). It fails closed: a route without a rule is rejected here too, in case it gets past the check at startup.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly scopes: ClientScopes,
    private readonly running: RunningRequests,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;

    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const principal = await this.authenticator.authenticate(request, response);
    request.principal = principal;

    if (principal.picker && !this.reflector.get<true | undefined>(PICKER_ROUTE, context.getHandler()))
      throw new Problem('permission_denied', 'A picker cannot use this route.');
    const side = sideOf(this.reflector.get<string>(PATH_METADATA, context.getClass()));
    if (side !== null) requirePermission(principal, side);
    if (rule === undefined)
      throw new Problem('permission_denied', 'This route does not declare a permission.');
    if (rule !== 'authenticated') requirePermission(principal, rule);

    if (side === 'portal:access') {
      request.scope = this.scopes.ofPortal(principal);
    } else if (typeof request.params['clientId'] === 'string') {
      request.scope = await this.scopes.ofClient(principal, request.params['clientId']);
    }
    const permissions = [side, rule].filter((each) => each !== null && each !== 'authenticated');
    this.running.add(response, principal, { permissions, clientId: request.scope?.clientId });
    return true;
  }
}

/** Portal and platform are separate: the prefix of the path determines which callers can use a route at all. */
export function sideOf(controllerPath: string): Permission | null {
  const [first] = controllerPath.replace(/^\//, '').split('/');
  if (first === 'portal') return 'portal:access';
  if (first === 'admin' || first === 'agents') return 'platform:access';
  return null;
}

/** Checks the permission only, not the client. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (effectivePermissions(principal).has(permission)) return;
  if (principal.picker)
    throw new Problem('permission_denied', `This picker does not have the permission ${permission}.`, {
      extra: { permission },
    });
  if (permissionsOf(principal.role).has(permission))
    throw new Problem(
      'permission_denied',
      `An API key that is limited to surfaces does not have the permission ${permission}, which applies to all surfaces.`,
      { extra: { permission } },
    );
  throw new Problem(
    'permission_denied',
    `The role ${principal.role} does not have the permission ${permission}.`,
    {
      extra: { permission },
    },
  );
}
