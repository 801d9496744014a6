import { IsOptional, IsUUID } from 'class-validator';
import { LowerCase } from '../common/http/lower-case.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { ACTOR_KINDS } from '../database/entities/domain-event.entity.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditSubject, SubjectState } from './audit-subjects.repository.js';

/** How the portal shows everyone who is not a user of the client's portal. */
export const AGENCY = 'agency';

export const ACTORS = [...ACTOR_KINDS, AGENCY] as const;

export class AuditQuery extends PageQuery {
  /** Only what happened to this asset, including its deliveries and where it is used. */
  @IsOptional()
  @LowerCase()
  @IsUUID()
  assetId?: string;
}

export class ActorDto {
  /** @example "user" */
  kind: (typeof ACTORS)[number];
  id: string | null;
  /** @example "operator@example.com" */
  name: string;
}

export class AuditAssetDto {
  assetId: string;
  /** For the address of the preview. */
  version: number;
  folderId: string | null;
}

/** What an event is about, as it is now. */
export class AuditSubjectDto {
  /**
   * The current name, or the last known one if it has been deleted. For a delivery or a reference, the title of its asset; for a folder, its
   * path.
   * @example "Storefront in autumn"
   */
  name: string | null;
  /**
   * Whether it is in the library, in the trash, or deleted permanently. Null for everything else, such as integrations.
   * @example "live"
   */
  state: SubjectState | null;
  /** The asset that the event is about. Null if there is none, or if it has been deleted permanently. */
  asset: AuditAssetDto | null;
  /**
   * For a delivery, the name of its target.
   * @example "bakery.example"
   */
  targetName: string | null;
}

export class AuditEventDto {
  eventId: string;
  at: Date;
  actor: ActorDto;
  /** @example "client.update" */
  action: string;
  /** @example "client" */
  subjectKind: string;
  /** @example "demo" */
  subjectId: string;
  subject: AuditSubjectDto;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;

  static from(event: AuditEvent, subject: AuditSubject): AuditEventDto {
    return {
      eventId: event.id,
      at: event.at,
      actor: { kind: event.actorKind, id: event.actorId, name: event.actorName },
      action: event.action,
      subjectKind: event.subjectKind,
      subjectId: event.subjectId,
      subject,
      before: event.before,
      after: event.after,
      requestId: event.requestId,
    };
  }
}

export class AuditPageDto {
  events: AuditEventDto[];
  nextCursor: string | null;
}
