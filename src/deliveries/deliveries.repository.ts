import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, In, LessThan, Not } from 'typeorm';
import type { ClientScope, InClient, Principal } from '../access/principal.js';
import { Database } from '../database/database.js';
import { Delivery, WAITING } from '../database/entities/delivery.entity.js';
import type { DeliveryError } from '../targets/delivery-error.js';
import type { Arrival } from '../targets/sender.js';

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

/** A delivery that somebody works on. */
export type LeasedDelivery = Delivery & { readonly leaseId: string };

/** Whose turn it is not, and who had a turn lately, the latest one last. */
export interface Turns {
  readonly fullClients: readonly string[];
  readonly recentClients: readonly string[];
}

/** The result of a failed attempt: when the next one is due, or that there is none. */
export interface AfterFailure {
  readonly status: 'queued' | 'failed';
  readonly failures: number;
  readonly delaySeconds: number;
  readonly isAmbiguous: boolean;
}

/**
 * For each target, the index leads to the delivery that has been due the longest, however many wait. The client that uses the fewest slots of
 * all processes goes first, then the one whose last turn was longest ago.
 */
const FIND_NEXT = `WITH RECURSIVE
    held AS MATERIALIZED (SELECT client_id, target_id FROM deliveries WHERE lease_id IS NOT NULL),
    waiting AS (
      (SELECT target_id FROM deliveries WHERE ${WAITING} ORDER BY target_id LIMIT 1)
      UNION ALL
      SELECT (SELECT target_id FROM deliveries WHERE ${WAITING} AND target_id > waiting.target_id ORDER BY target_id LIMIT 1)
        FROM waiting WHERE waiting.target_id IS NOT NULL)
  SELECT first.client_id AS "clientId", first.id FROM waiting
    CROSS JOIN LATERAL (
      SELECT id, client_id, next_attempt_at FROM deliveries
       WHERE ${WAITING} AND target_id = waiting.target_id AND next_attempt_at <= statement_timestamp()
       ORDER BY next_attempt_at LIMIT 1) AS first
   WHERE first.client_id <> ALL ($1::text[]) AND waiting.target_id NOT IN (SELECT target_id FROM held)
   ORDER BY (SELECT count(*) FROM held WHERE held.client_id = first.client_id),
            array_position($2::text[], first.client_id) NULLS FIRST, first.next_attempt_at
   LIMIT 1`;

/** What is left to do at the target: when to check it again, and whether the worker keeps the lease to continue right away. */
export interface AfterSuccess {
  readonly recheckSeconds: number | null;
  readonly keepsLease: boolean;
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

