import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, In, LessThan, Not } from 'typeorm';
import type { ClientScope, InClient, Principal } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { Delivery } from '../../database/entities/delivery.entity.js';
import type { DeliveryError } from './delivery-error.js';
import type { Arrival } from './senders/sender.js';

export type NewDelivery = Pick<
  Delivery,
  | 'id'
  | 'clientId'
  | 'assetId'
  | 'targetId'
  | 'surface'
  | 'rendition'
  | 'identity'
  | 'title'
  | 'altText'
  | 'caption'
  | 'description'
  | 'createdBy'
  | 'createdById'
>;

export type DeliveryFilter = Partial<Pick<Delivery, 'status' | 'targetId' | 'assetId'>>;

/** The asset, rendition and target of a delivery. */
export type DeliveryIdentity = Pick<Delivery, 'clientId' | 'targetId' | 'assetId' | 'identity'>;

/** Names a delivery within its client. */
export type DeliveryKey = Pick<Delivery, 'clientId' | 'id'>;

/** The result of a failed attempt: when the next one is due, or that there is none. */
export interface AfterFailure {
  readonly status: 'queued' | 'failed';
  readonly failures: number;
  readonly delaySeconds: number;
  readonly isAmbiguous: boolean;
}

/** Every write of a running attempt requires its lease, so a worker that was presumed dead cannot change anything. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  find(
    { clientId, actor }: ClientScope,
    id: string,
    manager: EntityManager = this.database.manager,
  ): Promise<Delivery | null> {
    return manager.findOneBy(Delivery, { clientId, ...visibleTo(actor), id });
  }

  /** In no particular order. Unknown ids are omitted. */
  findMany({ clientId, actor }: ClientScope, ids: readonly string[]): Promise<Delivery[]> {
    return this.database.manager.findBy(Delivery, { clientId, ...visibleTo(actor), id: In([...ids]) });
  }

  /** For background jobs, which only have the id. */
  findById(id: string): Promise<Delivery | null> {
    return this.database.manager.findOneBy(Delivery, { id });
  }

  /** Newest first. */
  findPage(
    { clientId, actor }: ClientScope,
    filter: DeliveryFilter,
    beforeId: string | null,
    take: number,
  ): Promise<Delivery[]> {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    return this.database.manager.find(Delivery, {
      where: {
        clientId,
        ...visibleTo(actor),
        ...given,
        ...(beforeId === null ? {} : { id: LessThan(beforeId) }),
      },
      order: { id: 'DESC' },
      take,
    });
  }

  /** Until the transaction ends, nobody else can create or retry a delivery with this identity. */
  async lockIdentity(
    { targetId, assetId, identity }: DeliveryIdentity,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('delivery:' || $1, 0))`, [
      JSON.stringify([targetId, assetId, identity]),
    ]);
  }

  /** The delivery in progress, or else the last one that was delivered, other than `exceptId`. */
  async findCurrent(
    { clientId, targetId, assetId, identity }: DeliveryIdentity,
    exceptId: string | null,
    manager: EntityManager,
  ): Promise<Delivery | null> {
    const same = {
      clientId,
      targetId,
      assetId,
      identity,
      ...(exceptId === null ? {} : { id: Not(exceptId) }),
    };
    const [current] = await manager.find(Delivery, {
      where: (['queued', 'running', 'delivered'] as const).map((status) => ({ ...same, status })),
      // 'delivered' sorts first.
      order: { status: 'DESC', id: 'DESC' },
      take: 1,
    });
    return current ?? null;
  }

  async insert(delivery: NewDelivery, manager: EntityManager): Promise<Delivery> {
    await manager.insert(Delivery, { ...delivery, status: 'queued' });
    return manager.findOneByOrFail(Delivery, { clientId: delivery.clientId, id: delivery.id });
  }

  lock({ clientId }: InClient, id: string, manager: EntityManager): Promise<Delivery | null> {
    return manager.findOne(Delivery, { where: { clientId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** For background work, which has only its id. */
  lockById(id: string, manager: EntityManager): Promise<Delivery | null> {
    return manager.findOne(Delivery, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Claims a delivery that the caller has locked. */
  async start({ clientId, id }: DeliveryKey, leaseId: string, manager: EntityManager): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET status = 'running', attempts = attempts + 1, lease_id = $3, heartbeat_at = clock_timestamp(),
          is_sending = false, updated_at = clock_timestamp() WHERE client_id = $1 AND id = $2`,
      [clientId, id, leaseId],
    );
  }

  /** False if the attempt has lost its lease. */
  async heartbeat({ clientId, id }: DeliveryKey, leaseId: string): Promise<boolean> {
    return this.changed(
      this.database.manager,
      `UPDATE deliveries SET heartbeat_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [clientId, id, leaseId],
    );
  }

  /** Records, before the first byte is sent, how many bytes will be sent. False if the attempt has lost its lease or was cancelled. */
  async announce({ clientId, id }: DeliveryKey, leaseId: string, sizeBytes: number): Promise<boolean> {
    return this.changed(
      this.database.manager,
      `UPDATE deliveries SET is_sending = true, heartbeat_at = clock_timestamp(), updated_at = clock_timestamp(),
          sent_sizes = CASE WHEN $4::bigint = ANY(sent_sizes) THEN sent_sizes ELSE sent_sizes || $4::bigint END
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [clientId, id, leaseId, sizeBytes],
    );
  }

  /** With `leaseId` null, for a delivery that the caller has locked and that has no running attempt. */
  async setDelivered(
    { clientId, id }: DeliveryKey,
    leaseId: string | null,
    { remoteId, remoteUrl }: Arrival,
    manager: EntityManager,
  ): Promise<boolean> {
    return this.changed(
      manager,
      `UPDATE deliveries SET status = 'delivered', lease_id = NULL, is_sending = false, remote_id = $4, remote_url = $5,
          error_code = NULL, error_detail = NULL, error_step = NULL, updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id IS NOT DISTINCT FROM $3 RETURNING 1`,
      [clientId, id, leaseId, remoteId, remoteUrl],
    );
  }

  async setFailure(
    { clientId, id }: DeliveryKey,
    leaseId: string,
    { status, failures, delaySeconds, isAmbiguous }: AfterFailure,
    error: Pick<DeliveryError, 'code' | 'message' | 'step'>,
    manager: EntityManager,
  ): Promise<boolean> {
    return this.changed(
      manager,
      `UPDATE deliveries SET status = $4, lease_id = NULL, is_sending = false, failures = $5, is_ambiguous = $6,
          next_attempt_at = clock_timestamp() + make_interval(secs => $7), error_code = $8, error_detail = $9, error_step = $10,
          updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [
        clientId,
        id,
        leaseId,
        status,
        failures,
        isAmbiguous,
        delaySeconds,
        error.code,
        error.message,
        error.step,
      ],
    );
  }

  /** For a delivery that the caller has locked. A running attempt that has sent nothing yet loses its lease. */
  async setCancelled({ clientId, id }: DeliveryKey, manager: EntityManager): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET status = 'cancelled', lease_id = NULL, updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2`,
      [clientId, id],
    );
  }

  /** For a delivery that the caller has locked. Restarts the retry schedule. */
  async setQueued(
    { clientId, id }: DeliveryKey,
    delaySeconds: number,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET status = 'queued', failures = 0, next_attempt_at = clock_timestamp() + make_interval(secs => $3),
          updated_at = clock_timestamp() WHERE client_id = $1 AND id = $2`,
      [clientId, id, delaySeconds],
    );
  }

  /** The delivery to this target that has been due the longest. */
  async findDue(targetId: string): Promise<string | null> {
    const [due] = await this.database.manager.query<{ id: string }[]>(
      `SELECT id FROM deliveries WHERE target_id = $1 AND status = 'queued' AND next_attempt_at <= clock_timestamp()
        ORDER BY next_attempt_at LIMIT 1`,
      [targetId],
    );
    return due?.id ?? null;
  }

  /** For an UPDATE, TypeORM returns the rows and their number. */
  private async changed(manager: EntityManager, sql: string, values: unknown[]): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(sql, values);
    return rows.length === 1;
  }
}

/** Only the deliveries that the caller may know of: those for the surfaces of its key. */
function visibleTo({ surfaces }: Principal): FindOptionsWhere<Delivery> {
  return surfaces === null ? {} : { surface: In([...surfaces]) };
}
