import { Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import type { Target } from '../database/entities/target.entity.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { SecretUnreadableError } from '../secrets/secret-box.js';
import type { KindServices } from '../targets/kinds/kind-definition.js';
import { KINDS } from '../targets/kinds/kinds.js';
import { TargetConnections } from '../targets/target-connections.js';
import { TargetsRepository } from '../targets/targets.repository.js';
import { DeliveryError } from '../targets/delivery-error.js';
import type { Sender } from '../targets/sender.js';

/** Opens the target of a delivery: checks that it can still be used. */
@Injectable()
export class DeliveryTargets {
  private readonly services: KindServices;

  constructor(
    private readonly targets: TargetsRepository,
    private readonly connections: TargetConnections,
    outbound: OutboundClient,
    @InjectConfig() config: Config,
  ) {
    this.services = { outbound, config };
  }

  async open({ clientId, targetId }: Pick<Delivery, 'clientId' | 'targetId'>): Promise<OpenTarget> {
    const target = await this.targets.find({ clientId }, targetId);
    if (target === null) throw new DeliveryError('target_deleted', 'check');
    const sender = KINDS[target.kind].sender(this.connect(target), this.services, (found) =>
      this.targets.mergeSettings(target, found),
    );
    return { target, sender };
  }

  private connect(target: Target): object {
    try {
      return this.connections.open(target);
    } catch (error) {
      if (error instanceof SecretUnreadableError) throw new DeliveryError('credentials_unreadable', 'check');
      throw error;
    }
  }
}

export interface OpenTarget {
  readonly target: Target;
  readonly sender: Sender;
}
