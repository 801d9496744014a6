import { Injectable } from '@nestjs/common';
import type { Target, TargetMethod } from '../database/entities/target.entity.js';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';

/** Everything needed to connect to a target, including credentials. Never stored, logged or returned. */
export type TargetConnection = WordPressConnection | HttpConnection;

export interface WordPressConnection {
  readonly kind: 'wordpress';
  readonly baseUrl: string;
  readonly restRoot: string | null;
  readonly username: string;
  readonly applicationPassword: string;
}

export interface HttpConnection {
  readonly kind: 'http';
  readonly url: string;
  readonly method: TargetMethod;
  readonly bearerToken: string | null;
}

type Owner = Pick<Target, 'id' | 'clientId'>;

/** Encrypts the credentials of targets and opens connections with them. */
@Injectable()
export class TargetConnections {
  constructor(private readonly secrets: SecretBox) {}

  /** Throws a `SecretUnreadableError` if the credentials cannot be decrypted. */
  open(target: Target): TargetConnection {
    const secret = target.credentials === null ? null : this.decrypt(target, target.credentials);
    if (target.kind === 'http')
      return { kind: 'http', url: target.url!, method: target.method!, bearerToken: secret };
    const { baseUrl, restRoot, username } = target;
    return {
      kind: 'wordpress',
      baseUrl: baseUrl!,
      restRoot,
      username: username!,
      applicationPassword: secret ?? '',
    };
  }

  encrypt(owner: Owner, secret: string): string {
    return this.secrets.encrypt(secret, contextOf(owner));
  }

  decrypt(owner: Owner, credentials: string): string {
    return this.secrets.decrypt(credentials, contextOf(owner));
  }

  isReadable(target: Target): boolean {
    try {
      this.open(target);
      return true;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return false;
      throw error;
    }
  }
}

export function authorizationOf(connection: TargetConnection): Record<string, string> {
  if (connection.kind === 'http') {
    return connection.bearerToken === null ? {} : { authorization: `Bearer ${connection.bearerToken}` };
  }
  const { username, applicationPassword } = connection;
  const basic = Buffer.from(`${username}:${applicationPassword}`).toString('base64');
  return { authorization: `Basic ${basic}` };
}

/** Credentials are bound to their target and cannot be decrypted in another row. */
function contextOf({ clientId, id }: Owner): string {
  return `target/${clientId}/${id}`;
}
