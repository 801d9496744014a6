import { Injectable } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { Problem } from '../../common/errors/problem.js';
import { networkOf } from '../../common/http/client-network.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { Surface } from '../../database/entities/asset.entity.js';
import type { PickerToken } from '../../database/entities/picker-token.entity.js';
import { consume, sharedLimiter } from '../../database/rate-limits.js';
import { ClientScopes } from '../client-scopes.js';
import { PICKER_PREFIX } from '../credential.js';
import { hashSecret, newSecret } from '../../common/tokens.js';
import { holdsPicker } from './picker.rules.js';
import { PickerTokensRepository } from './picker-tokens.repository.js';

/** Long enough to load the page that contains the frame. */
const TOKEN_SECONDS = 60;
const ACCESS_SECONDS = 3_600;

export interface PickerRequest {
  readonly clientId: string;
  /** Null means all surfaces. */
  readonly surface?: Surface | null;
  readonly multiple?: boolean;
  readonly uploads?: boolean;
}

export interface OpenedPicker {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly allowed: Pick<PickerToken, 'clientId' | 'surface' | 'multiple' | 'uploads'>;
}

/** Lets another page open the picker without a sign-in: its server gets a token, and the picker exchanges it for access. */
@Injectable()
export class PickerTokensService {
  private readonly guesses: RateLimiterPostgres;

  constructor(
    private readonly database: Database,
    private readonly tokens: PickerTokensRepository,
    private readonly clientScopes: ClientScopes,
    private readonly audit: AuditService,
    dataSource: DataSource,
  ) {
    this.guesses = sharedLimiter(dataSource, { keyPrefix: 'picker-address', points: 100, duration: 15 * 60 });
  }

  async create(maker: Principal, request: PickerRequest): Promise<{ token: string; expiresAt: Date }> {
    const { clientId, surface = null, multiple = false, uploads = false } = request;
    await this.clientScopes.ofClient(maker, clientId);
    if (!holdsPicker(maker, { clientId, uploads })) throw new Problem('grant_not_held');
    const token = newSecret();
    const expiresAt = await this.tokens.insert(
      {
        id: newId(),
        tokenHash: hashSecret(token),
        signInId: maker.signInId,
        apiKeyId: maker.kind === 'api_key' ? maker.id : null,
        clientId,
        surface,
        multiple,
        uploads,
      },
      TOKEN_SECONDS,
    );
    return { token, expiresAt };
  }

  /** The same problem for a token that is unknown, used or expired, and for one whose maker has lost access. */
  async open(token: string, address: string): Promise<OpenedPicker> {
    const network = hashSecret(networkOf(address)).toString('base64url');
    await consume(
      this.guesses,
      network,
      'too_many_attempts',
      'Too many invalid picker tokens. Try again later.',
    );
    const accessToken = PICKER_PREFIX + newSecret();
    const accessHash = hashSecret(accessToken);
    const allowed = await this.database.transaction(async (manager) => {
      const exchanged = await this.tokens.exchange(hashSecret(token), accessHash, ACCESS_SECONDS, manager);
      const opened = exchanged && (await this.tokens.findActive(accessHash, manager));
      if (!exchanged || !opened) throw new Problem('picker_token_invalid');
      const { clientId, surface, uploads } = exchanged;
      await this.audit.record(manager, {
        actor: opened.principal,
        clientId,
        action: 'picker.open',
        subject: ['client', clientId],
        after: { surface, uploads },
      });
      return exchanged;
    });
    // A success does not count as a guess.
    await this.guesses.reward(network);
    return { accessToken, expiresIn: ACCESS_SECONDS, allowed };
  }
}