  /** Until the transaction ends, nobody else can take a delivery, in any process. */
  async lockTaking(manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('deliveries', 0))`);
  }

  /** The due delivery whose turn it is, at a target that nobody occupies. */
  async findNext(
    { fullClients, recentClients }: Turns,
    manager: EntityManager = this.database.manager,
  ): Promise<DeliveryKey | null> {
    const [next] = await manager.query<DeliveryKey[]>(FIND_NEXT, [fullClients, recentClients]);
    return next ?? null;
  }

  /** Takes the lease. A queued delivery is running from now on. Null if it is no longer waiting. */
  async take(
    { clientId, id }: DeliveryKey,
    leaseId: string,
    manager: EntityManager,
  ): Promise<LeasedDelivery | null> {
    const isTaken = await this.changed(
      manager,
      `UPDATE deliveries SET lease_id = $3, heartbeat_at = clock_timestamp(), attempts = attempts + (status = 'queued')::int,
          updated_at = CASE WHEN status = 'queued' THEN clock_timestamp() ELSE updated_at END,
          status = CASE WHEN status = 'queued' THEN 'running' ELSE status END
        WHERE client_id = $1 AND id = $2 AND lease_id IS NULL AND ${WAITING} RETURNING 1`,
      [clientId, id, leaseId],
    );
    return isTaken ? ((await manager.findOneByOrFail(Delivery, { clientId, id })) as LeasedDelivery) : null;
  }

  /** Deliveries whose worker has sent no heartbeat for this long. */
  findLost(leaseSeconds: number): Promise<DeliveryKey[]> {
    return this.database.manager.query(
      `SELECT client_id AS "clientId", id FROM deliveries
        WHERE lease_id IS NOT NULL AND heartbeat_at <= statement_timestamp() - make_interval(secs => $1)`,
      [leaseSeconds],
    );
  }

  /** False if the attempt has lost its lease. */
  async heartbeat({ clientId, id, leaseId }: LeasedDelivery): Promise<boolean> {
    return this.changed(
      this.database.manager,
      `UPDATE deliveries SET heartbeat_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [clientId, id, leaseId],
    );
  }

  /** Records, before the first byte is sent, how many bytes will be sent. False if the attempt has lost its lease or was cancelled. */
  async announce({ clientId, id, leaseId }: LeasedDelivery, sizeBytes: number): Promise<boolean> {
    return this.changed(
      this.database.manager,
      `UPDATE deliveries SET is_sending = true, heartbeat_at = clock_timestamp(), updated_at = clock_timestamp(),
          sent_sizes = CASE WHEN $4::bigint = ANY(sent_sizes) THEN sent_sizes ELSE sent_sizes || $4::bigint END
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [clientId, id, leaseId, sizeBytes],
    );
  }

  async setDelivered(
    { clientId, id, leaseId }: LeasedDelivery,
    { remoteId, remoteUrl }: Arrival,
    { recheckSeconds, keepsLease }: AfterSuccess,
    manager: EntityManager,
  ): Promise<boolean> {
    return this.changed(
      manager,
      `UPDATE deliveries SET status = 'delivered', lease_id = CASE WHEN $7 THEN lease_id END, is_sending = false,
          remote_id = $4, remote_url = $5,
          failures = 0, is_ambiguous = $6::float IS NOT NULL, next_attempt_at = clock_timestamp() + make_interval(secs => coalesce($6, 0)),
          error_code = NULL, error_detail = NULL, error_step = NULL, updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 RETURNING 1`,
      [clientId, id, leaseId, remoteId, remoteUrl, recheckSeconds, keepsLease],
    );
  }

  /** Ends another look at the target. With `delaySeconds` null, it was the last one. A delivery that was retried meanwhile keeps its plan. */
  async setRechecked(
    { clientId, id, leaseId }: LeasedDelivery,
    delaySeconds: number | null,
    manager: EntityManager = this.database.manager,
  ): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET lease_id = NULL,
          is_ambiguous = is_ambiguous AND (status = 'queued' OR $4::float IS NOT NULL),
          failures = CASE WHEN status = 'queued' THEN failures ELSE failures + 1 END,
          next_attempt_at = CASE WHEN status = 'queued' THEN next_attempt_at
            ELSE clock_timestamp() + make_interval(secs => coalesce($4, 0)) END
        WHERE client_id = $1 AND id = $2 AND lease_id = $3`,
      [clientId, id, leaseId, delaySeconds],
    );
  }

  /** Gives up the lease before looking at the target. A delivery that was retried meanwhile keeps its plan. */
  async postponeRecheck({ clientId, id, leaseId }: LeasedDelivery, delaySeconds: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE deliveries SET lease_id = NULL,
          next_attempt_at = CASE WHEN status = 'queued' THEN next_attempt_at
            ELSE clock_timestamp() + make_interval(secs => $4) END
        WHERE client_id = $1 AND id = $2 AND lease_id = $3`,
      [clientId, id, leaseId, delaySeconds],
    );
  }

  async setFailure(
    { clientId, id, leaseId }: LeasedDelivery,
    { status, failures, delaySeconds, isAmbiguous }: AfterFailure,
    error: Pick<DeliveryError, 'code' | 'message' | 'step'>,
    manager: EntityManager,
  ): Promise<boolean> {
    return this.changed(
      manager,
      `UPDATE deliveries SET status = $4, lease_id = NULL, is_sending = false, failures = $5, is_ambiguous = $6,
          next_attempt_at = clock_timestamp() + make_interval(secs => $7), error_code = $8, error_detail = $9, error_step = $10,
          updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running' RETURNING 1`,
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

  /**
   * For a delivery that the caller has locked. A running attempt that has sent nothing yet loses its lease. What an earlier attempt may have
   * left on the target is removed later.
   */
  async setCancelled(
    { clientId, id }: DeliveryKey,
    recheckSeconds: number,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE deliveries SET status = 'cancelled', lease_id = NULL, failures = 0,
          next_attempt_at = clock_timestamp() + make_interval(secs => $3), updated_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2`,
      [clientId, id, recheckSeconds],
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
