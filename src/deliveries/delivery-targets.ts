import { Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import type { Target } from '../database/entities/target.entity.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { SecretUnreadableError } from '../secrets/secret-box.js';
import { type TargetConnection, TargetConnections } from '../targets/target-connection.js';
import { TargetsRepository } from '../targets/targets.repository.js';
import { DeliveryError } from '../targets/delivery-error.js';
import { HttpSender } from '../targets/kinds/http/http.sender.js';
import type { Sender } from '../targets/sender.js';
import { WordPressSender } from '../targets/kinds/wordpress/wordpress.sender.js';

/** Opens the target of a delivery: checks that it can still be used, and chooses the sender. */
@Injectable()
export class DeliveryTargets {
  private readonly responseTimeoutMs: number;

  constructor(
    private readonly targets: TargetsRepository,
    private readonly connections: TargetConnections,
    private readonly outbound: OutboundClient,
    @InjectConfig() { deliveries }: Config,
  ) {
    this.responseTimeoutMs = deliveries.answerSeconds * 1000;
  }

  async open({ clientId, targetId }: Pick<Delivery, 'clientId' | 'targetId'>): Promise<OpenTarget> {
    const target = await this.targets.find({ clientId }, targetId);
    if (target === null) throw new DeliveryError('target_deleted', 'check');
    return { target, sender: this.senderOf(target, this.connect(target)) };
  }

  private connect(target: Target): TargetConnection {
    try {
      return this.connections.open(target);
    } catch (error) {
      if (error instanceof SecretUnreadableError) throw new DeliveryError('credentials_unreadable', 'check');
      throw error;
    }
  }

  private senderOf(target: Target, connection: TargetConnection): Sender {
    if (connection.kind === 'http') return new HttpSender(this.outbound, connection, this.responseTimeoutMs);
    const { restRoot } = connection;
    if (restRoot === null) throw new DeliveryError('target_unverified', 'check');
    return new WordPressSender(this.outbound, { ...connection, restRoot }, this.responseTimeoutMs, (found) =>
      this.targets.setRestRoot(target, found),
    );
  }
}

export interface OpenTarget {
  readonly target: Target;
  readonly sender: Sender;
}
