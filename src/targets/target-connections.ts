import { Injectable } from '@nestjs/common';
import type { Target } from '../database/entities/target.entity.js';
import { isRecord } from '../outbound/read-json.js';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';
import { KINDS } from './kinds/kinds.js';

type Owner = Pick<Target, 'id' | 'clientId'>;

/** Encrypts the credentials of targets and opens connections with them. */
@Injectable()
export class TargetConnections {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * Everything that the kind needs to connect, including credentials. Never stored, logged or returned. Throws a `SecretUnreadableError` if
   * the credentials cannot be decrypted.
   */
  open(target: Target): object {
    return { ...target.settings, ...this.secretsOf(target) };
  }

  /** Null if there are none. */
  seal(owner: Owner, secrets: object): string | null {
    const given = Object.entries(secrets).filter(([, value]) => value !== null && value !== undefined);
    return given.length === 0 ? null : this.encrypt(owner, JSON.stringify(Object.fromEntries(given)));
  }

  /** The credentials with these changes. The others are lost if they cannot be decrypted. */
  reseal(target: Target, changes: object): string | null {
    return this.seal(target, { ...(this.isReadable(target) ? this.secretsOf(target) : {}), ...changes });
  }

  encrypt(owner: Owner, secret: string): string {
    return this.secrets.encrypt(secret, contextOf(owner));
  }

  decrypt(owner: Owner, credentials: string): string {
    return this.secrets.decrypt(credentials, contextOf(owner));
  }

  isReadable(target: Target): boolean {
    try {
      this.secretsOf(target);
      return true;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return false;
      throw error;
    }
  }

  private secretsOf(target: Target): object {
    if (target.credentials === null) return {};
    return parse(this.decrypt(target, target.credentials), KINDS[target.kind].secrets);
  }
}

function parse(text: string, names: readonly string[]): object {
  // Version 0.1 encrypted a single secret as it was, without JSON.
  const asItWas = { [names[0]!]: text };
  try {
    const secrets: unknown = JSON.parse(text);
    return isRecord(secrets) && names.some((name) => name in secrets) ? secrets : asItWas;
  } catch {
    return asItWas;
  }
}

/** Credentials are bound to their target and cannot be decrypted in another row. */
function contextOf({ clientId, id }: Owner): string {
  return `target/${clientId}/${id}`;
}
