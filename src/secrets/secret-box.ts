import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Keys for other purposes can be derived from the same `SECRETS_KEY` under other labels. */
const PURPOSE = 'client-asset-library/credentials/v1';

interface Key {
  /** Part of the ciphertext; reveals nothing about the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** No key of `SECRETS_KEY` decrypts it, or it was modified or moved. */
export class SecretUnreadableError extends Error {
  constructor() {
    super('The stored credentials cannot be decrypted with any key of SECRETS_KEY.');
    this.name = 'SecretUnreadableError';
  }
}

/**
 * Encrypts secrets at rest, as `v1.<key id>.<iv>.<ciphertext>.<tag>` in base64url. The ciphertext is bound to a context, such as the record
 * it belongs to, and cannot be decrypted in another one.
 */
@Injectable()
export class SecretBox {
  private readonly keys: readonly Key[];

  constructor(@InjectConfig() config: Config) {
    this.keys = config.auth.secretsKeys.map(deriveKey);
  }

  /** Always with the first key. */
  encrypt(secret: string, context: string): string {
    const { id, bytes } = this.keys[0]!;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, bytes, iv, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(context),
    );
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [VERSION, id, ...parts].join('.');
  }

  /** Throws a {@link SecretUnreadableError}. */
  decrypt(encrypted: string, context: string): string {
    const [version, id, ...parts] = encrypted.split('.');
    const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
    const isComplete = version === VERSION && parts.length === 3;
    if (!isComplete || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES)
      throw new SecretUnreadableError();
    for (const key of this.keys.filter((each) => each.id === id)) {
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(ciphertext!), decipher.final()]).toString('utf8');
      } catch {
        // Another key may have the same short id.
      }
    }
    throw new SecretUnreadableError();
  }

  /** The prefix of everything that the first key has encrypted, and nothing else. */
  get currentPrefix(): string {
    return `${VERSION}.${this.keys[0]!.id}.`;
  }
}

function deriveKey(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}
