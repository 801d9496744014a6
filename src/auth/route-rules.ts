import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule, PICKER_ROUTE } from '../access/access.decorators.js';
import { sideOf } from './access.guard.js';
import type { Permission } from '../access/permissions.js';

export interface RouteRule {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  readonly rule: AccessRule | undefined;
  readonly side: Permission | null;
  /** Whether pickers in other pages can use it. */
  readonly inPicker: boolean;
}

/** Knows the rule of every route, and stops the application if a route has none. */
@Injectable()
export class RouteRules implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const undeclared = this.list().filter(({ rule }) => rule === undefined);
    if (undeclared.length > 0) {
      const names = undeclared
        .map(({ handler, method, path }) => `${handler} (${method} ${path})`)
        .join(', ');
      throw new Error(
        `Every route must declare @Requires(permission), @Authenticated() or @Public(): ${names}`,
      );
    }
  }

  list(): RouteRule[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, (...args: unknown[]) => unknown>;
      const base = Reflect.getMetadata(PATH_METADATA, metatype) as string;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name]!;
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) return [];
        const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
        return {
          method: RequestMethod[method],
          path: `/${base}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
          handler: `${metatype.name}.${name}`,
          rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined,
          side: sideOf(base),
          inPicker: Reflect.hasMetadata(PICKER_ROUTE, handler),
        };
      });
    });
  }
}
