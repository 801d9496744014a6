import type { Type } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import type { OutboundClient } from '../../outbound/outbound-client.js';
import type { NewTargetDto } from '../new-target.dto.js';
import type { Sender } from '../sender.js';
import type { Verification } from '../verification.js';

export interface KindServices {
  readonly outbound: OutboundClient;
  readonly config: Config;
}

/**
 * One kind of target. Its settings are stored as they are, its secrets encrypted; both together are the connection that its verifier and
 * its sender receive.
 */
export interface KindDefinition<
  Body extends NewTargetDto = NewTargetDto,
  Settings extends object = object,
  Connection extends Settings = Settings,
> {
  /** The body that creates a target. */
  readonly createDto: Type<Body>;
  /** The changeable settings and the secrets, all of them optional. `UpdateTargetDto` has the fields of all kinds. */
  readonly updateDto: Type<object>;
  /** What `view` returns, all of it optional. `TargetDto` has the fields of all kinds. */
  readonly viewDto: Type<object>;
  /** The settings that a request can change. */
  readonly changeable: readonly string[];
  /** The fields of both bodies that are encrypted. Null in an update removes one. */
  readonly secrets: readonly string[];
  /** The pictures that it receives as `original`: as stored, or upright, without metadata and limited in size. */
  readonly originals: 'stored' | 'website';

  /** Throws a `Problem` if an address is malformed or not allowed. */
  settingsOf(body: Body): Settings;
  view(settings: Settings, hasCredentials: boolean): object;
  /** For the audit log. Leaves out what may contain secrets, such as the query of an address. */
  auditView(settings: Settings): object;
  /** The `found` settings of the result replace the stored ones. */
  verify(
    connection: Connection,
    services: KindServices,
    signal: AbortSignal,
  ): Promise<Verification<Settings>>;
  /** Throws a `DeliveryError` if nothing can be sent. `onFound` stores settings that differ from the stored ones. */
  sender(
    connection: Connection,
    services: KindServices,
    onFound: (found: Partial<Settings>) => Promise<void>,
  ): Sender;
}
