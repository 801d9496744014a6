import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

const UUID_BYTES = 16;
const MAC_BYTES = 32;

/** Tokens that contain an id and a MAC, so that we recognize our own tokens without storing them. */
@Injectable()
export class SealedTokens {
  private readonly secrets: readonly string[];

  constructor(@InjectConfig() config: Config) {
    this.secrets = config.auth.jwtSecrets;
  }

  newRefreshToken(signInId: string): string {
    return this.seal('refresh', Buffer.concat([parse(signInId), randomBytes(32)]));
  }

  /** The sign-in for which a refresh token was issued, or null if we did not issue it. */
  signInOf(refreshToken: string): string | null {
    const payload = this.open('refresh', refreshToken);
    return payload && stringify(payload.subarray(0, UUID_BYTES));
  }

  newDeviceToken(userId: string, deviceId = newId()): string {
    return this.seal('device', Buffer.concat([parse(deviceId), parse(userId)]));
  }

  /** The device, if the token was issued to this user. */
  deviceOf(deviceToken: string, userId: string): string | null {
    const payload = this.open('device', deviceToken);
    if (payload === null || stringify(payload.subarray(UUID_BYTES)) !== userId) return null;
    return stringify(payload.subarray(0, UUID_BYTES));
  }

  private seal(purpose: string, payload: Buffer): string {
    return Buffer.concat([payload, macOf(this.secrets[0]!, purpose, payload)]).toString('base64url');
  }

  private open(purpose: string, token: string): Buffer | null {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return null;
    const [payload, mac] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
    return this.secrets.some((secret) => timingSafeEqual(mac, macOf(secret, purpose, payload)))
      ? payload
      : null;
  }
}

function macOf(secret: string, purpose: string, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0`).update(payload).digest();
}
